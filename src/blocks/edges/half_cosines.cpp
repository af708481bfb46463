// This file computes DCT and DST of types II and III with half as many points.
#include "blocks/edges/half_cosines.hpp"

#include <numbers>

#include "blocks/edges/folded_spectrum.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

bool is_two(const CosineLine& line) { return line.cosines.is(Kind::dct2, Kind::dst2); }
bool is_three(const CosineLine& line) { return line.cosines.is(Kind::dct3, Kind::dst3); }

ir::Condition is(Value p, std::int64_t number) {
  ir::Builder& b = p.builder();
  return ir::equal(p, b.integer(number));
}

/// Returns a condition: p is number 0.
ir::Condition is_first(Value p) {
  ir::Builder& b = p.builder();
  return b.split(p).second > 0 ? ir::Condition::never() : is(p, 0);
}

std::int64_t points_of(const CosineLine& line) { return static_cast<std::int64_t>(line.points); }

Value partner_of(const CosineLine& line, Value p) {
  const Value mirrored = line.b.integer(points_of(line)) - p;
  return line.b.select(is_first(p), p, mirrored);
}

/// Returns number q of Makhoul's order: every second of `count` numbers, then the others in
/// reverse.
Value ordered(Value q, std::int64_t count) {
  ir::Builder& b = q.builder();
  const Value forwards = q * 2, backwards = b.integer(2 * count - 1) - forwards;
  return b.binary(ir::Op::min, forwards, backwards);
}

/// Returns point p before the DFT (III).
Cx joined_at_load(const CosineLine& line, Value p, const Cx& pair, const Cx& partner,
                  const Factors& factors) {
  const ir::Condition first = is_first(p);
  const Value zero = line.b.real(0, pair.im.type());
  const Value x =
      line.cosines.orthonormal
          ? line.b.select(first, settled(ir::scaled(pair.re, std::numbers::sqrt2)), pair.re)
          : pair.re;
  const Cx e{x, line.b.select(first, zero, pair.im)};
  const Cx turned =
      settled(scaled({partner.re + partner.im, partner.re - partner.im}, std::numbers::sqrt2 / 2));
  const Cx f = unless(first, turned, {settled(ir::scaled(pair.im, std::numbers::sqrt2)), zero});
  const Cx difference = times_minus_i(e - f) * factors.unfolding, sum = e + f;
  return (sum + difference) * factors.own;
}

}  // namespace

bool is_halved(const CosineLine& line) { return line.cosines.halves_pairs(line.points); }

Cx signed_as(const Reals& reals, const Cx& x) {
  const auto part = [](const ir::Condition& negated, Value value) {
    return negated.is_never() ? value : value.builder().select(negated, -value, value);
  };
  return {part(reals.first_negated, x.re), part(reals.second_negated, x.im)};
}

Reals parts_of_point(const CosineLine& line, Value p) {
  const std::int64_t n = 2 * points_of(line);
  const Value even = p * 2, odd = p * 2 + 1;
  Reals reals{ordered(even, n), ordered(odd, n)};
  if (!line.cosines.sine()) return reals;
  const auto back = [&](Value q) { return line.b.integer(n / 2 - 1) < q; };
  reals.first_negated = back(even), reals.second_negated = back(odd);
  return reals;
}

Reals partners_at(const CosineLine& line, Value p) {
  const std::int64_t n = 2 * points_of(line);
  const Value mirrored = line.b.integer(n) - p;
  const Value middle = line.b.integer(n / 2);
  const Value far = line.b.select(is_first(p), middle, mirrored);
  if (!line.cosines.sine()) return {p, far};
  return {line.b.integer(n - 1) - p, line.b.integer(n - 1) - far};
}

Cx as_neighbours(const CosineLine& line, Value number, const Cx& x) {
  const bool sine = line.cosines.sine();
  const ir::Condition odd = is(number % 2, 1);
  if (is_two(line)) {
    const Cx own{x.re, sine ? -x.im : x.im};
    return unless(odd, own, swapped(own));
  }
  const Cx pair = unless(odd, x, swapped(x));
  return {pair.re, sine ? -pair.im : pair.im};
}

Cx partners_of(const CosineLine& line, Value p, const Cx& z, const Cx& partner,
               const Factors& factors) {
  const ir::Condition first = is_first(p);
  const Cx y = unfolded_twice(z, partner, factors.unfolding) * factors.own;
  const Value middle = ir::scaled(z.re - z.im, std::numbers::sqrt2);
  const Cx pair{y.re, line.b.select(first, middle, -y.im)};
  if (!line.cosines.orthonormal) return pair;
  return {line.b.select(first, ir::scaled(pair.re, std::numbers::sqrt2 / 2), pair.re), pair.im};
}

Cx halved_point_of(const CosineLine& line, Value p, const Factors& factors, const ByNumber& pair) {
  if (is_three(line)) {
    const Cx own = pair(p), partner = pair(partner_of(line, p));
    return joined_at_load(line, p, own, partner, factors);
  }
  // These are half of the numbers in parts_of_point().
  const std::int64_t m = points_of(line);
  const Value even = p * 2, before = line.b.integer(2 * m - 2) - even;
  const Value other = line.b.binary(ir::Op::min, even + 1, before);
  const Cx one = pair(ordered(p, m)), two = pair(other);
  return {one.re, two.im};
}

Cx halved_pair_of(const CosineLine& line, Value number, const Factors& factors,
                  const ByNumber& point) {
  if (is_two(line)) {
    const Cx own = point(number), partner = point(partner_of(line, number));
    return partners_of(line, number, own, partner, factors);
  }
  const Value half = number / 2, mirrored = line.b.integer(points_of(line) - 1) - half;
  const ir::Condition even = is(number % 2, 0);
  const Cx one = point(line.b.select(even, half, mirrored)),
           two = point(line.b.select(even, mirrored, half));
  return {one.re, -two.im};
}

}  // namespace imago::blocks
