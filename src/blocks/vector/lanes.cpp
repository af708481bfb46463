// This file maps lanes to the components of OpenCL vectors inside one work-item. Values meet
// private memory after every pass; real and imaginary parts lie apart there. Lanes run along
// neighbouring columns (then scratch holds one vector per point), or along q, or along k, of a
// single transform. Two passes that are joined (plan/joins.hpp) leave a block between them.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "blocks/convolution.hpp"
#include "blocks/lanes.hpp"
#include "blocks/rearrange.hpp"
#include "blocks/vector/tile_copy.hpp"
#include "blocks/vector/whole_rows.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

class VectorLanes final : public Lanes {
 public:
  explicit VectorLanes(const TileSite& site)
      : f_(site.f),
        b_(site.f.b),
        site_(site),
        columns_(site.columns),
        load_(site_),
        store_(site_) {}

  void pass(const Geometry& g, const Body& radix) override {
    if (g.pass->joined) {
      waiting_ = Waiting{g, radix};
      return;
    }
    if (waiting_) return joined(*std::exchange(waiting_, {}), {g, radix});
    const Body body = g.turns ? with_product(f_, g, radix, column()) : radix;
    if (takes_whole_rows(site_, g) && load_.copies() && store_.copies())
      return store_rows(site_, store_, body({b_.integer(0), 0})(load_rows(site_, load_)));
    begin(g, g);
    if (g.pass->lane == plan::Lane::k)
      pass_along_k(g, body);
    else if (g.pass->lane == plan::Lane::outer)
      pass_along_outer(g, body);
    else
      pass_along_q(g, body);
    end(g);
  }

 private:
  /// A pass, and what it computes.
  struct Waiting {
    Geometry g;
    Body body;
  };

  /// Of one pass, or of two that are joined.
  void begin(const Geometry& first, const Geometry& last) {
    from_global_ = first.first && !load_.copies();
    to_global_ = last.last && !store_.copies();
    if (first.first && !from_global_) load_.copy(current_, first.left);
  }
  void end(const Geometry& last) {
    current_ ^= 1;
    if (last.last && !to_global_) store_.copy(current_);
  }

  ConvolvedColumn column() const {
    return {{site_.tile.number, columns_ > 1 ? site_.tile.number_step : 0},
            {},
            [this](const Index& k, const Cx& sum) { return lone_element(k, sum); }};
  }

  Cx lone_element(const Index& k, const Cx& sum) const {
    const Cells& lone = site_.scratch.lone;
    const Value first = b_.integer(0);
    const Value here = b_.binary(ir::Op::equal, k.base, first);
    const Value zero = b_.real(0, f_.real.with_lanes(columns_));
    const Cx x = lone.load(b_, first, columns_);
    b_.when(here, [&] {
      const Cx own = columns_ > 1 ? sum : Cx{b_.extract(sum.re, 0), b_.extract(sum.im, 0)};
      b_.store(lone.re, first, x.re + own.re);
      b_.store(lone.im, first, x.im + own.im);
    });
    const Cx there{b_.select(here, x.re, zero), b_.select(here, x.im, zero)};
    const ir::Type type = sum.re.type();
    if (columns_ > 1 || type.lanes == 1) return there;
    std::vector<int> first_lane(type.lanes, 0);
    first_lane[0] = 1;
    const Value mask = b_.convert(b_.lane_constants(first_lane), type);
    return {b_.splat(there.re, type.lanes) * mask, b_.splat(there.im, type.lanes) * mask};
  }

  // --- passes ------------------------------------------------------------------------------------

