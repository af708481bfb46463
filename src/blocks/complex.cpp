// This file rotates complex values by fractions of a circle.
#include "blocks/complex.hpp"

#include <numeric>

#include "base/roots.hpp"

namespace imago::blocks {
namespace {

/// Returns true if the root of so many turns, below one half, is a power of 2 in the ring of words
/// of 64 bits, and that of one more half turn is a smaller one: 2^192 is 1, and 2^96 is -1.
bool is_negative_power(ir::Type type, unsigned phase, unsigned order) {
  constexpr unsigned kPowers = 64, kBits = 192, kStep = 39;  // 2^39 is the root of order 64
  return type.base == ir::Base::residue && kPowers % order == 0 &&
         phase * (kPowers / order) * kStep % kBits >= kBits / 2;
}

/// Rotates both parts by a root of a prime field.
Cx rotated_words(const Cx& a, unsigned phase, unsigned order) {
  if (a.re.builder().inverse_roots()) phase = (order - phase) % order;
  bool negative = 2 * phase >= order;
  if (negative) phase -= order / 2;
  if (phase != 0 && is_negative_power(a.re.type(), phase, order))
    phase += order / 2, negative = !negative;
  const double turns = phase / static_cast<double>(order);
  const Cx turned = phase == 0 ? a : scaled(a, turns);
  return negative ? negated(turned) : turned;
}

}  // namespace

Cx factor_of(const ir::Value& pair) {
  ir::Builder& b = pair.builder();
  if (!is_word(pair.type())) return {b.extract(pair, 0), b.extract(pair, 1)};
  const ir::Value root = b.extract(pair, b.inverse_roots() ? 1 : 0);
  return {root, root};
}

Cx loaded_factors(ir::MemoryId table, const FactorPlace& place, unsigned lanes) {
  ir::Builder& b = place.index.builder();
  const auto loaded = [&](std::int64_t offset) {
    return b.load(table, offset == 0 ? place.index : place.index + offset, lanes);
  };
  const std::int64_t first = place.offset, second = place.offset + place.apart;
  if (!is_word(b.element(table))) return {loaded(first), loaded(second)};
  const ir::Value root = loaded(b.inverse_roots() ? second : first);
  return {root, root};
}

Cx rotated(const Cx& a, unsigned phase, unsigned order) {
  phase %= order;
  const unsigned common = std::gcd(phase, order);
  const unsigned p = phase / common, n = order / common;
  const double half = 0.70710678118654752440;
  if (n == 1) return a;
  if (is_word(a.re.type())) return rotated_words(a, p, n);
  if (n == 2) return {-a.re, -a.im};
  if (n == 4) return p == 1 ? times_minus_i(a) : Cx{-a.im, a.re};
  if (n == 8) {
    const Cx sum{ir::scaled(a.re + a.im, half),
                 ir::scaled(a.im - a.re, half)};  // a (1 - i) / sqrt 2
    return rotated(sum, p / 2, 4);
  }
  const auto root = base::root_of_unity(p, n);
  const ir::Value imim = ir::scaled(a.im, root.imag()), rere = ir::scaled(a.re, root.real());
  const ir::Value re = rere - imim;
  const ir::Value imre = ir::scaled(a.im, root.real()), reim = ir::scaled(a.re, root.imag());
  // If a is real, these are products, which sums would contract.
  return settled(Cx{re, reim + imre});
}

}  // namespace imago::blocks
