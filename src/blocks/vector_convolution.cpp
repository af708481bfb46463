// This file holds the vector mapping's way into a convolution and out of it.
#include "blocks/vector_convolution.hpp"

#include <algorithm>

#include "base/integers.hpp"
#include "blocks/rearrange.hpp"

namespace imago::blocks {
void ConvolutionCopy::in(unsigned current, std::uint64_t leg) const {
  if (!step_.in.plain() || step_.in.planar)
    elements_in(current, 0, full());
  else if (columns_ > 1 && tile_.in.adjacent)
    columns_in(current);
  else if (by_rows(step_.in.stride))
    rows_in(current);
  else if (by_vectors(step_.in.stride))
    vectors_in(current);
  else
    elements_in(current, 0, full());
  elements_in(current, full(), some());
  zeros_in(current, some(), base::ceil_divide(some(), leg) * leg);
  if (c_.rader) lone_in();
}

void ConvolutionCopy::out(unsigned current) const {
  if (!step_.out.plain() || step_.out.planar)
    elements_out(current, 0, full());
  else if (columns_ > 1 && tile_.out.adjacent)
    columns_out(current);
  else if (by_rows(step_.out.stride))
    rows_out(current);
  else if (by_vectors(step_.out.stride))
    vectors_out(current);
  else
    elements_out(current, 0, full());
  elements_out(current, full(), some());
  if (c_.rader) lone_out();
}

Cx ConvolutionCopy::lone(const Index& k, const Cx& sum) const {
  const Value first = b_.integer(0);
  const Value here = b_.binary(ir::Op::equal, k.base, first);
  const Value zero = b_.real(0, f_.real.with_lanes(columns_));
  const Cx x{b_.load(scratch_.lone_re, first, columns_),
             b_.load(scratch_.lone_im, first, columns_)};
  b_.when(here, [&] {
    const Cx own = columns_ > 1 ? sum : Cx{b_.extract(sum.re, 0), b_.extract(sum.im, 0)};
    b_.store(scratch_.lone_re, first, x.re + own.re);
    b_.store(scratch_.lone_im, first, x.im + own.im);
  });
  const Cx there{b_.select(here, x.re, zero), b_.select(here, x.im, zero)};
  const ir::Type type = sum.re.type();
  if (columns_ > 1 || type.lanes == 1) return there;
  std::vector<int> first_lane(type.lanes, 0);
  first_lane[0] = 1;
  const Value mask = b_.convert(b_.lane_constants(first_lane), type);
  return {b_.splat(there.re, type.lanes) * mask, b_.splat(there.im, type.lanes) * mask};
}

// --- which elements, and how
// ----------------------------------------------------------------------

std::uint64_t ConvolutionCopy::full() const { return c_.elements() / c_.stride; }

std::uint64_t ConvolutionCopy::some() const { return base::ceil_divide(c_.elements(), c_.stride); }

unsigned ConvolutionCopy::vector_width() const {
  unsigned width = 1;
  for (const plan::Pass& pass : step_.passes) width = std::max(width, pass.width);
  return width;
}

/// Columns whose points lie side by side are transposed, half a vector's points at a time.
bool ConvolutionCopy::by_rows(std::uint64_t stride) const {
  return columns_ > 1 && stride == 1 && full() >= columns_ / 2;
}

bool ConvolutionCopy::by_vectors(std::uint64_t stride) const {
  const unsigned width = vector_width();
  return columns_ == 1 && stride == 1 && c_.stride == 1 && !c_.rader && width > 1 &&
         full() >= width;
}

void ConvolutionCopy::over_blocks(unsigned points, const std::function<void(Value)>& body) const {
  const std::int64_t last = to_signed(full()) - points;
  b_.loop(to_signed(base::ceil_divide(full(), points)), [&](Value i) {
    body(b_.binary(ir::Op::min, i * std::int64_t{points}, b_.integer(last)));
  });
}

// --- neighbouring columns are neighbouring elements
// -----------------------------------------------

void ConvolutionCopy::columns_in(unsigned current) const {
  const Value first = b_.integer(0);
  b_.loop(to_signed(full()), [&](Value point) {
    const Value at = at_in(point, first);
    const Vectors parts =
        to_components({b_.load(f_.in.memory, at, columns_),
                       b_.load(f_.in.memory, at + std::int64_t{columns_}, columns_)});
    const Cx x = hooked_in({parts[0], parts[1]}, number(point, first), columns_);
    keep(current, place(point, true), first, x);
  });
}

void ConvolutionCopy::columns_out(unsigned current) const {
  const Value first = b_.integer(0);
  b_.loop(to_signed(full()), [&](Value point) {
    const Cx x = hooked_out(fetch(current, place(point, false), first, columns_),
                            number(point, first), columns_);
    const Vectors parts = from_components({x.re, x.im});
    const Value at = at_out(point, first);
    b_.store(f_.out.memory, at, parts[0]);
    b_.store(f_.out.memory, at + std::int64_t{columns_}, parts[1]);
  });
}

// --- rows
// -----------------------------------------------------------------------------------------

void ConvolutionCopy::rows_in(unsigned current) const {
  const Value first = b_.integer(0);
  over_blocks(columns_ / 2, [&](Value point) {
    Vectors rows(columns_);
    for (unsigned c = 0; c < columns_; ++c)
      rows[c] = b_.load(f_.in.memory, at_in(point, b_.integer(c)), columns_);
    rows = to_components(rows);
    for (unsigned p = 0; p < columns_ / 2; ++p) {
      const Value own = point + std::int64_t{p};
      const Cx x = hooked_in({rows[2 * p], rows[2 * p + 1]}, number(own, first), columns_);
      keep(current, place(own, true), first, x);
    }
  });
}

void ConvolutionCopy::rows_out(unsigned current) const {
  const Value first = b_.integer(0);
  over_blocks(columns_ / 2, [&](Value point) {
    Vectors rows(columns_);
    for (unsigned p = 0; p < columns_ / 2; ++p) {
      const Value own = point + std::int64_t{p};
      const Cx x = hooked_out(fetch(current, place(own, false), first, columns_),
                              number(own, first), columns_);
      rows[2 * p] = x.re, rows[2 * p + 1] = x.im;
    }
    rows = from_components(rows);
    for (unsigned c = 0; c < columns_; ++c)
      b_.store(f_.out.memory, at_out(point, b_.integer(c)), rows[c]);
  });
}

// --- the points of one transform, side by side
// ----------------------------------------------------

void ConvolutionCopy::vectors_in(unsigned current) const {
  const unsigned width = vector_width();
  over_blocks(width, [&](Value point) {
    const Value at = at_in(point, b_.integer(0));
    const Vectors parts = to_components(
        {b_.load(f_.in.memory, at, width), b_.load(f_.in.memory, at + std::int64_t{width}, width)});
    keep(current, point, b_.integer(0), hooked_in({parts[0], parts[1]}, {point, 1}, width));
  });
}

void ConvolutionCopy::vectors_out(unsigned current) const {
  const unsigned width = vector_width();
  over_blocks(width, [&](Value point) {
    const Cx x = hooked_out(fetch(current, point, b_.integer(0), width), {point, 1}, width);
    const Vectors parts = from_components({x.re, x.im});
    const Value at = at_out(point, b_.integer(0));
    b_.store(f_.out.memory, at, parts[0]);
    b_.store(f_.out.memory, at + std::int64_t{width}, parts[1]);
  });
}

// --- one by one
// -----------------------------------------------------------------------------------

void ConvolutionCopy::elements_in(unsigned current, std::uint64_t from, std::uint64_t to) const {
  b_.loop(to_signed(to - from), [&](Value i) {
    b_.loop(columns_, [&](Value column) {
      const Value point = i + to_signed(from);
      const Index own = number(point, column);
      const Value there = from < full() ? Value{} : exists(f_, own.base);
      const Cx raw = load_element(element(point), column, there);
      keep(current, place(point, true), column, hooked_in(raw, own, 1, there));
    });
  });
}

void ConvolutionCopy::elements_out(unsigned current, std::uint64_t from, std::uint64_t to) const {
  b_.loop(to_signed(to - from), [&](Value i) {
    b_.loop(columns_, [&](Value column) {
      const Value point = i + to_signed(from);
      const Index own = number(point, column);
      b_.when(from < full() ? Value{} : exists(f_, own.base), [&] {
        const Cx x = hooked_out(fetch(current, place(point, false), column, 1), own, 1);
        store_element(element(point), column, x);
      });
    });
  });
}

void ConvolutionCopy::zeros_in(unsigned current, std::uint64_t from, std::uint64_t to) const {
  const Value zero = b_.real(0, f_.real.with_lanes(columns_));
  b_.loop(to_signed(to - from), [&](Value i) {
    keep(current, i + to_signed(from), b_.integer(0), {zero, zero});
  });
}

void ConvolutionCopy::lone_in() const {
  const Value first = b_.integer(0);
  b_.loop(columns_, [&](Value column) {
    const Cx x = hooked_in(load_element(first, column, {}), {first, 0}, 1);
    b_.store(scratch_.lone_re, column, x.re);
    b_.store(scratch_.lone_im, column, x.im);
  });
}

void ConvolutionCopy::lone_out() const {
  b_.loop(columns_, [&](Value column) {
    const Cx x =
        store_hook(f_, {b_.load(scratch_.lone_re, column), b_.load(scratch_.lone_im, column)});
    store_element(b_.integer(0), column, x);
  });
}

// --- elements
// -------------------------------------------------------------------------------------

ir::Value ConvolutionCopy::element(Value point) const { return c_.rader ? point + 1 : point; }

ir::Value ConvolutionCopy::index_in(Value element, Value column) const {
  return input_.index(tile_.in.base + tile_.in.stride * column, element);
}

ir::Value ConvolutionCopy::index_out(Value element, Value column) const {
  return output_.index(tile_.out.base + tile_.out.stride * column, element);
}

ir::Value ConvolutionCopy::at_in(Value point, Value column) const {
  return index_in(element(point), column) * 2;
}

ir::Value ConvolutionCopy::at_out(Value point, Value column) const {
  return index_out(element(point), column) * 2;
}

/// An element of the line that is transformed, in scalars.
Cx ConvolutionCopy::load_element(Value element, Value column, Value condition) const {
  return input_.point({index_in(element, column), number(element, column).base}, {}, condition);
}

void ConvolutionCopy::store_element(Value element, Value column, const Cx& x) const {
  output_.point({index_out(element, column), number(element, column).base}, x);
}

Index ConvolutionCopy::number(Value point, Value column) const {
  const int step = columns_ > 1 ? tile_.number_step : 0;
  Index own{tile_.number, step};
  if (own.base.valid()) own.base = own.base + column * std::int64_t{step};
  return number_of(f_, {point, 0}, own);
}

Cx ConvolutionCopy::hooked_in(const Cx& raw, const Index& number, unsigned lanes,
                              Value condition) const {
  const Cx x = load_hook(f_, {raw}, {number, 1}, {})[0];
  return c_.rader ? x : x * chirp(f_, number, lanes, condition);
}

Cx ConvolutionCopy::hooked_out(const Cx& value, const Index& number, unsigned lanes) const {
  return store_hook(f_, returned(value, c_.rader ? Cx{} : chirp(f_, number, lanes)));
}

ir::Value ConvolutionCopy::place(Value point, bool in) const {
  if (!c_.rader) return point;
  return in ? place_in(f_, point) : place_out(f_, point);
}

Cx ConvolutionCopy::fetch(unsigned current, Value place, Value lane, unsigned lanes) const {
  const Value at = place * std::int64_t{columns_} + lane;
  return {b_.load(scratch_.re[current], at, lanes), b_.load(scratch_.im[current], at, lanes)};
}

void ConvolutionCopy::keep(unsigned current, Value place, Value lane, const Cx& x) const {
  const Value at = place * std::int64_t{columns_} + lane;
  b_.store(scratch_.re[current], at, x.re);
  b_.store(scratch_.im[current], at, x.im);
}

}  // namespace imago::blocks
