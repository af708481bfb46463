// This file holds the vector mapping's way between global memory and a tile.
#include "blocks/vector_copy.hpp"

#include <algorithm>

#include "base/integers.hpp"
#include "blocks/edges/edge.hpp"
#include "blocks/edges/folded_spectrum.hpp"
#include "blocks/edges/roots.hpp"
#include "blocks/rearrange.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Lanes are points of one line of which only some exist: each goes its own way.
bool mirrors_in_lanes(const plan::Edge& edge, std::uint64_t point_step) {
  return std::holds_alternative<plan::HalfSpectrum>(edge) && point_step != 0;
}

/// The number of a point in its line.
Value line_point(Value first, Value point, std::uint64_t step) {
  const Value p = point * to_signed(step);
  return first.valid() ? first + p : p;
}

/// The number, in its line, of the first point of one of the tile's columns.
Value first_in_lane(Value first, Value lane, std::uint64_t step) {
  if (step == 0) return first;
  const Value own = lane * to_signed(step);
  return first.valid() ? first + own : own;
}

Cx reversed(const Cx& x) {
  std::vector<int> lanes(x.re.type().lanes);
  for (std::size_t l = 0; l < lanes.size(); ++l) lanes[l] = static_cast<int>(lanes.size() - 1 - l);
  if (lanes.size() == 1) return x;
  ir::Builder& b = x.re.builder();
  return {b.shuffle(x.re, x.re, lanes), b.shuffle(x.im, x.im, lanes)};
}

}  // namespace

// --- which way
// ------------------------------------------------------------------------------------

bool TileCopy::rows_in() const {
  return columns_ > 1 &&
         (!tile_.in.adjacent || mirrors_in_lanes(step_.in.edge, tile_.in.point_step));
}

bool TileCopy::rows_out() const {
  return columns_ > 1 &&
         (!tile_.out.adjacent || mirrors_in_lanes(step_.out.edge, tile_.out.point_step));
}

bool TileCopy::line_in() const {
  return columns_ == 1 && step_.line == step_.length && plan::is_any(step_.in.edge);
}

bool TileCopy::line_out() const {
  return step_.at_store().joins ||
         (columns_ == 1 && step_.line == step_.length && plan::is_any(step_.out.edge));
}

void TileCopy::in(unsigned current) const {
  if (line_in()) return line_in(current);
  rows_in(current);
}

void TileCopy::out(unsigned current) const {
  if (line_out()) return line_out(current);
  rows_out(current);
}

// --- points as they lie
// ---------------------------------------------------------------------------

/// From lane to lane, in elements: columns that are no neighbours never come here in lanes.
Spread TileCopy::spread_in(unsigned width) const {
  return {width, columns_ > 1 && tile_.in.adjacent ? 1 : step_.in.stride};
}

std::uint64_t TileCopy::apart_out() const {
  return columns_ > 1 && tile_.out.adjacent ? 1 : step_.out.stride;
}

Cx TileCopy::load(Value point, unsigned width) const {
  return input_.point(
      {input_.index(tile_.in.base, point), line_point(tile_.in.point, point, step_.in.point)},
      spread_in(width));
}

void TileCopy::store(Value point, const Cx& x) const {
  output_.point(
      {output_.index(tile_.out.base, point), line_point(tile_.out.point, point, step_.out.point)},
      store_hook(f_, x), apart_out());
}

Points TileCopy::hooked(const Points& x, const Legs& legs) const {
  return load_hook(f_, x, legs, {tile_.phase, columns_ > 1 ? tile_.phase_step : 0});
}

// --- scratch
// --------------------------------------------------------------------------------------

Cx TileCopy::fetch(unsigned current, Value point, unsigned width) const {
  const Value at = point * std::int64_t{columns_};
  return {b_.load(scratch_.re[current], at, width), b_.load(scratch_.im[current], at, width)};
}

/// The point of one of the columns that lie side by side in scratch.
Cx TileCopy::fetch_of(unsigned current, Value point, Value lane) const {
  const Value at = point * std::int64_t{columns_} + lane;
  return {b_.load(scratch_.re[current], at), b_.load(scratch_.im[current], at)};
}

void TileCopy::keep(unsigned current, Value point, const Cx& x) const {
  const Value at = point * std::int64_t{columns_};
  b_.store(scratch_.re[current], at, x.re);
  b_.store(scratch_.im[current], at, x.im);
}

// --- half spectra: a point and its mirror image
// ---------------------------------------------------

/// Lanes along `count` points: the widest vectors of the step that fit, the last moved back.
void TileCopy::over_points(std::uint64_t count,
                           const std::function<void(Value, unsigned)>& body) const {
  unsigned width = step_.passes.front().width;
  for (const plan::Pass& pass : step_.passes) width = std::max(width, pass.width);
  while (width > count) width /= 2;
  b_.loop(to_signed(base::ceil_divide(count, width)),
          [&](Value i) { body(along(b_, i, width, count), width); });
}

