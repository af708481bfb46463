// This file maps lanes to the components of OpenCL vectors inside one work-item. Values meet
// private memory after every pass; real and imaginary parts lie apart there. Lanes run along
// neighbouring columns (then scratch holds one vector per point), or along q, or along k, of a
// single transform.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/integers.hpp"
#include "blocks/lanes.hpp"
#include "blocks/rearrange.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

std::int64_t to_signed(std::uint64_t n) { return static_cast<std::int64_t>(n); }

/// Private memory for two stages of a transform, used in turn.
struct Scratch {
  ir::MemoryId re[2], im[2];
};

/// Where a tile of columns lies in global memory, in elements.
struct Tile {
  Value in_base, out_base;
  Value in_stride, out_stride;  ///< from column to column
  Value phase;                  ///< of the first column; invalid without inter-kernel twiddle
  int phase_step = 0;
  bool in_adjacent = false,
       out_adjacent = false;  ///< neighbouring columns are neighbouring elements
};

class VectorLanes final : public Lanes {
 public:
  VectorLanes(const Frame& frame, const Scratch& scratch, const Tile& tile, unsigned columns)
      : f_(frame),
        b_(frame.b),
        step_(frame.step),
        scratch_(scratch),
        tile_(tile),
        columns_(columns) {}

  void pass(const Geometry& g, const Body& body) override {
    const bool rows_in = g.first && columns_ > 1 && !tile_.in_adjacent;
    const bool rows_out = g.last && columns_ > 1 && !tile_.out_adjacent;
    if (rows_in && rows_out && whole_rows_in_registers(g)) return rows_in_registers(body);
    if (rows_in) copy_rows_in();
    from_global_ = g.first && !rows_in;
    to_global_ = g.last && !rows_out;
    if (g.pass->lane == plan::Lane::k)
      pass_along_k(g, body);
    else
      pass_along_q(g, body);
    current_ ^= 1;
    if (rows_out) copy_rows_out();
  }

 private:
  // --- passes ------------------------------------------------------------------------------------

  /// Lanes along q, or along columns with q and k in loops.
  void pass_along_q(const Geometry& g, const Body& body) {
    const unsigned width = columns_ > 1 ? columns_ : g.pass->width;
    const unsigned q_step = columns_ > 1 ? 1 : width;
    const auto left = to_signed(g.left);
    over_rows(g, [&](Value block, Value k) {
      const Butterfly butterfly = body({k, 0});
      b_.loop(to_signed(base::ceil_divide(g.left, q_step)), [&](Value i) {
        const Value q = along(i, q_step, left);
        const Value read = block + k * (left * g.radix) + q, write = block + k * left + q;
        Points x(g.radix);
        for (unsigned r = 0; r < g.radix; ++r)
          x[r] = load(read + to_signed(g.read_point(r)), width);
        if (from_global_) x = hooked(x, {{read, columns_ > 1 ? 0 : 1}, g.left});
        x = butterfly(x);
        for (unsigned s = 0; s < g.radix; ++s) store(write + to_signed(g.write_point(s)), x[s]);
      });
    });
  }

  /// Calls body(first point of o, k) for every o and k.
  void over_rows(const Geometry& g, const std::function<void(Value, Value)>& body) {
    b_.loop(to_signed(g.outer), [&](Value o) {
      const Value block = o * to_signed(g.block());
      b_.loop(to_signed(g.done), [&](Value k) { body(block, k); });
    });
  }

  /// Lanes along k in the last pass of an axis without neighbours (left == 1): legs lie side by
  /// side and are transposed at load.
  void pass_along_k(const Geometry& g, const Body& body) {
    b_.loop(to_signed(g.outer), [&](Value o) { row_along_k(g, body, o * to_signed(g.block())); });
  }

  void row_along_k(const Geometry& g, const Body& body, Value block) {
    const unsigned width = g.pass->width;
    const auto done = to_signed(g.done);
    b_.loop(to_signed(base::ceil_divide(g.done, width)), [&](Value i) {
      const Value k = along(i, width, done);
      const Value first = block + k * to_signed(g.radix);
      Vectors re(g.radix), im(g.radix);
      for (unsigned r = 0; r < g.radix; ++r) {
        const Value at = first + to_signed(std::uint64_t{r} * width);
        re[r] = b_.load(scratch_.re[current_], at, width);
        im[r] = b_.load(scratch_.im[current_], at, width);
      }
      re = to_components(re), im = to_components(im);
      Points x(g.radix);
      for (unsigned r = 0; r < g.radix; ++r) x[r] = {re[r], im[r]};
      x = body({k, 1})(x);
      for (unsigned s = 0; s < g.radix; ++s) store(block + k + to_signed(g.write_point(s)), x[s]);
    });
  }