  /// Lanes along q, or along columns with q and k in loops.
  void pass_along_q(const Geometry& g, const Body& body) {
    const unsigned width = columns_ > 1 ? columns_ : g.pass->width;
    const unsigned q_step = columns_ > 1 ? 1 : width;
    const auto left = to_signed(g.left);
    over_rows(g, [&](Value block, Value k) {
      const Butterfly butterfly = body({k, 0});
      b_.loop(to_signed(base::ceil_divide(g.left, q_step)), [&](Value i) {
        const Value q = along(b_, i, q_step, g.left);
        const Value read = block + k * (left * g.radix) + q, write = block + k * left + q;
        Points x(g.radix);
        for (unsigned r = 0; r < g.radix; ++r)
          x[r] = load_leg(g, r, read + to_signed(g.read_point(r)), width);
        if (from_global_) x = load_.hooked(x, {{read, columns_ > 1 ? 0 : 1}, g.left});
        x = butterfly(x);
        for (unsigned s = 0; s < g.radix; ++s)
          store_leg(g, s, write + to_signed(g.write_point(s)), x[s]);
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
    b_.loop(to_signed(base::ceil_divide(g.done, width)), [&](Value i) {
      const Value k = along(b_, i, width, g.done);
      const Value first = block + k * to_signed(g.radix);
      Vectors re(g.radix), im(g.radix);
      for (unsigned r = 0; r < g.radix; ++r) {
        const Cx x = site_.load(current_, first + to_signed(std::uint64_t{r} * width), width);
        re[r] = x.re, im[r] = x.im;
      }
      re = to_components(re), im = to_components(im);
      Points x(g.radix);
      for (unsigned r = 0; r < g.radix; ++r) x[r] = {re[r], im[r]};
      x = body({k, 1})(x);
      for (unsigned s = 0; s < g.radix; ++s)
        store_leg(g, s, block + k + to_signed(g.write_point(s)), x[s]);
    });
  }

  /// Lanes along o where one pass is a whole axis without neighbours: rows lie side by side, and
  /// are transposed at load and back at store.
  void pass_along_outer(const Geometry& g, const Body& body) {
    const unsigned width = g.pass->width;
    const Butterfly butterfly = body({b_.integer(0), 0});
    b_.loop(to_signed(base::ceil_divide(g.outer, width)), [&](Value i) {
      const Value first = along(b_, i, width, g.outer) * to_signed(g.radix);
      Vectors re(g.radix), im(g.radix);
      for (unsigned v = 0; v < g.radix; ++v) {
        const Cx x = load(first + std::int64_t{v} * width, width);
        re[v] = x.re, im[v] = x.im;
      }
      re = to_components(re), im = to_components(im);
      Points x(g.radix);
      for (unsigned r = 0; r < g.radix; ++r) x[r] = {re[r], im[r]};
      x = butterfly(x);
      for (unsigned r = 0; r < g.radix; ++r) re[r] = x[r].re, im[r] = x[r].im;
      re = from_components(re), im = from_components(im);
      for (unsigned v = 0; v < g.radix; ++v) store(first + std::int64_t{v} * width, {re[v], im[v]});
    });
  }

  // --- two passes, block by block ----------------------------------------------------------------

  void joined(const Waiting& one, const Waiting& two) {
    begin(one.g, two.g);
    if (one.g.pass->lane == plan::Lane::k)
      joined_along_k(one, two);
    else
      joined_along_q(one, two);
    end(two.g);
  }

  /// Lanes along q of the second: the first's butterflies for all q + left * r, then for each of
  /// its results the second's.
  void joined_along_q(const Waiting& one, const Waiting& two) {
    const Geometry &a = one.g, &b = two.g;
    const unsigned width = b.pass->width;
    over_rows(a, [&](Value block, Value k) {
      const Butterfly first = one.body({k, 0});
      b_.loop(to_signed(base::ceil_divide(b.left, width)), [&](Value i) {
        const Value q = along(b_, i, width, b.left);
        b_.loop(b.radix, [&](Value r) {
          const Value read = block + k * to_signed(a.left * a.radix) + q + r * to_signed(b.left);
          Points x(a.radix);
          for (unsigned j = 0; j < a.radix; ++j)
            x[j] = load_leg(a, j, read + to_signed(a.read_point(j)), width);
          if (from_global_) x = load_.hooked(x, {{read, 1}, a.left});
          to_block(first(x), r, b.radix);
        });
        b_.loop(a.radix, [&](Value s) {
          const Value finished = k + s * to_signed(a.done);
          const Points x = two.body({finished, 0})(from_block(s * b.radix, b.radix, 1, width));
          const Value write = block + finished * to_signed(b.left) + q;
          for (unsigned j = 0; j < b.radix; ++j)
            store_leg(b, j, write + to_signed(b.write_point(j)), x[j]);
        });
      });
    });
  }

  /// Lanes along k: the points of `width` k lie in rows, which are transposed on their way into the
  /// block.
  void joined_along_k(const Waiting& one, const Waiting& two) {
    const Geometry &a = one.g, &b = two.g;
    const unsigned width = b.pass->width;
    const std::uint64_t points = std::uint64_t{a.radix} * b.radix;
    b_.loop(to_signed(base::ceil_divide(a.done, width)), [&](Value i) {
      const Value k = along(b_, i, width, a.done);
      b_.loop(to_signed(base::ceil_divide(points, width)), [&](Value j) {
        const Value p = along(b_, j, width, points);
        rows_to_block(k * to_signed(points) + p, points, p, width);
      });
      const Butterfly first = one.body({k, 1});
      b_.loop(b.radix, [&](Value r) {
        to_block(first(from_block(r, a.radix, b.radix, width)), r, b.radix);
      });
      b_.loop(a.radix, [&](Value s) {
        const Value finished = k + s * to_signed(a.done);
        const Points x = two.body({finished, 1})(from_block(s * b.radix, b.radix, 1, width));
        for (unsigned l = 0; l < b.radix; ++l)
          store_leg(b, l, finished + to_signed(b.write_point(l)), x[l]);
      });
    });
  }

  /// `width` neighbours from `read` on of each of `width` rows, transposed to the block's vectors
  /// from p on.
  void rows_to_block(Value read, std::uint64_t row, Value p, unsigned width) {
    Vectors re(width), im(width);
    for (unsigned l = 0; l < width; ++l) {
      const Cx x = site_.load(current_, read + to_signed(l * row), width);
      re[l] = x.re, im[l] = x.im;
    }
    re = to_components(re), im = to_components(im);
    for (unsigned v = 0; v < width; ++v)
      site_.scratch.block.store(b_, (p + std::int64_t{v}) * std::int64_t{width}, {re[v], im[v]});
  }

  /// `count` vectors of the block, `apart` from each other.
  Points from_block(Value first, unsigned count, unsigned apart, unsigned width) {
    Points x(count);
    for (unsigned j = 0; j < count; ++j)
      x[j] = site_.scratch.block.load(b_, (first + std::int64_t{j} * apart) * std::int64_t{width},
                                      width);
    return x;
  }
  void to_block(const Points& x, Value first, unsigned apart) {
    const unsigned width = x[0].re.type().lanes;
    for (std::size_t j = 0; j < x.size(); ++j)
      site_.scratch.block.store(b_, (first + to_signed(j * apart)) * std::int64_t{width}, x[j]);
  }

  // --- points ------------------------------------------------------------------------------------

  /// A convolution's zeros are not loaded, and what is no element of the DFT is not stored.
  Cx load_leg(const Geometry& g, unsigned r, Value point, unsigned width) {
    if (g.first && g.read_point(r) >= load_.point_count()) {
      const Value zero = b_.real(0, f_.real.with_lanes(width));
      return {zero, zero};
    }
    return load(point, width);
  }

  void store_leg(const Geometry& g, unsigned s, Value point, const Cx& x) {
    if (!g.last || g.write_point(s) < store_.point_count()) store(point, x);
  }

  Cx load(Value point, unsigned width) {
    return from_global_ ? load_.load(point, width) : site_.load(current_, point, width);
  }

  void store(Value point, const Cx& x) {
    if (to_global_) return store_.store(point, x);
    site_.store(current_ ^ 1, point, x);
  }

  const Frame& f_;
  ir::Builder& b_;
  const TileSite site_;
  const unsigned columns_;  ///< lanes along columns; 1: lanes along q or k
  const TileLoad load_;
  const TileStore store_;
  unsigned current_ = 0;                 ///< the scratch that holds the data
  std::optional<Waiting> waiting_ = {};  ///< the first of two passes that are joined
  bool from_global_ = false, to_global_ = false;
};

/// Walks a work-item over its tiles and the columns that are left over.
class TileWalk {
 public:
  TileWalk(const Frame& frame, const std::function<void(Lanes&)>& passes)
      : f_(frame), b_(frame.b), step_(frame.step), passes_(passes) {
    // A half spectrum takes one point more.
    const std::size_t size = (step_.length + (step_.plain() ? 0 : 1)) * step_.tile;
    for (int i = 0; i < 2; ++i) {
      const std::string number = std::to_string(i);
      scratch_.stages[i].re = b_.private_array("re" + number, f_.real, size);
      scratch_.stages[i].im = b_.private_array("im" + number, f_.real, size);
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
  /// Numbers between two joined passes, the most of all pairs.
  std::size_t block_size() const {
    std::size_t most = 0;
    for (std::size_t i = 0; i + 1 < step_.passes.size(); ++i) {
      const plan::Pass &one = step_.passes[i], &two = step_.passes[i + 1];
      if (one.joined) most = std::max<std::size_t>(most, one.radix * two.radix * two.width);
    }
    return most;
  }

  /// Lanes (if any) run along the batch.
  void batch_tile(Value tile) {
    const Value first = tile * std::int64_t{step_.tile};
    const Value all = f_.batch;
    in_groups(first, all, [&](Value member, unsigned lanes) {
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
    const plan::Column& fastest = step_.columns[0];
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
      in_groups(first, b_.integer(to_signed(fastest.extent)), [&](Value column, unsigned lanes) {
        Tile t = outer;
        advance(t, column, fastest);
        t.phase_step = static_cast<int>(fastest.phase);
        t.number_step = static_cast<int>(fastest.number);
        t.in.point_step = fastest.in.point, t.out.point_step = fastest.out.point;
        const std::uint64_t in = plan::base_stride(step_.at_load(), fastest.in),
                            out = plan::base_stride(step_.at_store(), fastest.out);
        t.in.adjacent = in == 1, t.out.adjacent = out == 1;
        const ir::Type wide{ir::Base::i64, 1};
        t.in.stride = b_.integer(to_signed(in), wide);
        t.out.stride = b_.integer(to_signed(out), wide);
        transform(t, lanes);
      });
    });
  }

  void advance(Tile& tile, Value index, const plan::Column& column) {
    const Value wide = b_.convert(index, {ir::Base::i64, 1});
    tile.in.base = tile.in.base + wide * to_signed(plan::base_stride(step_.at_load(), column.in));
    tile.out.base =
        tile.out.base + wide * to_signed(plan::base_stride(step_.at_store(), column.out));
    advance(tile.phase, index, column.phase);
    advance(tile.number, step_.convolution.hooked ? wide : index, column.number);
    advance(tile.in.point, index, column.in.point);
    advance(tile.out.point, index, column.out.point);
  }

  /// Numbers in the spectrum that a filter turns in are those of the whole batch.
  void add_turn(Tile& tile, Value member) {
    if (!step_.convolution.hooked) return;
    const Value wide = b_.convert(member, {ir::Base::i64, 1});
    const Value first = f_.turn.offset + wide * f_.turn.distance;
    tile.number = tile.number.valid() ? tile.number + first : first;
  }

  /// Adds index * step; nothing where step is 0.
  static void advance(Value& sum, Value index, std::uint64_t step) {
    if (step == 0) return;
    const Value product = index * to_signed(step);
    sum = sum.valid() ? sum + product : product;
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
    VectorLanes vector({f_, scratch_, tile, lanes});
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