Cx TileCopy::spectrum_at(Value p, unsigned width) const {
  return input_.element(input_.index(tile_.in.base, p), spread_in(width));
}

void TileCopy::keep_point(unsigned current, Value p, const Cx& x) const {
  keep(current, p, hooked({x}, {{p, 0}, 1})[0]);
}

void TileCopy::line_in(unsigned current) const {
  if (step_.at_load().numbered)
    points_in(current);
  else if (std::holds_alternative<plan::FoldedSpectrum>(step_.in.edge))
    folded_in(current);
  else
    half_in(current);
}

void TileCopy::folded_in(unsigned current) const {
  const Value zero = b_.integer(0), none = b_.real(0, f_.real);
  const auto n = to_signed(step_.line);
  over_points(step_.line, [&](Value p, unsigned width) {
    const Value image = b_.integer(n - width + 1) - p;
    const Cx root = root_in(f_, {p, 1}, width);
    keep_point(current, p,
               folded(spectrum_at(p, width), reversed(spectrum_at(image, width)), root));
  });
  const Cx first = spectrum_at(zero, 1), last = spectrum_at(b_.integer(n), 1);
  keep_point(current, zero, folded({first.re, none}, {last.re, none}, {b_.real(1, f_.real), none}));
}

void TileCopy::half_in(unsigned current) const {
  const Value zero = b_.integer(0), none = b_.real(0, f_.real);
  const auto n = to_signed(step_.line);
  over_points(step_.line / 2 + 1, [&](Value p, unsigned width) {
    const Cx x = spectrum_at(p, width);
    keep_point(current, p, x);
    // Of point 0 there is no image: it goes beyond the last point.
    keep_point(current, b_.integer(n - width + 1) - p, reversed({x.re, -x.im}));
  });
  keep_point(current, zero, {spectrum_at(zero, 1).re, none});
  if (n % 2 != 0) return;
  const Value half = b_.integer(n / 2);
  keep_point(current, half, {spectrum_at(half, 1).re, none});
}

void TileCopy::points_in(unsigned current) const {
  b_.loop(to_signed(step_.line), [&](Value p) { keep_point(current, p, load(p, 1)); });
}

/// Points in scratch become the half spectrum that they stand for, or sums of cosines.
void TileCopy::line_out(unsigned current) const {
  if (step_.at_store().joins) return images_out(current);
  if (step_.at_store().numbered)
    return b_.loop(to_signed(step_.line), [&](Value p) { store(p, fetch(current, p, 1)); });
  over_points(step_.line / 2 + 1,
              [&](Value p, unsigned width) { store(p, fetch(current, p, width)); });
}

void TileCopy::images_out(unsigned current) const {
  const auto n = to_signed(step_.line);
  const std::uint64_t count = step_.line + (step_.at_store().one_more ? 1 : 0);
  keep(current, b_.integer(n), fetch(current, b_.integer(0), columns_));
  if (columns_ > 1 && !tile_.out.adjacent) {
    return over_elements(count, [&](Value p, Value lane) {
      const Cx image = fetch_of(current, b_.integer(n) - p, lane);
      const Cx x = joined(f_, fetch_of(current, p, lane), image, root_out(f_, {p, 0}, 1));
      const Value base = tile_.out.base + tile_.out.stride * lane;
      output_.point({output_.index(base, p), p}, store_hook(f_, x));
    });
  }
  if (columns_ > 1) {  // lanes are columns
    return b_.loop(to_signed(count), [&](Value p) {
      const Cx image = fetch(current, b_.integer(n) - p, columns_);
      store(p, joined(f_, fetch(current, p, columns_), image, root_out(f_, {p, 0}, columns_)));
    });
  }
  if (step_.at_store().numbered) {
    return b_.loop(to_signed(count), [&](Value p) {
      const Cx image = fetch(current, b_.integer(n) - p, 1);
      store(p, joined(f_, fetch(current, p, 1), image, root_out(f_, {p, 0}, 1)));
    });
  }
  over_points(count, [&](Value p, unsigned width) {
    const Cx image = reversed(fetch(current, b_.integer(n - width + 1) - p, width));
    store(p, joined(f_, fetch(current, p, width), image, root_out(f_, {p, 1}, width)));
  });
}

// --- rows: columns whose points lie side by side
// --------------------------------------------------

bool TileCopy::whole_rows(const Geometry& g) const {
  const bool chunks = 2 * g.radix % columns_ == 0;  // whole vectors per row: any distance will do
  return step_.plain() && !step_.in.planar && !step_.out.planar && g.done == 1 && g.left == 1 &&
         step_.in.stride == 1 && step_.out.stride == 1 &&
         (base::is_power_of_two(g.radix) || g.radix < columns_ / 2) &&
         (chunks || (step_.in.packed && step_.out.packed));
}

