// This file computes roots of unity, correctly rounded to double for tables.
#include "base/roots.hpp"

#include <bit>
#include <cmath>
#include <utility>

#include "base/pi.hpp"

namespace imago::base {
namespace {

/// The number of eighths of the circle before a phase, and the angle from there to the phase; in
/// odd octants, the angle from the phase to the next octant. The angle is `rest` eighths of the
/// circle divided by the order. All values are exact.
std::pair<std::uint64_t, std::uint64_t> octant_of(std::uint64_t phase, std::uint64_t order) {
  if (phase >= order) phase %= order;
  const std::uint64_t octant = 8 * phase / order, rest = 8 * phase - octant * order;
  return {octant, octant & 1 ? order - rest : rest};
}

/// Returns exp(i pi rest / (4 order)).
std::complex<long double> turn(std::uint64_t rest, std::uint64_t order) {
  const long double angle =
      kLongPi / 4 * static_cast<long double>(rest) / static_cast<long double>(order);
  return {std::cos(angle), std::sin(angle)};
}

std::complex<double> root_at(std::uint64_t octant, double c, double s) {
  switch (octant) {
    case 0:
      return {c, -s};
    case 1:
      return {s, -c};
    case 2:
      return {-s, -c};
    case 3:
      return {-c, -s};
    case 4:
      return {-c, s};
    case 5:
      return {-s, c};
    case 6:
      return {s, c};
    default:
      return {c, s};
  }
}

}  // namespace

std::complex<double> root_of_unity(std::uint64_t phase, std::uint64_t order) {
  const auto [octant, rest] = octant_of(phase, order);
  const auto value = turn(rest, order);
  return root_at(octant, static_cast<double>(value.real()), static_cast<double>(value.imag()));
}

Roots::Roots(std::uint64_t order) : order_(order), bits_((std::bit_width(order) + 1) / 2) {
  for (std::uint64_t low = 0; low >> bits_ == 0 && low <= order; ++low)
    fine_.push_back(turn(low, order));
  for (std::uint64_t high = 0; high <= order >> bits_; ++high)
    coarse_.push_back(turn(high << bits_, order));
}

std::complex<double> Roots::operator()(std::uint64_t phase) const {
  const auto [octant, rest] = octant_of(phase, order_);
  // Angles lie between 0 and pi/4, so nothing cancels in the imaginary part, and little in the real
  // one.
  const auto a = coarse_[rest >> bits_];
  const auto b = fine_[rest & ((std::uint64_t{1} << bits_) - 1)];
  return root_at(octant, static_cast<double>(a.real() * b.real() - a.imag() * b.imag()),
                 static_cast<double>(a.real() * b.imag() + a.imag() * b.real()));
}

}  // namespace imago::base
