// This file implements the edge of cosine and sine transforms.
#include "kernel/edges/cosines.hpp"

namespace imago::kernel {
namespace {

constexpr double kRenumber = 6;  // instructions for an element's number and its index

/// Instructions per point of a half-length II or III, in addition to the product with its factor.
constexpr double kHalfLength = 22;

Roots roots_in(const Cosines& cosines, std::uint64_t points) {
  const std::uint64_t n = cosines.elements;
  if (cosines.is(Kind::dct3, Kind::dst3)) return {4 * n};
  if (!cosines.is(Kind::dct4, Kind::dst4)) return {};
  return cosines.half_length(points) ? Roots{8 * n, 4, 1} : Roots{4 * n};
}

Roots roots_out(const Cosines& cosines, std::uint64_t points) {
  const std::uint64_t n = cosines.elements;
  if (cosines.is(Kind::dct2, Kind::dst2)) return {4 * n};
  if (!cosines.is(Kind::dct4, Kind::dst4)) return {};
  return cosines.half_length(points) ? Roots{2 * n} : Roots{8 * n, 2, 1};
}

}  // namespace

bool Cosines::sine() const {
  return kind == Kind::dst1 || kind == Kind::dst2 || kind == Kind::dst3 || kind == Kind::dst4;
}

EdgeFacts facts_of(const Cosines& edge, End end, std::uint64_t points) {
  const bool load = end == End::load, half = edge.half_length(points);
  EdgeFacts facts{.elements = edge.elements,
                  .numbered = true,
                  .from_end = edge.sine() && !half,
                  .factor_instructions = kComplexMultiply,
                  .instructions = kRenumber};
  facts.roots = load ? roots_in(edge, points) : roots_out(edge, points);
  if (edge.extends(points)) return facts;
  const bool two = edge.is(Kind::dct2, Kind::dst2), three = edge.is(Kind::dct3, Kind::dst3);
  facts.joins = load ? three : two;
  facts.unfolds = facts.joins && half;
  if (facts.unfolds) facts.factor_instructions += kHalfLength;
  if (facts.joins && !half && !load) facts.factor_instructions += kComplexMultiply;
  if (two || three) facts.columns = facts.joins ? Mirror::points : Mirror::elements;
  return facts;
}

std::uint64_t extended_length(const Cosines& cosines) {
  const std::uint64_t n = cosines.elements;
  return cosines.kind == Kind::dct1 ? 2 * (n - 1) : 2 * (cosines.kind == Kind::dst1 ? n + 1 : n);
}

}  // namespace imago::kernel
