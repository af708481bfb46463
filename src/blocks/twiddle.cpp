// This file holds the Twiddle block.
#include "blocks/twiddle.hpp"

#include <algorithm>
#include <numbers>

#include "base/errors.hpp"
#include "blocks/rearrange.hpp"
#include "kernel/tables.hpp"

namespace imago::blocks {
namespace {

using ir::Op;
using ir::Value;

/// Returns sum_i (-1)^i y^i / (2i + first)! with y = x^2: the Taylor series of cos (first 0) and of
/// sin(x)/x (first 1).
Value alternating_series(Value y, unsigned first, unsigned terms) {
  std::vector<double> coefficients;
  double factorial = 1;
  for (unsigned i = 0; i < terms; ++i) {
    if (i > 0) factorial *= -static_cast<double>((2 * i + first - 1) * (2 * i + first));
    coefficients.push_back(1 / factorial);
  }
  ir::Builder& b = y.builder();
  Value sum = b.real(coefficients.back(), y.type());
  for (unsigned i = terms - 1; i-- > 0;) sum = b.fma(sum, y, b.real(coefficients[i], y.type()));
  return sum;
}

Value lanes_of(const Index& index, unsigned lanes) {
  if (lanes == 1) return index.base;
  ir::Builder& b = index.base.builder();
  if (index.step == 0) return index.base;
  std::vector<int> steps(lanes);
  for (unsigned l = 0; l < lanes; ++l) steps[l] = index.step * static_cast<int>(l);
  return b.convert(b.lane_constants(steps), index.base.type().with_lanes(lanes)) + index.base;
}

/// Returns one table entry: k from the table's row of `entry`, uniform or one for each lane.
Cx table_entry(const TwiddleSite& site, const kernel::TwiddleSection& section, std::size_t entry,
               const Index& k) {
  ir::Builder& b = k.base.builder();
  const auto count = static_cast<std::int64_t>(section.count),
             exponents = static_cast<std::int64_t>(section.exponents.size());
  const auto at = static_cast<std::int64_t>(entry);
  const Value index = section.k_fastest ? k.base + at * count : k.base * exponents + at;
  const auto offset = static_cast<std::int64_t>(site.pass->table_offset);
  if (b.element(site.table).lanes == 2) {
    const Value pair = b.load(site.table, index + offset / 2);
    return factor_of(pair);
  }
  const unsigned lanes = k.step == 0 ? 1 : site.pass->width;
  return loaded_factors(site.table, {index, offset, count * exponents}, lanes);
}

Cx root(Twiddles source, Value phase, std::uint64_t order, ir::Type real) {
  return source == Twiddles::native ? native_root(phase, order, real)
                                    : polynomial_root(phase, order, real);
}

/// Returns a root of a four-step twiddle, the same in all lanes if it is from tables that are not
/// interleaved.
Cx root(const InterTwiddle& twiddle, Value phase) {
  const auto& [order, source, from] = twiddle.twiddle;
  if (source != Twiddles::table) return root(source, phase, order, twiddle.real);
  ir::Builder& b = phase.builder();
  const auto unit = static_cast<std::int64_t>(kernel::four_step_unit(order));
  const std::uint64_t coarse = kernel::entries(kernel::four_step_sections(twiddle.twiddle).front());
  const bool interleaved = b.element(twiddle.table).lanes == 2;
  const auto entry = [&](Value at, std::uint64_t first, std::uint64_t count) {
    const auto from = static_cast<std::int64_t>(first), to = static_cast<std::int64_t>(count);
    if (!interleaved) return loaded_factors(twiddle.table, {at, 2 * from, to}, 1);
    const Value both = b.load(twiddle.table, at + from);
    return factor_of(both);
  };
  // Columns of idle work-items may be beyond the last one, and their phases beyond the table.
  const Value at = phase / unit;
  const Value last = b.convert(b.integer(static_cast<std::int64_t>(coarse) - 1), at.type());
  const Cx fine = entry(phase % unit, coarse, kernel::four_step_unit(order));
  return entry(b.binary(Op::min, at, last), 0, coarse) * fine;
}

/// Returns the exponent of a four-step twiddle's root. An index that counts from 3/4 is in
/// quarters.
Value exponent(const InterTwiddle& twiddle, const Index& point, const Index& phase,
               unsigned lanes) {
  using From = kernel::FourStep::From;
  const auto& [order, source, from] = twiddle.twiddle;
  const auto counted = [&](const Index& index, From own) {
    if (from != own) return index;
    const Value quarters = index.base * 4;
    return Index{quarters + 3, 4 * index.step};
  };
  const Index a = counted(point, From::point), b = counted(phase, From::phase);
  return phase_product(a, b, order, lanes);
}

/// Returns the roots of a four-step twiddle for a point of adjacent columns in lanes: the first
/// column's, and a vector that takes it to the others (kernel::four_step_sections).
Cx roots_in_lanes(const InterTwiddle& twiddle, const Index& point, unsigned lanes) {
  ir::Builder& b = point.base.builder();
  const Cx first = root(twiddle, exponent(twiddle, point, {twiddle.phase.base, 0}, 1));
  if (twiddle.phase.step == 0) return first;
  std::uint64_t before = 0;
  for (const auto& section : kernel::four_step_sections(twiddle.twiddle))
    before += 2 * kernel::entries(section);
  const auto tile = std::int64_t{twiddle.tile};
  const Value at = point.base * tile + static_cast<std::int64_t>(before);
  const auto count = static_cast<std::int64_t>(twiddle.points) * tile;
  const Cx others = loaded_factors(twiddle.table, {at, 0, count}, lanes);
  return Cx{b.splat(first.re, lanes), b.splat(first.im, lanes)} * others;
}

/// Returns the factors of one transform.
Points factors_of_one(const TwiddleSite& site, const Index& k) {
  const kernel::Pass& pass = *site.pass;
  Points factors(pass.radix - 1);
  const unsigned lanes = k.step == 0 ? 1 : pass.width;
  const std::uint64_t order = pass.done * pass.radix;
  ir::Builder& b = k.base.builder();
  if (pass.twiddles == Twiddles::polynomial || pass.twiddles == Twiddles::native) {
    for (unsigned r = 1; r < pass.radix; ++r) {
      const Index leg{b.integer(r), 0};
      factors[r - 1] = root(pass.twiddles, phase_product(k, leg, order, lanes), order, site.real);
    }
    return factors;
  }
  const auto section = kernel::section_of(pass, b.element(site.table).lanes == 2);
  for (std::size_t e = 0; e < section.exponents.size(); ++e) {
    factors[section.exponents[e] - 1] = table_entry(site, section, e, k);
  }
  return factors;
}

}  // namespace

Value phase_product(const Index& a, const Index& b, std::uint64_t order, unsigned lanes) {
  ir::Builder& builder = a.base.builder();
  Value x = lanes_of(a, lanes), y = lanes_of(b, lanes);
  if (4 * order >= (std::uint64_t{1} << 31)) {
    x = builder.convert(x, x.type().is_int() ? ir::Type{ir::Base::i64, x.type().lanes} : x.type());
    y = builder.convert(y, ir::Type{ir::Base::i64, y.type().lanes});
  }
  return builder.splat(x * y, lanes);
}

Cx polynomial_root(Value phase, std::uint64_t order, ir::Type real) {
  ir::Builder& b = phase.builder();
  const ir::Type type = real.with_lanes(phase.type().lanes);
  const auto n = static_cast<double>(order);
  const Value quarter = b.unary(Op::rint, ir::scaled(b.convert(phase, type), 4 / n));  // 0 .. 4
  const Value quarters = b.convert(quarter, phase.type()) * static_cast<std::int64_t>(order);
  const Value rest = phase * 4 - quarters;
  const Value x = ir::scaled(b.convert(rest, type), 2 * std::numbers::pi / (4 * n));  // |x| <= pi/4
  const Value y = x * x;
  const bool wide = real.base == ir::Base::f64;
  const Value c = alternating_series(y, 0, wide ? 9 : 5);
  const Value s = x * alternating_series(y, 1, wide ? 8 : 5);
  // Multiplies by (-i)^quarter without a branch: with u = quarter - 2, its cosine is |u| - 1 and
  // its sine -u (2 - |u|).
  const Value u = quarter - b.real(2, type);
  const Value magnitude = b.binary(Op::max, u, -u);
  const Value turn_cos = magnitude - b.real(1, type);
  const Value turn_sin = u * (magnitude - b.real(2, type));
  const Value sine_part = s * turn_sin, cosine = c * turn_cos - sine_part;
  const Value cosine_part = s * turn_cos, sine = c * turn_sin + cosine_part;
  return {cosine, -sine};
}

Cx native_root(Value phase, std::uint64_t order, ir::Type real) {
  ir::Builder& b = phase.builder();
  const ir::Type type = real.with_lanes(phase.type().lanes);
  const Value angle =
      ir::scaled(b.convert(phase, type), -2 * std::numbers::pi / static_cast<double>(order));
  return {b.unary(Op::native_cos, angle), b.unary(Op::native_sin, angle)};
}

// The order of the code decides how many registers the compiler uses: polynomials should be used
// one by one, products formed all at once (measured on an H200).
void multiply(Points& x, const InterTwiddle& twiddle, const Legs& legs) {
  ir::Builder& b = twiddle.phase.base.builder();
  const unsigned lanes = x.front().re.type().lanes;
  const bool in_lanes = twiddle.twiddle.twiddles == Twiddles::table && lanes > 1;
  const auto at = [&](const Index& point) {
    if (in_lanes) return roots_in_lanes(twiddle, point, lanes);
    return root(twiddle, exponent(twiddle, point, twiddle.phase, lanes));
  };
  const auto stride = static_cast<std::int64_t>(legs.stride);
  const auto leg = [&](std::size_t r) {
    return Index{legs.first.base + stride * static_cast<std::int64_t>(r), legs.first.step};
  };
  const unsigned step = twiddle.twiddle.twiddles == Twiddles::product
                            ? kernel::product_step(static_cast<unsigned>(x.size()))
                            : 1;
  if (step == 1) {
    for (std::size_t r = 0; r < x.size(); ++r) x[r] = x[r] * at(leg(r));
    return;
  }
  Points fine(step), factors(x.size());
  for (std::size_t r = 0; r < x.size(); r += step) factors[r] = at(leg(r));
  for (unsigned r = 1; r < step; ++r) fine[r] = at({b.integer(stride * r), 0});
  for (std::size_t r = 0; r < x.size(); ++r) {
    if (r % step != 0) factors[r] = factors[r - r % step] * fine[r % step];
  }
  for (std::size_t r = 0; r < x.size(); ++r) x[r] = x[r] * factors[r];
}

Points direct_factors(const TwiddleSite& site, const Index& k) {
  Points factors = factors_of_one(site, k);
  if (k.step == 0 || k.abreast == 1) return factors;
  for (Cx& factor : factors) {
    if (factor.re.valid())
      factor = {repeated(factor.re, k.abreast), repeated(factor.im, k.abreast)};
  }
  return factors;
}

void multiply(Points& legs, Points factors) {
  const unsigned step = kernel::product_step(static_cast<unsigned>(legs.size()));
  for (unsigned r = 1; r < legs.size(); ++r) {
    if (!factors[r - 1].re.valid())
      factors[r - 1] = factors[r - r % step - 1] * factors[r % step - 1];
  }
  for (unsigned r = 1; r < legs.size(); ++r) legs[r] = legs[r] * factors[r - 1];
}

}  // namespace imago::blocks