  /// i * step, moved back at the end so that the last vector ends at `extent` (passes are out of
  /// place).
  Value along(Value i, unsigned step, std::int64_t extent) {
    const Value at = i * std::int64_t{step};
    return extent % step == 0 ? at : b_.binary(ir::Op::min, at, b_.integer(extent - step));
  }

  // --- points ------------------------------------------------------------------------------------

  Cx load(Value point, unsigned width) {
    if (!from_global_) {
      const Value at = point * std::int64_t{columns_};
      return {b_.load(scratch_.re[current_], at, width), b_.load(scratch_.im[current_], at, width)};
    }
    return load_global(element(tile_.in_base, point, step_.in_stride), width);
  }

  void store(Value point, const Cx& x) {
    if (to_global_)
      return store_global(element(tile_.out_base, point, step_.out_stride), store_hook(f_, x));
    const Value at = point * std::int64_t{columns_};
    b_.store(scratch_.re[current_ ^ 1], at, x.re);
    b_.store(scratch_.im[current_ ^ 1], at, x.im);
  }

  Points hooked(const Points& x, const Legs& legs) {
    return load_hook(f_, x, legs, {tile_.phase, columns_ > 1 ? tile_.phase_step : 0});
  }

  Value element(Value base, Value point, std::uint64_t stride) {
    if (step_.wide_index) point = b_.convert(point, {ir::Base::i64, 1});
    return base + b_.convert(point * to_signed(stride), {ir::Base::i64, 1});
  }

  /// `width` complex elements from `element` on, those of neighbouring points or columns.
  Cx load_global(Value element, unsigned width) {
    const Value at = element * 2;
    if (const auto apart = to_signed(2 * lane_stride(tile_.in_adjacent, step_.in_stride));
        width > 1 && apart != 2)
      return {b_.load_strided(f_.in, at, apart, width),
              b_.load_strided(f_.in, at + 1, apart, width)};
    if (width == 1) return {b_.load(f_.in, at), b_.load(f_.in, at + 1)};
    const Vectors parts =
        to_components({b_.load(f_.in, at, width), b_.load(f_.in, at + std::int64_t{width}, width)});
    return {parts[0], parts[1]};
  }

  void store_global(Value element, const Cx& x) {
    const Value at = element * 2;
    if (const auto apart = to_signed(2 * lane_stride(tile_.out_adjacent, step_.out_stride));
        x.re.type().lanes > 1 && apart != 2) {
      b_.store_strided(f_.out, at, x.re, apart);
      b_.store_strided(f_.out, at + 1, x.im, apart);
      return;
    }
    const Vectors parts = from_components({x.re, x.im});
    b_.store(f_.out, at, parts[0]);
    b_.store(f_.out, at + std::int64_t{x.re.type().lanes}, parts[1]);
  }

  /// From lane to lane, in elements: columns that are no neighbours never come here in lanes.
  std::uint64_t lane_stride(bool adjacent, std::uint64_t point_stride) const {
    return columns_ > 1 && adjacent ? 1 : point_stride;
  }

  // --- rows: columns whose points lie side by side
  // -------------------------------------------------

  /// Short transforms one after the other: a block of memory becomes points by a transposition.
  bool whole_rows_in_registers(const Geometry& g) const {
    const bool chunks = 2 * g.radix % columns_ == 0;  // whole vectors per row: any distance will do
    return g.done == 1 && g.left == 1 && step_.in_stride == 1 && step_.out_stride == 1 &&
           (base::is_power_of_two(g.radix) || g.radix < columns_ / 2) &&
           (chunks || (step_.in_packed && step_.out_packed));
  }

  void rows_in_registers(const Body& body) {
    const auto n = static_cast<unsigned>(step_.length);
    Vectors block(std::size_t{2} * n);
    for (unsigned v = 0; v < 2 * n; ++v)
      block[v] = b_.load(f_.in, row_chunk(tile_.in_base, tile_.in_stride, v), columns_);
    block = to_components(block);
    Points x(n);
    for (unsigned r = 0; r < n; ++r) x[r] = {block[2 * r], block[2 * r + 1]};
    x = hooked(x, {{b_.integer(0), 0}, 1});
    x = body({b_.integer(0), 0})(x);
    for (unsigned r = 0; r < n; ++r) {
      const Cx y = store_hook(f_, x[r]);
      block[2 * r] = y.re, block[2 * r + 1] = y.im;
    }
    block = from_components(block);
    for (unsigned v = 0; v < 2 * n; ++v)
      b_.store(f_.out, row_chunk(tile_.out_base, tile_.out_stride, v), block[v]);
  }

