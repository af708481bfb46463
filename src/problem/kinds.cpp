// This file implements properties of kinds.
#include "problem/kinds.hpp"

#include <algorithm>

#include "problem/words.hpp"

namespace imago::problem {

bool is_trigonometric(Kind kind) {
  return kind != Kind::complex && kind != Kind::real && kind != Kind::identity;
}

Kind inverse_of(Kind kind) {
  switch (kind) {
    case Kind::dct2:
      return Kind::dct3;
    case Kind::dct3:
      return Kind::dct2;
    case Kind::dst2:
      return Kind::dst3;
    case Kind::dst3:
      return Kind::dst2;
    default:
      return kind;
  }
}

std::uint64_t logical_length(Kind kind, std::uint64_t length) {
  if (kind == Kind::identity) return 1;
  if (!is_trigonometric(kind)) return length;
  if (kind == Kind::dct1) return 2 * (length - 1);
  return 2 * (kind == Kind::dst1 ? length + 1 : length);
}

std::string word_of(const std::vector<Kind>& kinds) {
  const Kind last = kinds.back(), others = last == Kind::real ? Kind::complex : last;
  if (last != Kind::identity &&
      std::all_of(kinds.begin(), kinds.end() - 1, [=](Kind kind) { return kind == others; }))
    return std::string(base::word_of(kKinds, last));
  std::string text = "axes_";
  for (const Kind kind : kinds) text += base::word_of(kKindLetters, kind);
  return text;
}

}  // namespace imago::problem
