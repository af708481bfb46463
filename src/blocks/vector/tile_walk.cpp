// This file loops over the tiles of a work-item in the vector mapping. A tile has as many batch
// elements or columns as there are lanes. The remaining columns share a tile if there are some;
// otherwise, and in a batch, they are processed one by one.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "base/integers.hpp"
#include "blocks/lanes.hpp"
#include "blocks/vector/lanes.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Loops over a work-item's tiles and the remaining columns.
class TileWalk {
 public:
  TileWalk(const Frame& frame, const std::function<void(Lanes&)>& passes)
      : f_(frame), b_(frame.b), step_(frame.step), passes_(passes) {
    // A half spectrum needs one more point.
    const std::size_t size = (step_.length + (step_.plain() ? 0 : 1)) * step_.tile;
    for (int i = 0; i < 2; ++i) {
      const std::string number = std::to_string(i);
      scratch_.buffers[i].re = b_.private_array("re" + number, f_.real, size);
      scratch_.buffers[i].im = b_.private_array("im" + number, f_.real, size);
    }
    if (const std::size_t block = block_size(); block > 0) {
      scratch_.block.re = b_.private_array("block_re", f_.real, block);
      scratch_.block.im = b_.private_array("block_im", f_.real, block);
    }
    if (step_.convolution.lone_element) {
      scratch_.lone.re = b_.private_array("lone_re", f_.real, step_.tile);
      scratch_.lone.im = b_.private_array("lone_im", f_.real, step_.tile);
    }
  }

  void run() {
    const Value item = f_.group();
    b_.loop(step_.vectors().repeat, [&](Value i) {
      const Value tile = item * std::int64_t{step_.vectors().repeat} + i;
      if (step_.columns.empty())
        batch_tile(tile);
      else
        column_tile(tile);
    });
  }

 private:
  /// Returns the numbers between two fused passes, the maximum of all pairs.
  std::size_t block_size() const {
    std::size_t most = 0;
    for (std::size_t i = 0; i + 1 < step_.passes.size(); ++i) {
      const kernel::Pass &one = step_.passes[i], &two = step_.passes[i + 1];
      if (one.joined) most = std::max<std::size_t>(most, one.radix * two.radix * two.width);
    }
    return most;
  }

  /// Processes a tile of the batch; lanes, if there are several, run along the batch.
  void batch_tile(Value tile) {
    const Value first = tile * std::int64_t{step_.tile};
    const Value all = f_.batch;
    in_groups(first, all, [&](Value member, unsigned lanes, unsigned) {
      Tile t;
      t.in.base = f_.in.offset + member * f_.in.distance;
      t.out.base = f_.out.offset + member * f_.out.distance;
      t.in.stride = f_.in.distance, t.out.stride = f_.out.distance;
      add_turn(t, member);
      t.number_step =
          step_.convolution.hooked ? static_cast<int>(step_.convolution.hooked->distance) : 0;
      transform(t, lanes);
    });
  }

  void column_tile(Value tile) {
    const kernel::Column& fastest = step_.columns[0];
    const auto tiles = to_signed(base::ceil_divide(fastest.extent, step_.tile));
    const Value first = tile % tiles * std::int64_t{step_.tile};
    Value rest = tile / tiles;
    Tile outer;
    outer.in.base = f_.in.offset, outer.out.base = f_.out.offset;
    for (std::size_t d = 1; d < step_.columns.size(); ++d) {
      const auto extent = to_signed(step_.columns[d].extent);
      advance(outer, rest % extent, step_.columns[d]);
      rest = rest / extent;
    }
    outer.in.base = outer.in.base + rest * f_.in.distance;
    outer.out.base = outer.out.base + rest * f_.out.distance;
    add_turn(outer, rest);
    b_.when(rest < f_.batch, [&] {
      in_groups(first, b_.integer(to_signed(fastest.extent)),
                [&](Value column, unsigned lanes, unsigned present) {
                  Tile t = outer;
                  advance(t, column, fastest);
                  t.phase_step = static_cast<int>(fastest.phase);
                  t.number_step = static_cast<int>(fastest.number);
                  t.in.point_step = fastest.in.point, t.out.point_step = fastest.out.point;
                  const std::uint64_t in = kernel::base_stride(step_.at_load(), fastest.in),
                                      out = kernel::base_stride(step_.at_store(), fastest.out);
                  t.in.adjacent = in == 1, t.out.adjacent = out == 1;
                  const ir::Type wide{ir::Base::i64, 1};
                  t.in.stride = b_.integer(to_signed(in), wide);
                  t.out.stride = b_.integer(to_signed(out), wide);
                  transform(t, lanes, present);
                });
    });
  }

  void advance(Tile& tile, Value index, const kernel::Column& column) {
    const Value wide = b_.convert(index, {ir::Base::i64, 1});
    tile.in.base = tile.in.base + wide * to_signed(kernel::base_stride(step_.at_load(), column.in));
    tile.out.base =
        tile.out.base + wide * to_signed(kernel::base_stride(step_.at_store(), column.out));
    advance(tile.phase, index, column.phase);
    advance(tile.number, step_.convolution.hooked ? wide : index, column.number);
    advance(tile.in.point, index, column.in.point);
    advance(tile.out.point, index, column.out.point);
  }

  /// Numbers in the spectrum of a filter count through the whole batch.
  void add_turn(Tile& tile, Value member) {
    if (!step_.convolution.hooked) return;
    const Value wide = b_.convert(member, {ir::Base::i64, 1});
    const Value first = f_.spectrum.offset + wide * f_.spectrum.distance;
    tile.number = tile.number.valid() ? tile.number + first : first;
  }

  /// Adds index * step; does nothing if step is 0.
  static void advance(Value& sum, Value index, std::uint64_t step) {
    if (step == 0) return;
    const Value product = index * to_signed(step);
    sum = sum.valid() ? sum + product : product;
  }

  /// Calls body(first, lanes, 0) for a whole tile, body(first, lanes, rest) for one whose lanes are
  /// more than the remaining columns, or body(i, 1, 0) for each of the remaining elements.
  void in_groups(Value first, Value all,
                 const std::function<void(Value, unsigned, unsigned)>& body) {
    const std::int64_t tile = step_.tile;
    const auto extent = b_.constant_integer(all);
    if (tile == 1)
      return b_.when(extent ? ir::Condition::always() : first < all, [&] { body(first, 1, 0); });
    if (extent && *extent % tile == 0) return body(first, step_.tile, 0);
    const ir::Condition whole = first + (tile - 1) < all;
    b_.when(whole, [&] { body(first, step_.tile, 0); });
    if (const unsigned rest = step_.rest_in_lanes(); rest > 0)
      return b_.when(all < first + tile, [&] { body(first, step_.tile, rest); });
    const Value none = b_.integer(0);
    const Value rest = b_.select(whole, none, all - first);
    b_.loop(rest, [&](Value i) { body(first + i, 1, 0); });
  }

  void transform(const Tile& tile, unsigned lanes, unsigned present = 0) {
    const bool columns = step_.vectors().abreast == 1;
    run_on_tile({f_, scratch_, tile, columns ? lanes : 1, columns ? 1 : lanes, present}, passes_);
  }

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
  const std::function<void(Lanes&)>& passes_;
  Scratch scratch_;
};

}  // namespace

void with_lanes(const kernel::Vectors&, const Frame& frame,
                const std::function<void(Lanes&)>& passes) {
  TileWalk(frame, passes).run();
}

}  // namespace imago::blocks
