// This file holds the factors of cosine and sine transforms.
#include "plan/cosines.hpp"

namespace imago::plan {

std::uint64_t extended_length(const Cosines& cosines) {
  const std::uint64_t n = cosines.elements;
  return cosines.kind == Kind::dct1 ? 2 * (n - 1) : 2 * (cosines.kind == Kind::dst1 ? n + 1 : n);
}

Roots roots_in(const Cosines& cosines, std::uint64_t points) {
  const std::uint64_t n = cosines.elements;
  if (cosines.quarters(points)) return {8 * n, 4, 1};
  if (cosines.is(Kind::dct3, Kind::dst3) || cosines.is(Kind::dct4, Kind::dst4)) return {4 * n};
  return {};
}

Roots roots_out(const Cosines& cosines, std::uint64_t points) {
  const std::uint64_t n = cosines.elements;
  if (cosines.quarters(points)) return {2 * n};
  if (cosines.is(Kind::dct4, Kind::dst4)) return {8 * n, 2, 1};
  if (cosines.is(Kind::dct2, Kind::dst2)) return {4 * n};
  return {};
}

}  // namespace imago::plan
