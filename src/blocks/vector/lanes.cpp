// This file maps lanes to the components of OpenCL vectors inside one work-item. Values go through
// private memory after every pass, with separate real and imaginary parts. Lanes run along adjacent
// columns (private memory then holds one vector for each point), or along q or k of a single
// transform or of two that share the vectors (plan/vector/abreast.hpp). Two fused passes
// (plan/vector/joins.hpp) keep a block between them.
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "blocks/convolution.hpp"
#include "blocks/lanes.hpp"
#include "blocks/rearrange.hpp"
#include "blocks/vector/lanes.hpp"
#include "blocks/vector/legs.hpp"
#include "blocks/vector/tile_copy.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

// Blocks of short transforms that are contiguous in memory move directly between global memory and
// registers, without private memory.

/// Returns the vectors of a block of rows of 2n real numbers.
BlockVectors vectors(const TileSite& site, const TileSide& side) {
  return [&site, &side](unsigned v) -> BlockVector {
    const auto row = static_cast<unsigned>(2 * site.f.step.length);
    const unsigned flat = v * site.columns;
    if (row % site.columns != 0) return {side.base, flat};
    return {side.base + side.stride * std::int64_t{flat / row}, flat % row};
  };
}

/// Returns true if the pass is the whole transform of such a block.
bool takes_whole_rows(const TileSite& site, const Geometry& g) {
  const kernel::Step& step = site.f.step;
  const unsigned columns = site.columns;
  if (!g.first || !g.last || columns == 1 || site.present > 0) return false;
  const bool chunks = 2 * g.radix % columns == 0;  // whole vectors per row, at any distance
  return step.bare() && !step.convolution.is_any() && !step.in.planar && !step.out.planar &&
         g.done == 1 && g.left == 1 && step.in.stride == 1 && step.out.stride == 1 &&
         (base::is_power_of_two(g.radix) || g.radix < columns / 2) &&
         (chunks || (step.in.packed && step.out.packed));
}

/// Loads a block as points by a transposition, through as_loaded().
Points load_rows(const TileSite& site, const TileLoad& tile) {
  const auto count = static_cast<unsigned>(2 * site.f.step.length);
  const Points block = Input(site.f).block(count, site.columns, vectors(site, site.tile.in));
  return tile.as_loaded(block, {{site.f.b.integer(0), 0}, 1});
}