Points TileCopy::rows() const {
  const auto n = static_cast<unsigned>(step_.length);
  Vectors block(std::size_t{2} * n);
  for (unsigned v = 0; v < 2 * n; ++v)
    block[v] = b_.load(f_.in.memory, row_chunk(tile_.in.base, tile_.in.stride, v), columns_);
  block = to_components(block);
  Points x(n);
  for (unsigned r = 0; r < n; ++r) x[r] = {block[2 * r], block[2 * r + 1]};
  return hooked(x, {{b_.integer(0), 0}, 1});
}

void TileCopy::rows(const Points& points) const {
  Vectors block;
  for (const Cx& point : points) {
    const Cx x = store_hook(f_, point);
    block.push_back(x.re);
    block.push_back(x.im);
  }
  block = from_components(block);
  for (unsigned v = 0; v < block.size(); ++v)
    b_.store(f_.out.memory, row_chunk(tile_.out.base, tile_.out.stride, v), block[v]);
}

/// Index of vector v of a block of rows of 2n real numbers.
Value TileCopy::row_chunk(Value base, Value stride, unsigned v) const {
  const auto row_values = static_cast<unsigned>(2 * step_.length);
  const unsigned flat = v * columns_;
  if (row_values % columns_ != 0) return base * 2 + std::int64_t{flat};
  return (base + stride * std::int64_t{flat / row_values}) * 2 + std::int64_t{flat % row_values};
}

/// Half a vector's points at a time.
void TileCopy::rows_in(unsigned current) const {
  const bool interleaved = step_.in.plain() && !step_.in.planar;
  if (step_.length < columns_ / 2 || step_.in.stride != 1 || !interleaved)
    return elements_in(current);
  over_blocks([&](Value point) {
    Vectors rows(columns_);
    for (unsigned c = 0; c < columns_; ++c)
      rows[c] = b_.load(f_.in.memory, row_at(tile_.in.base, tile_.in.stride, c, point), columns_);
    rows = to_components(rows);
    Points x(columns_ / 2);
    for (unsigned p = 0; p < columns_ / 2; ++p) x[p] = {rows[2 * p], rows[2 * p + 1]};
    x = hooked(x, {{point, 0}, 1});
    for (unsigned p = 0; p < columns_ / 2; ++p) keep(current, point + std::int64_t{p}, x[p]);
  });
}

void TileCopy::rows_out(unsigned current) const {
  const bool interleaved = step_.out.plain() && !step_.out.planar;
  if (step_.length < columns_ / 2 || step_.out.stride != 1 || !interleaved)
    return elements_out(current);
  over_blocks([&](Value point) {
    Vectors rows(columns_);
    for (unsigned p = 0; p < columns_ / 2; ++p) {
      const Cx x = store_hook(f_, fetch(current, point + std::int64_t{p}, columns_));
      rows[2 * p] = x.re, rows[2 * p + 1] = x.im;
    }
    rows = from_components(rows);
    for (unsigned c = 0; c < columns_; ++c)
      b_.store(f_.out.memory, row_at(tile_.out.base, tile_.out.stride, c, point), rows[c]);
  });
}

/// Rows shorter than half a vector, or with gaps between their points: one element at a time.
void TileCopy::elements_in(unsigned current) const {
  over_elements(step_.length, [&](Value point, Value lane) {
    const Value first = first_in_lane(tile_.in.point, lane, tile_.in.point_step);
    const Value base = tile_.in.base + tile_.in.stride * lane;
    const Cx raw =
        input_.point({input_.index(base, point), line_point(first, point, step_.in.point)});
    Value phase = tile_.phase;
    if (phase.valid()) phase = phase + lane * std::int64_t{tile_.phase_step};
    const Cx x = load_hook(f_, {raw}, {{point, 0}, 1}, {phase, 0})[0];
    const Value at = point * std::int64_t{columns_} + lane;
    b_.store(scratch_.re[current], at, x.re);
    b_.store(scratch_.im[current], at, x.im);
  });
}

void TileCopy::elements_out(unsigned current) const {
  over_elements(step_.length, [&](Value point, Value lane) {
    const Value first = first_in_lane(tile_.out.point, lane, tile_.out.point_step);
    const Value base = tile_.out.base + tile_.out.stride * lane;
    output_.point({output_.index(base, point), line_point(first, point, step_.out.point)},
                  store_hook(f_, fetch_of(current, point, lane)));
  });
}

void TileCopy::over_elements(std::uint64_t count,
                             const std::function<void(Value, Value)>& body) const {
  b_.loop(to_signed(count),
          [&](Value point) { b_.loop(columns_, [&](Value lane) { body(point, lane); }); });
}

void TileCopy::over_blocks(const std::function<void(Value)>& body) const {
  const unsigned points = columns_ / 2;
  b_.loop(to_signed(base::ceil_divide(step_.length, points)),
          [&](Value i) { body(along(b_, i, points, step_.length)); });
}

Value TileCopy::row_at(Value base, Value stride, unsigned column, Value point) const {
  return (base + stride * std::int64_t{column} + b_.convert(point, {ir::Base::i64, 1})) * 2;
}

}  // namespace imago::blocks
