// This file holds the Convolution block.
#include "blocks/convolution.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

std::int64_t to_signed(std::uint64_t n) { return static_cast<std::int64_t>(n); }

/// A section of the table: its offset in real numbers, and its complex numbers.
struct Section {
  std::size_t offset;
  std::uint64_t entries;
};

std::uint64_t length_of(const plan::Step& step) { return step.length * step.convolution.stride; }

Cx entry(const Frame& frame, const Section& section, const Index& at, unsigned lanes,
         Value condition = {}) {
  ir::Builder& b = frame.b;
  const auto offset = to_signed(section.offset);
  if (b.element(frame.table).lanes == 2) {
    const Value pair = b.load_if(condition, frame.table, at.base + offset / 2);
    return {b.extract(pair, 0), b.extract(pair, 1)};
  }
  const Value re = at.base + offset, im = re + to_signed(section.entries);
  if (condition.valid())
    return {b.load_if(condition, frame.table, re), b.load_if(condition, frame.table, im)};
  const unsigned width = at.step == 0 ? 1 : lanes;
  return {b.load(frame.table, re, width), b.load(frame.table, im, width)};
}

/// The entry of Rader's order; the bound is known to the reader of the code.
Cx place(const Frame& frame, Value e) {
  return entry(frame, {frame.step.convolution.order, length_of(frame.step)}, {e, 0}, 1);
}

Value whole(const Frame& frame, Value real) {
  ir::Builder& b = frame.b;
  const Value number = b.convert(real, {ir::Base::i32, 1});
  return b.binary(ir::Op::min, number, b.integer(to_signed(length_of(frame.step)) - 1));
}

/// The results of butterfly k times the spectrum.
Points product(const Frame& frame, const Geometry& g, const ConvolvedColumn& column, const Index& k,
               const Points& points) {
  const plan::Convolution& c = frame.step.convolution;
  const unsigned width = points[0].re.type().lanes;
  const Index first = number_of(frame, k, column.number);
  Points x = points;
  // What is added to the product's element 0 is added to every result.
  const Cx lone = c.rader ? column.lone_element(k, points[0]) : Cx{};
  for (std::size_t s = 0; s < x.size(); ++s) {
    const Index at{first.base + to_signed(g.done * c.stride * s), first.step};
    x[s] = x[s] * entry(frame, {c.spectrum, length_of(frame.step)}, at, width);
    if (c.rader && s == 0) x[s] = x[s] + lone;
    x[s] = swapped(x[s]);
  }
  return x;
}

}  // namespace

Index number_of(const Frame& frame, const Index& point, const Index& column) {
  const auto stride = to_signed(frame.step.convolution.stride);
  const Value base = point.base * stride;
  return {column.base.valid() ? base + column.base : base,
          point.step * static_cast<int>(stride) + column.step};
}

Value exists(const Frame& frame, Value number) {
  return number < to_signed(frame.step.convolution.elements());
}

bool nothing_from(const plan::Step& step, std::uint64_t first) {
  return first * step.convolution.stride >= step.convolution.elements();
}

Cx chirp(const Frame& frame, const Index& number, unsigned lanes, Value condition) {
  const plan::Convolution& c = frame.step.convolution;
  return entry(frame, {c.chirp, c.points}, number, lanes, condition);
}

Value place_in(const Frame& frame, Value e) { return whole(frame, place(frame, e).re); }
Value place_out(const Frame& frame, Value e) { return whole(frame, place(frame, e).im); }

Body with_product(const Frame& frame, const Geometry& g, const Body& body,
                  const ConvolvedColumn& column) {
  return [&frame, g, body, column](const Index& k) -> Butterfly {
    return [&frame, g, column, k, butterfly = body(k)](const Points& legs) {
      return product(frame, g, column, k, butterfly(legs));
    };
  };
}

Cx returned(const Cx& value, const Cx& factor) {
  const Cx x = swapped(value);
  return factor.re.valid() ? x * factor : x;
}

}  // namespace imago::blocks