void store_rows(const TileSite& site, const TileStore& tile, const Points& points) {
  Points block;
  for (const Cx& point : points) block.push_back(tile.as_stored(point));
  Output(site.f).block(block, vectors(site, site.tile.out));
}

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
    if (g.pass->lane == kernel::Lane::k)
      pass_along_k(g, body);
    else if (g.pass->lane == kernel::Lane::outer)
      pass_along_outer(g, body);
    else
      pass_along_q(g, body);
    end(g);
  }

 private:
  /// A pass and its computation.
  struct Waiting {
    Geometry g;
    Body body;
  };

  /// Begins one pass, or two that are fused.
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
            ir::Condition::always(),
            [this](const Index& k, const Cx& sum) { return lone_element(k, sum); }};
  }

  Cx lone_element(const Index& k, const Cx& sum) const {
    const Cells& lone = site_.scratch.lone;
    const Value first = b_.integer(0);
    const ir::Condition here = ir::equal(k.base, first);
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

  /// Calls body(0), body(1) and so on: in a loop unless the step is unrolled.
  void turns(std::uint64_t count, const std::function<void(Value)>& body) {
    if (!f_.step.vectors().unrolled) return b_.loop(to_signed(count), body);
    for (std::uint64_t i = 0; i < count; ++i) body(b_.integer(to_signed(i)));
  }

  // --- passes ------------------------------------------------------------------------------------

  /// Runs lanes along q, or along columns with q and k in loops.
  void pass_along_q(const Geometry& g, const Body& body) {
    const unsigned q_step = columns_ > 1 ? 1 : g.pass->width;
    const unsigned width = columns_ > 1 ? columns_ : q_step * site_.abreast;
    const auto left = to_signed(g.left);
    over_rows(g, [&](Value block, Value k) {
      const Butterfly butterfly = body({k, 0});
      turns(base::ceil_divide(g.left, q_step), [&](Value i) {
        const Value q = along(b_, i, q_step, g.left);
        const Value read = block + k * (left * g.radix) + q, write = block + k * left + q;
        Points x = load_legs(g, read, width);
        if (from_global_) x = load_.as_loaded(x, {{read, columns_ > 1 ? 0 : 1}, g.left});
        store_legs(g, write, butterfly(x));
      });
    });
  }

  /// Calls body(first point of o, k) for every o and k.
  void over_rows(const Geometry& g, const std::function<void(Value, Value)>& body) {
    turns(g.outer, [&](Value o) {
      const Value block = o * to_signed(g.block());
      turns(g.done, [&](Value k) { body(block, k); });
    });
  }

  /// Runs lanes along k in an axis's last pass (left == 1): adjacent inputs are transposed at load.
  void pass_along_k(const Geometry& g, const Body& body) {
    turns(g.outer, [&](Value o) { row_along_k(g, body, o * to_signed(g.block())); });
  }

  void row_along_k(const Geometry& g, const Body& body, Value block) {
    const unsigned width = g.pass->width, abreast = site_.abreast;
    turns(base::ceil_divide(g.done, width), [&](Value i) {
      const Value k = along(b_, i, width, g.done);
      const Value first = block + k * to_signed(g.radix);
      Vectors re(g.radix), im(g.radix);
      for (unsigned r = 0; r < g.radix; ++r) {
        const Value point = first + to_signed(std::uint64_t{r} * width);
        const Cx x = site_.load(current_, point, width * abreast);
        re[r] = x.re, im[r] = x.im;
      }
      re = to_components(re, abreast), im = to_components(im, abreast);
      Points x(g.radix);
      for (unsigned r = 0; r < g.radix; ++r) x[r] = {re[r], im[r]};
      store_legs(g, block + k, body({k, 1, abreast})(x));
    });
  }

  /// Runs lanes along o if one pass is a whole axis with left == 1: rows are contiguous, and are
  /// transposed at load and back at store.
  void pass_along_outer(const Geometry& g, const Body& body) {
    const unsigned width = g.pass->width;
    const Butterfly butterfly = body({b_.integer(0), 0});
    turns(base::ceil_divide(g.outer, width), [&](Value i) {
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

  // --- fused passes, block by block --------------------------------------------------------------

  void joined(const Waiting& one, const Waiting& two) {
    begin(one.g, two.g);
    if (one.g.pass->lane == kernel::Lane::k)
      joined_along_k(one, two);
    else
      joined_along_q(one, two);
    end(two.g);
  }

  /// Runs lanes along q of the second pass: computes the first pass's butterflies for all q + left
  /// * r, then the second pass's butterflies for each of the results.
  void joined_along_q(const Waiting& one, const Waiting& two) {
    const Geometry &a = one.g, &b = two.g;
    const unsigned width = b.pass->width;
    over_rows(a, [&](Value block, Value k) {
      const Butterfly first = one.body({k, 0});
      b_.loop(to_signed(base::ceil_divide(b.left, width)), [&](Value i) {
        const Value q = along(b_, i, width, b.left);
        b_.loop(b.radix, [&](Value r) {
          const Value leg = r * to_signed(b.left);
          const Value read = block + k * to_signed(a.left * a.radix) + q + leg;
          Points x = load_legs(a, read, width);
          if (from_global_) x = load_.as_loaded(x, {{read, 1}, a.left});
          to_block(first(x), r, b.radix);
        });
        b_.loop(a.radix, [&](Value s) {
          const Value finished = k + s * to_signed(a.done);
          const Points x = two.body({finished, 0})(from_block(s * b.radix, b.radix, 1, width));
          const Value write = block + finished * to_signed(b.left) + q;
          store_legs(b, write, x);
        });
      });
    });
  }

  /// Runs lanes along k: the points of `width` values of k are rows, transposed into the block.
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
        store_legs(b, finished, x);
      });
    });
  }

  /// Loads `width` adjacent points, starting at `read`, from each of `width` rows, and transposes
  /// them to the block's vectors starting at p.
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

  /// Loads `count` vectors of the block, `apart` vectors apart.
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

  /// Loads a butterfly's inputs, starting at the point `read`, without a convolution's zeros;
  /// store_legs() stores the results without those that are no elements of the DFT.
  Points load_legs(const Geometry& g, Value read, unsigned width) {
    if (from_global_ && load_.needs_loop(read, width, g.radix))
      return load_in_loop(site_, load_, {read, g.radix, g.left, width});
    Points x(g.radix);
    for (unsigned r = 0; r < g.radix; ++r) {
      const Value point = read + to_signed(g.read_point(r));
      const bool exists = !g.first || g.read_point(r) < load_.point_count();
      const Value zero = exists ? Value{} : b_.real(0, f_.real.with_lanes(width));
      x[r] = exists ? load(point, width) : Cx{zero, zero};
    }
    return x;
  }
  void store_legs(const Geometry& g, Value write, const Points& x) {
    const unsigned width = x[0].re.type().lanes;
    if (to_global_ && store_.needs_loop(write, width, g.radix))
      return store_in_loop(site_, store_, {write, g.radix, g.done * g.left, width}, x);
    for (unsigned s = 0; s < g.radix; ++s) {
      const Value point = write + to_signed(g.write_point(s));
      if (!g.last || g.write_point(s) < store_.point_count()) store(point, x[s]);
    }
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
  unsigned current_ = 0;                 ///< the private memory that holds the data
  std::optional<Waiting> waiting_ = {};  ///< the first of two fused passes
  bool from_global_ = false, to_global_ = false;
};

}  // namespace

void run_on_tile(const TileSite& site, const std::function<void(Lanes&)>& passes) {
  VectorLanes lanes(site);
  passes(lanes);
}

}  // namespace imago::blocks
