// This file computes with angles as exact fractions of a turn.
#include "base/turns.hpp"

#include <cmath>
#include <utility>

#include "base/roots.hpp"

namespace imago::base {
namespace {

constexpr int kDoubleBits = 53;

/// Returns the fraction of a long double in [0, 1) in units of 2^-64, and leaves the rest, times
/// 2^64.
std::uint64_t next_bits(long double& fraction) {
  fraction = std::ldexp(fraction, 64);
  const long double bits = std::floor(fraction);
  fraction -= bits;
  return static_cast<std::uint64_t>(bits);
}

}  // namespace

/// A number of turns: whole ones, and a fraction in units of 2^-128.
struct Turns::Mixed {
  std::int64_t whole;
  Wide fraction;

  /// Returns a / rate, rounded down, by long division.
  static Mixed of(double a, double rate) {
    int a_exponent = 0, rate_exponent = 0;
    const auto integer = [](double value, int& exponent) {
      return static_cast<std::uint64_t>(std::ldexp(std::frexp(value, &exponent), kDoubleBits));
    };
    const std::uint64_t top = integer(std::abs(a), a_exponent),
                        bottom = integer(rate, rate_exponent);
    const int shift = a_exponent - rate_exponent;
    const Wide dividend = shift > 0 ? Wide{top} << shift : top;
    const auto [whole, high] = divided(dividend, bottom);
    const auto [upper, low] = divided(high << 64, bottom);
    Mixed m{static_cast<std::int64_t>(whole), upper << 64 | (low << 64) / bottom};
    if (shift < 0) {
      // The quotient of the digits is below 2, so only one bit comes from the whole part.
      m.fraction = shift <= -128 ? 0 : m.fraction >> -shift;
      if (shift > -129) m.fraction |= static_cast<Wide>(m.whole) << (128 + shift);
      m.whole = 0;
    }
    return a < 0 ? Mixed{0, 0} - m : m;
  }

  Mixed operator-(const Mixed& other) const {
    return {whole - other.whole - (fraction < other.fraction ? 1 : 0), fraction - other.fraction};
  }

  /// Returns the quotient and the rest.
  static std::pair<Wide, Wide> divided(Wide a, std::uint64_t b) { return {a / b, a % b}; }
};

Turns::Turns(long double turns) {
  long double fraction = turns - std::floor(turns);
  if (fraction >= 1) return;  // a negative number that is nearly 0
  const Wide high = next_bits(fraction);
  bits_ = high << 64 | next_bits(fraction);
}

Turns Turns::quotient(double a, double rate) { return Turns(Mixed::of(a, rate).fraction); }

Turns Turns::step(double a, double b, double rate, std::uint64_t count) {
  const Mixed range = Mixed::of(b, rate) - Mixed::of(a, rate);
  // Whole turns count modulo `count`.
  const auto signed_count = static_cast<std::int64_t>(count);
  const auto whole =
      static_cast<std::uint64_t>((range.whole % signed_count + signed_count) % signed_count);
  const auto [high, middle] = Mixed::divided(Wide{whole} << 64 | range.fraction >> 64, count);
  const Wide low = (middle << 64 | static_cast<std::uint64_t>(range.fraction)) / count;
  return Turns(high << 64 | low);
}

std::complex<double> Turns::root() const {
  constexpr int kBits = 59;  // root_of_unity needs an order below 2^60
  const Wide rounded = bits_ + (Wide{1} << (127 - kBits));
  return root_of_unity(static_cast<std::uint64_t>(rounded >> (128 - kBits)),
                       std::uint64_t{1} << kBits);
}

}  // namespace imago::base