  /// Index of vector v of a block of rows of 2n real numbers.
  Value row_chunk(Value base, Value stride, unsigned v) {
    const auto row_values = static_cast<unsigned>(2 * step_.length);
    const unsigned flat = v * columns_;
    if (row_values % columns_ != 0) return base * 2 + std::int64_t{flat};
    return (base + stride * std::int64_t{flat / row_values}) * 2 + std::int64_t{flat % row_values};
  }

  /// Rows to scratch, half a vector's points at a time.
  void copy_rows_in() {
    if (step_.length < columns_ / 2 || step_.in_stride != 1) return copy_elements_in();
    over_blocks([&](Value point) {
      Vectors rows(columns_);
      for (unsigned c = 0; c < columns_; ++c)
        rows[c] = b_.load(f_.in, row_at(tile_.in_base, tile_.in_stride, c, point), columns_);
      rows = to_components(rows);
      Points x(columns_ / 2);
      for (unsigned p = 0; p < columns_ / 2; ++p) x[p] = {rows[2 * p], rows[2 * p + 1]};
      x = hooked(x, {{point, 0}, 1});
      for (unsigned p = 0; p < columns_ / 2; ++p) {
        const Value at = (point + std::int64_t{p}) * std::int64_t{columns_};
        b_.store(scratch_.re[current_], at, x[p].re);
        b_.store(scratch_.im[current_], at, x[p].im);
      }
    });
  }

  void copy_rows_out() {
    if (step_.length < columns_ / 2 || step_.out_stride != 1) return copy_elements_out();
    over_blocks([&](Value point) {
      Vectors rows(columns_);
      for (unsigned p = 0; p < columns_ / 2; ++p) {
        const Value at = (point + std::int64_t{p}) * std::int64_t{columns_};
        const Cx x = store_hook(f_, {b_.load(scratch_.re[current_], at, columns_),
                                     b_.load(scratch_.im[current_], at, columns_)});
        rows[2 * p] = x.re, rows[2 * p + 1] = x.im;
      }
      rows = from_components(rows);
      for (unsigned c = 0; c < columns_; ++c)
        b_.store(f_.out, row_at(tile_.out_base, tile_.out_stride, c, point), rows[c]);
    });
  }

  /// Rows shorter than half a vector, or with gaps between their points: one element at a time.
  void copy_elements_in() {
    over_elements([&](Value point, Value lane) {
      const Value at = element(tile_.in_base + tile_.in_stride * lane, point, step_.in_stride) * 2;
      const Cx x = hooked({{b_.load(f_.in, at), b_.load(f_.in, at + 1)}}, {{point, 0}, 1})[0];
      const Value scratch = point * std::int64_t{columns_} + lane;
      b_.store(scratch_.re[current_], scratch, x.re);
      b_.store(scratch_.im[current_], scratch, x.im);
    });
  }

  void copy_elements_out() {
    over_elements([&](Value point, Value lane) {
      const Value at =
          element(tile_.out_base + tile_.out_stride * lane, point, step_.out_stride) * 2;
      const Value scratch = point * std::int64_t{columns_} + lane;
      const Cx x = store_hook(
          f_, {b_.load(scratch_.re[current_], scratch), b_.load(scratch_.im[current_], scratch)});
      b_.store(f_.out, at, x.re);
      b_.store(f_.out, at + 1, x.im);
    });
  }

  void over_elements(const std::function<void(Value, Value)>& body) {
    b_.loop(to_signed(step_.length),
            [&](Value point) { b_.loop(columns_, [&](Value lane) { body(point, lane); }); });
  }

  void over_blocks(const std::function<void(Value)>& body) {
    const unsigned points = columns_ / 2;
    b_.loop(to_signed(base::ceil_divide(step_.length, points)),
            [&](Value i) { body(along(i, points, to_signed(step_.length))); });
  }

  Value row_at(Value base, Value stride, unsigned column, Value point) {
    return (base + stride * std::int64_t{column} + b_.convert(point, {ir::Base::i64, 1})) * 2;
  }

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  const Scratch& scratch_;
  const Tile& tile_;
  const unsigned columns_;  ///< lanes along columns; 1: lanes along q or k
  unsigned current_ = 0;    ///< the scratch that holds the data
  bool from_global_ = false, to_global_ = false;
};

