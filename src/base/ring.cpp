// This file computes modulo 2^61 - 1.
#include "base/ring.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "base/errors.hpp"
#include "base/roots.hpp"

namespace imago::base::m61 {
namespace {

// An element of order 2^61 and norm 1. Its power of 2^59 is -i, and that of 2^58 is (1 - i) 2^30,
// where 2^30 is a root of 1/2.
constexpr Complex kRoot{0x096969696969696a, 0x1a5a5a5a5a5a5a5a};
constexpr int kRootBits = 61;

}  // namespace

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  // a b = high 2^64 + low, and 2^64 is 8; halves of 32 bits, as the kernels have them.
  constexpr std::uint64_t kLow = 0xffffffff;
  const std::uint64_t ah = a >> 32, al = a & kLow, bh = b >> 32, bl = b & kLow;
  const std::uint64_t middle = ah * bl + al * bh, low = al * bl;
  return residue((ah * bh << 3) + (middle >> 29) + ((middle & 0x1fffffff) << 32) + (low >> 61) +
                 (low & kModulus));
}

Complex product(const Complex& a, const Complex& b) {
  return {difference(product(a.re, b.re), product(a.im, b.im)),
          sum(product(a.re, b.im), product(a.im, b.re))};
}

Complex root_of_unity(std::uint64_t phase, std::uint64_t order) {
  Complex power{1, 0}, factor = kRoot;
  for (int bit = std::countr_zero(order); bit < kRootBits; ++bit) factor = product(factor, factor);
  for (phase %= order; phase > 0; phase >>= 1, factor = product(factor, factor)) {
    if (phase & 1) power = product(power, factor);
  }
  return power;
}

Roots::Roots(std::uint64_t order)
    : order_(order), bits_(static_cast<unsigned>(std::countr_zero(order)) / 2) {
  const auto powers = [&](std::uint64_t step, std::uint64_t count) {
    std::vector<Complex> all{{1, 0}};
    const Complex factor = root_of_unity(step, order);
    while (all.size() < count) all.push_back(product(all.back(), factor));
    return all;
  };
  fine_ = powers(1, std::uint64_t{1} << bits_);
  coarse_ = powers(std::uint64_t{1} << bits_, order >> bits_);
}

Complex Roots::operator()(std::uint64_t phase) const {
  phase %= order_;
  return product(coarse_[phase >> bits_], fine_[phase & (fine_.size() - 1)]);
}

std::uint64_t of_constant(double number) {
  constexpr int kDigits = 24;
  constexpr std::uint64_t kOrder = 1024;
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);
  const double whole = std::ldexp(fraction, kDigits);
  if (whole == std::trunc(whole)) {
    const auto size = static_cast<std::uint64_t>(std::abs(whole));
    const int shift = ((exponent - kDigits) % 61 + 61) % 61;
    const std::uint64_t scaled = product(size, std::uint64_t{1} << shift);
    return number < 0 ? difference(0, scaled) : scaled;
  }
  if (std::abs(number) < 1) {
    const double turns = std::acos(number) / (2 * std::numbers::pi);
    const auto phase = static_cast<std::uint64_t>(std::llround(turns * kOrder));
    if (base::root_of_unity(phase, kOrder).real() == number) return root_of_unity(phase, kOrder).re;
  }
  base::internal_error("a constant of a kernel is no residue");
}

}  // namespace imago::base::m61
