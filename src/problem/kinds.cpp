// This file holds the facts about kinds.
#include "problem/kinds.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace imago::problem {
namespace {

struct Fact {
  Kind kind, inverse;
  std::string_view word, letters;
};
constexpr std::array kFacts{Fact{Kind::complex, Kind::complex, "complex", "c"},
                            Fact{Kind::real, Kind::real, "real", "r"},
                            Fact{Kind::dct1, Kind::dct1, "dct1", "C1"},
                            Fact{Kind::dct2, Kind::dct3, "dct2", "C2"},
                            Fact{Kind::dct3, Kind::dct2, "dct3", "C3"},
                            Fact{Kind::dct4, Kind::dct4, "dct4", "C4"},
                            Fact{Kind::dst1, Kind::dst1, "dst1", "S1"},
                            Fact{Kind::dst2, Kind::dst3, "dst2", "S2"},
                            Fact{Kind::dst3, Kind::dst2, "dst3", "S3"},
                            Fact{Kind::dst4, Kind::dst4, "dst4", "S4"},
                            Fact{Kind::identity, Kind::identity, "identity", "i"}};

const Fact& fact(Kind kind) {
  return *std::find_if(kFacts.begin(), kFacts.end(),
                       [kind](const Fact& each) { return each.kind == kind; });
}

}  // namespace

bool is_trigonometric(Kind kind) {
  return kind != Kind::complex && kind != Kind::real && kind != Kind::identity;
}

Kind inverse_of(Kind kind) { return fact(kind).inverse; }

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
    return std::string(fact(last).word);
  std::string text = "axes_";
  for (const Kind kind : kinds) text += fact(kind).letters;
  return text;
}

}  // namespace imago::problem
