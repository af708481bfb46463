// This file holds the pointwise product of a convolution, and the access to its tables.
#include "blocks/convolution.hpp"

#include "base/integers.hpp"
#include "blocks/hooks.hpp"
#include "blocks/side_hooks.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

std::uint64_t to_unsigned(int n) { return static_cast<std::uint64_t>(n); }

/// Returns the results of butterfly k multiplied by the spectrum.
Points product(const Frame& frame, const Geometry& g, const ConvolvedColumn& column, const Index& k,
               const Points& points) {
  const kernel::FusedConvolution& c = frame.step.convolution;
  const unsigned width = points[0].re.type().lanes;
  const Index first = number_of(frame, k, column.number);
  const TableSection spectrum{c.spectrum, convolution_length(frame.step)};
  Points x = points;
  // A value that is added to element 0 of the product is added to every result.
  const Cx lone = c.lone_element ? column.lone_element(k, points[0]) : Cx{};
  for (std::size_t s = 0; s < x.size(); ++s) {
    const Index at{first.base + base::to_signed(g.done * c.stride * s), first.step};
    x[s] = x[s] * entry(frame, spectrum, at, width);
    if (c.lone_element && s == 0) x[s] = x[s] + lone;
    x[s] = swapped(x[s]);
  }
  return x;
}

/// Returns the results of butterfly k after a filter's hooks.
Points filtered_points(const Frame& frame, const Geometry& g, const ConvolvedColumn& column,
                       const Index& k, const Points& points) {
  const kernel::FusedConvolution& c = frame.step.convolution;
  const auto axis = static_cast<std::size_t>(c.hooked->line_axis);
  const bool whole = c.stride == c.hooked->stride(axis);  // points are the line's points
  const unsigned width = points[0].re.type().lanes;
  const std::uint64_t apart =
      k.step != 0 ? to_unsigned(k.step) * c.stride : to_unsigned(column.number.step);
  const Spread spread{width, width == 1 ? 1 : apart, k.step != 0};
  const auto numbers_at = [&](Value point) -> Numbers {
    Value number = frame.b.convert(point, {ir::Base::i64, 1}) * base::to_signed(c.stride);
    if (column.number.base.valid()) number = number + column.number.base;
    return {number, spread, whole ? point : Value{}};
  };
  Points x = points;
  const auto legs = static_cast<unsigned>(x.size());
  if (filter_needs_loop(frame, numbers_at(k.base), legs)) {
    ir::Builder& b = frame.b;
    const LaneCells cells(b, "legs", {x[0]}, legs * width);
    for (unsigned s = 0; s < legs; ++s) cells.keep(b.integer(std::int64_t{s} * width), {x[s]});
    b.loop(legs, [&](Value s) {
      const Value cell = s * std::int64_t{width};
      const Numbers at = numbers_at(k.base + s * base::to_signed(g.done));
      cells.keep(cell, {filtered(frame, at, cells.load(cell, width).x, column.exists)});
    });
    for (unsigned s = 0; s < legs; ++s)
      x[s] = swapped(cells.load(b.integer(std::int64_t{s} * width), width).x);
    return x;
  }
  for (unsigned s = 0; s < legs; ++s) {
    const Numbers at = numbers_at(k.base + base::to_signed(g.done * s));
    x[s] = swapped(filtered(frame, at, x[s], column.exists));
  }
  return x;
}

}  // namespace

std::uint64_t convolution_length(const kernel::Step& step) {
  return step.length * step.convolution.stride;
}

Index number_of(const Frame& frame, const Index& point, const Index& column) {
  const auto stride = base::to_signed(frame.step.convolution.stride);
  const Value base = point.base * stride;
  return {column.base.valid() ? base + column.base : base,
          point.step * static_cast<int>(stride) + column.step};
}

Cx entry(const Frame& frame, const TableSection& section, const Index& at, unsigned lanes,
         const ir::Condition& condition) {
  ir::Builder& b = frame.b;
  const auto offset = base::to_signed(section.offset);
  if (b.element(frame.table).lanes == 2) {
    const Value pair = b.load_if(condition, frame.table, at.base + offset / 2);
    return {b.extract(pair, 0), b.extract(pair, 1)};
  }
  const Value re = at.base + offset, im = re + base::to_signed(section.entries);
  if (!condition.is_always())
    return {b.load_if(condition, frame.table, re), b.load_if(condition, frame.table, im)};
  const unsigned width = at.step == 0 ? 1 : lanes;
  return {b.load(frame.table, re, width), b.load(frame.table, im, width)};
}

Body with_product(const Frame& frame, const Geometry& g, const Body& body,
                  const ConvolvedColumn& column) {
  return [&frame, g, body, column](const Index& k) -> Butterfly {
    return [&frame, g, column, k, butterfly = body(k)](const Points& legs) {
      const Points x = butterfly(legs);
      return frame.step.convolution.hooked ? filtered_points(frame, g, column, k, x)
                                           : product(frame, g, column, k, x);
    };
  };
}

}  // namespace imago::blocks