/// Walks a work-item over its tiles and the columns that are left over.
class TileWalk {
 public:
  TileWalk(const Frame& frame, const std::function<void(Lanes&)>& passes)
      : f_(frame), b_(frame.b), step_(frame.step), passes_(passes) {
    const std::size_t size = step_.length * step_.tile;
    for (int i = 0; i < 2; ++i) {
      scratch_.re[i] = b_.private_array("re" + std::to_string(i), f_.real, size);
      scratch_.im[i] = b_.private_array("im" + std::to_string(i), f_.real, size);
    }
  }

  void run() {
    const Value item = b_.convert(b_.group_id(), {ir::Base::i32, 1});
    b_.loop(step_.repeat, [&](Value i) {
      const Value tile = item * std::int64_t{step_.repeat} + i;
      if (step_.columns.empty())
        batch_tile(tile);
      else
        column_tile(tile);
    });
  }

 private:
  /// Lanes (if any) run along the batch.
  void batch_tile(Value tile) {
    const Value first = tile * std::int64_t{step_.tile};
    const Value all = f_.batch;
    in_groups(first, all, [&](Value member, unsigned lanes) {
      Tile t;
      t.in_base = f_.in_offset + member * f_.in_distance;
      t.out_base = f_.out_offset + member * f_.out_distance;
      t.in_stride = f_.in_distance, t.out_stride = f_.out_distance;
      transform(t, lanes);
    });
  }

  void column_tile(Value tile) {
    const plan::Column& fastest = step_.columns[0];
    const auto tiles = to_signed(base::ceil_divide(fastest.extent, step_.tile));
    const Value first = tile % tiles * std::int64_t{step_.tile};
    Value rest = tile / tiles;
    Tile outer;
    outer.in_base = f_.in_offset, outer.out_base = f_.out_offset;
    for (std::size_t d = 1; d < step_.columns.size(); ++d) {
      const auto extent = to_signed(step_.columns[d].extent);
      advance(outer, rest % extent, step_.columns[d]);
      rest = rest / extent;
    }
    outer.in_base = outer.in_base + rest * f_.in_distance;
    outer.out_base = outer.out_base + rest * f_.out_distance;
    b_.when(rest < f_.batch, [&] {
      in_groups(first, b_.integer(to_signed(fastest.extent)), [&](Value column, unsigned lanes) {
        Tile t = outer;
        advance(t, column, fastest);
        t.phase_step = static_cast<int>(fastest.phase);
        t.in_adjacent = fastest.in_stride == 1, t.out_adjacent = fastest.out_stride == 1;
        const ir::Type wide{ir::Base::i64, 1};
        t.in_stride = b_.integer(to_signed(fastest.in_stride), wide);
        t.out_stride = b_.integer(to_signed(fastest.out_stride), wide);
        transform(t, lanes);
      });
    });
  }

  void advance(Tile& tile, Value index, const plan::Column& column) {
    const Value wide = b_.convert(index, {ir::Base::i64, 1});
    tile.in_base = tile.in_base + wide * to_signed(column.in_stride);
    tile.out_base = tile.out_base + wide * to_signed(column.out_stride);
    if (column.phase == 0) return;
    const Value phase = index * to_signed(column.phase);
    tile.phase = tile.phase.valid() ? tile.phase + phase : phase;
  }

  /// body(first, lanes) for a whole tile, or body(i, 1) for each member that is left of it.
  void in_groups(Value first, Value all, const std::function<void(Value, unsigned)>& body) {
    const std::int64_t tile = step_.tile;
    const auto extent = b_.constant_integer(all);
    if (tile == 1) return b_.when(extent ? Value{} : first < all, [&] { body(first, 1); });
    if (extent && *extent % tile == 0) return body(first, step_.tile);
    const Value whole = first + (tile - 1) < all;
    b_.when(whole, [&] { body(first, step_.tile); });
    const Value none = b_.integer(0);
    const Value rest = b_.select(whole, none, all - first);
    b_.loop(rest, [&](Value i) { body(first + i, 1); });
  }

  void transform(const Tile& tile, unsigned lanes) {
    VectorLanes vector(f_, scratch_, tile, lanes);
    passes_(vector);
  }

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  const std::function<void(Lanes&)>& passes_;
  Scratch scratch_;
};

}  // namespace

void with_vector_lanes(const Frame& frame, const std::function<void(Lanes&)>& passes) {
  TileWalk(frame, passes).run();
}

}  // namespace imago::blocks
