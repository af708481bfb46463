// This file converts a case to the library's types.
#include "catalogue/case.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace imago::catalogue {
namespace {

/// Returns true if this side is the spectrum.
bool is_spectrum(const Case& problem, bool source) {
  return source == (problem.direction == Direction::inverse);
}

/// Returns the layout of the other side of a real transform in place: the same bytes, counted in
/// real numbers on one side and in complex numbers on the other.
Layout same_bytes(const Layout& layout, bool to_real) {
  const auto convert = [&](std::size_t count) { return to_real ? 2 * count : count / 2; };
  Layout other = layout;
  other.offset = convert(layout.offset);
  other.distance = convert(layout.distance);
  for (std::size_t i = 0; i + 1 < layout.strides.size(); ++i)
    other.strides[i] = convert(layout.strides[i]);
  return other;
}

std::uint64_t product(const std::vector<std::uint64_t>& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::uint64_t{1}, std::multiplies<>());
}

}  // namespace

bool is_trigonometric(Kind kind) {
  return kind != Kind::complex && kind != Kind::real && kind != Kind::identity;
}

std::uint64_t dft_length(Kind kind, std::uint64_t length) {
  switch (kind) {
    case Kind::identity:
      return 1;
    case Kind::complex:
    case Kind::real:
      return length;
    case Kind::dct1:
      return 2 * (length - 1);
    case Kind::dst1:
      return 2 * (length + 1);
    default:
      return 2 * length;
  }
}

std::vector<Kind> Case::kinds() const {
  if (!axes.empty()) return axes;
  std::vector<Kind> all(lengths.size(), kind == Kind::real ? Kind::complex : kind);
  all.back() = kind;
  return all;
}

std::uint64_t Case::points() const {
  const auto all = kinds();
  std::uint64_t points = 1;
  for (std::size_t i = 0; i < lengths.size(); ++i) points *= dft_length(all[i], lengths[i]);
  return points;
}

bool Case::only_real() const {
  const auto all = kinds();
  const auto is = [&](auto kind) { return std::any_of(all.begin(), all.end(), kind); };
  return is(is_trigonometric) &&
         !is([](Kind kind) { return kind == Kind::complex || kind == Kind::real; });
}

double Case::scale() const {
  const auto n = static_cast<double>(points());
  switch (norm) {
    case Norm::none:
      return 1;
    case Norm::backward:
      return direction == Direction::inverse ? 1 / n : 1;
    case Norm::ortho:
      return 1 / std::sqrt(n);
    case Norm::forward:
      return direction == Direction::forward ? 1 / n : 1;
  }
  return 1;
}

Transform Case::transform() const {
  Transform transform;
  transform.kind = kind;
  transform.axes = axes;
  transform.precision = precision;
  transform.lengths.assign(lengths.begin(), lengths.end());
  transform.batch = static_cast<std::size_t>(batch);
  transform.placement = placement;
  const bool forward = direction == Direction::forward;
  transform.directions = forward ? Directions::forward : Directions::inverse;
  transform.norm = norm;
  transform.signal = layout_of(*this, forward);
  transform.spectrum = layout_of(*this, !forward);
  return transform;
}

std::vector<std::uint64_t> extents(const Case& problem, bool source) {
  auto result = problem.lengths;
  if (problem.real() && is_spectrum(problem, source)) result.back() = result.back() / 2 + 1;
  return result;
}

std::vector<std::uint64_t> padded_extents(const Case& problem, bool source) {
  auto result = extents(problem, source);
  if (problem.real() && is_real(problem, source) && problem.placement == Placement::in_place)
    result.back() = 2 * (result.back() / 2 + 1);
  return result;
}

std::uint64_t packed_size(const Case& problem, bool source) {
  return product(padded_extents(problem, source));
}

bool is_real(const Case& problem, bool source) {
  return problem.only_real() || (problem.real() && !is_spectrum(problem, source));
}

Rows rows_of(const Case& problem, bool source) {
  auto outer = extents(problem, source);
  const std::uint64_t parts = is_real(problem, source) ? 1 : 2, row = outer.back();
  outer.back() = problem.batch;
  return {product(outer), parts * row, parts * padded_extents(problem, source).back()};
}

bool is_real_bin(const Case& problem, std::uint64_t column) {
  if (!problem.real() || problem.direction == Direction::inverse) return false;
  const auto kinds = problem.kinds();
  for (std::size_t d = 0; d + 1 < kinds.size(); ++d) {
    if (kinds[d] != Kind::identity) return false;
  }
  return column == 0 || 2 * column == problem.lengths.back();
}

Layout layout_of(const Case& problem, bool source) {
  if (source) return problem.source;
  if (problem.placement == Placement::out_of_place || problem.target != Layout{})
    return problem.target;
  return problem.real() ? same_bytes(problem.source, is_real(problem, false)) : problem.source;
}

}  // namespace imago::catalogue
