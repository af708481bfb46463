// This file computes in prime fields.
#include "base/prime_field.hpp"

#include <bit>
#include <cmath>

#include "base/errors.hpp"
#include "base/integers.hpp"

namespace imago::base {
namespace {

constexpr int kWordBits = 32;
// Constants of kernels are roots of orders up to this one.
constexpr double kMostTurns = 1 << 16;

}  // namespace

std::uint64_t PrimeField::product(std::uint64_t a, std::uint64_t b) const {
  if (!wide) return a * b % modulus;
  // 2^64 is 2^32 - 1, and 2^96 is -1.
  __extension__ using Wide = unsigned __int128;
  const Wide all = static_cast<Wide>(a) * b;
  const auto high = static_cast<std::uint64_t>(all >> 64), low = static_cast<std::uint64_t>(all);
  const std::uint64_t middle = (high & 0xffffffff) * 0xffffffff;
  return difference(sum(low % modulus, middle), high >> kWordBits);
}

std::uint64_t PrimeField::power(std::uint64_t a, std::uint64_t exponent) const {
  return power_modulo(a, exponent, modulus);
}

std::uint64_t PrimeField::root_of_unity(std::uint64_t phase, std::uint64_t order) const {
  if (!is_power_of_two(order) || order >> bits > 1) internal_error("a ring has no such root");
  return power(power(generator, (modulus - 1) / order), phase % order);
}

std::uint64_t PrimeField::factor(std::uint64_t a) const {
  return wide ? a : (a << kWordBits) % modulus;
}

std::uint64_t PrimeField::of_factor(std::uint64_t word) const {
  return wide ? word : product(word, inverse((std::uint64_t{1} << kWordBits) % modulus));
}

std::uint64_t PrimeField::of_turns(double turns) const {
  if (turns == 0) return 0;
  const double phase = turns * kMostTurns;
  if (!(turns > 0 && turns <= 1) || phase != std::trunc(phase))
    internal_error("a constant of a kernel is no root of its ring");
  return root_of_unity(static_cast<std::uint64_t>(phase), static_cast<std::uint64_t>(kMostTurns));
}

std::uint64_t PrimeField::of_scale(double scale) const {
  int exponent = 0;
  if (std::frexp(scale, &exponent) != 0.5) internal_error("a scaling factor is no power of two");
  const std::uint64_t two = exponent > 0 ? 2 : inverse(2);
  return power(two, static_cast<std::uint64_t>(std::abs(exponent - 1)));
}

std::vector<std::uint64_t> PrimeField::powers(std::uint64_t start, std::uint64_t factor,
                                              std::uint64_t count) const {
  std::vector<std::uint64_t> all(count);
  for (std::uint64_t& x : all) x = start, start = product(start, factor);
  return all;
}

FieldRoots::FieldRoots(const PrimeField& field, std::uint64_t order)
    : field_(field),
      order_(order),
      bits_(static_cast<unsigned>(std::countr_zero(order)) / 2),
      coarse_(field.powers(field.factor(1), field.root_of_unity(std::uint64_t{1} << bits_, order),
                           order >> bits_)),
      fine_(field.powers(1, field.root_of_unity(1, order), std::uint64_t{1} << bits_)) {}

std::uint64_t FieldRoots::operator()(std::uint64_t phase) const {
  phase %= order_;
  return field_.product(coarse_[phase >> bits_], fine_[phase & (fine_.size() - 1)]);
}

const PrimeField& prime_field(Ring ring) {
  static constexpr PrimeField kGoldilocks{0xffffffff00000001, 7, 32, true},
      kBabyBear{0x78000001, 31, 27, false}, kKoalaBear{0x7f000001, 3, 24, false};
  switch (ring) {
    case Ring::goldilocks:
      return kGoldilocks;
    case Ring::baby_bear:
      return kBabyBear;
    case Ring::koala_bear:
      return kKoalaBear;
    default:
      internal_error("a ring is no prime field");
  }
}

}  // namespace imago::base
