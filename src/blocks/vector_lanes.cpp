// This file maps lanes to the components of OpenCL vectors inside one work-item. Values meet
// private memory after every pass; real and imaginary parts lie apart there. Lanes run along
// neighbouring columns (then scratch holds one vector per point), or along q, or along k, of a
// single transform.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/integers.hpp"
#include "blocks/convolution.hpp"
#include "blocks/lanes.hpp"
#include "blocks/rearrange.hpp"
#include "blocks/vector_convolution.hpp"
#include "blocks/vector_tile.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

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
    const bool load = g.first && step_.convolution.load;
    const bool store = g.last && step_.convolution.store;
    const bool rows_in =
        g.first && columns_ > 1 && !load &&
        (!tile_.in_adjacent || mirrors_in_lanes(step_.in_form, tile_.in_point_step));
    const bool rows_out =
        g.last && columns_ > 1 && !store &&
        (!tile_.out_adjacent || mirrors_in_lanes(step_.out_form, tile_.out_point_step));
    if (rows_in && rows_out && whole_rows_in_registers(g)) return rows_in_registers(body);
    if (rows_in) copy_rows_in();
    if (load) copy().in(current_, g.left);
    const bool whole_line = columns_ == 1 && step_.line == step_.length;
    const bool spectrum_in = g.first && !load && whole_line && in_spectrum();
    const bool spectrum_out = g.last && !store &&
                              (step_.out_form == plan::Form::folded ||
                               (whole_line && step_.out_form == plan::Form::half));
    if (spectrum_in) copy_spectrum_in();
    from_global_ = g.first && !rows_in && !spectrum_in && !load;
    to_global_ = g.last && !rows_out && !spectrum_out && !store;
    if (g.pass->lane == plan::Lane::k)
      pass_along_k(g, body);
    else if (g.pass->lane == plan::Lane::outer)
      pass_along_outer(g, body);
    else
      pass_along_q(g, body);
    current_ ^= 1;
    if (spectrum_out)
      copy_spectrum_out();
    else if (rows_out)
      copy_rows_out();
    if (store) copy().out(current_);
  }

  Index number() const override { return {tile_.number, columns_ > 1 ? tile_.number_step : 0}; }

  Cx lone_element(const Index& k, const Cx& sum) override { return copy().lone(k, sum); }

 private:
  ConvolutionCopy copy() const { return {f_, scratch_, tile_, columns_}; }

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
          x[r] = load_leg(g, r, read + to_signed(g.read_point(r)), width);
        if (from_global_) x = hooked(x, {{read, columns_ > 1 ? 0 : 1}, g.left});
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
      const Value first = along(i, width, to_signed(g.outer)) * to_signed(g.radix);
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

  /// i * step, moved back at the end so that the last vector ends at `extent` (passes are out of
  /// place).
  Value along(Value i, unsigned step, std::int64_t extent) {
    const Value at = i * std::int64_t{step};
    return extent % step == 0 ? at : b_.binary(ir::Op::min, at, b_.integer(extent - step));
  }

  // --- points ------------------------------------------------------------------------------------

  /// A convolution's zeros are not loaded, and what is no element of the DFT is not stored.
  Cx load_leg(const Geometry& g, unsigned r, Value point, unsigned width) {
    if (g.first && step_.convolution.load && nothing_from(step_, g.read_point(r))) {
      const Value zero = b_.real(0, f_.real.with_lanes(width));
      return {zero, zero};
    }
    return load(point, width);
  }

  void store_leg(const Geometry& g, unsigned s, Value point, const Cx& x) {
    const bool used = !(g.last && step_.convolution.store && nothing_from(step_, g.write_point(s)));
    if (used) store(point, x);
  }

  Cx load(Value point, unsigned width) {
    if (!from_global_) {
      const Value at = point * std::int64_t{columns_};
      return {b_.load(scratch_.re[current_], at, width), b_.load(scratch_.im[current_], at, width)};
    }
    return load_point(tile_.in_base, point, width);
  }

  void store(Value point, const Cx& x) {
    if (to_global_) return store_point(tile_.out_base, point, x);
    const Value at = point * std::int64_t{columns_};
    b_.store(scratch_.re[current_ ^ 1], at, x.re);
    b_.store(scratch_.im[current_ ^ 1], at, x.im);
  }

  /// Lanes are points of one line of which only some exist: each goes its own way.
  static bool mirrors_in_lanes(plan::Form form, std::uint64_t point_step) {
    return form == plan::Form::half && point_step != 0;
  }

  /// The point, or what the form makes of elements. Of half spectra, lanes are other lines.
  Cx load_point(Value base, Value point, unsigned width) {
    return load_numbered(element(base, point, step_.in_stride),
                         line_point(tile_.in_point, point, step_.in_point), width);
  }

  Cx load_numbered(Value index, Value p, unsigned width) {
    if (!in_spectrum()) return load_global(index, width);
    return point_of_spectrum(f_, index, p, [&](Value at) { return load_global(at, width); });
  }

  void store_point(Value base, Value point, const Cx& x) {
    store_numbered(element(base, point, step_.out_stride),
                   line_point(tile_.out_point, point, step_.out_point), x);
  }

  void store_numbered(Value index, Value p, const Cx& x) {
    const bool half = step_.out_form == plan::Form::half;
    b_.when(half ? p < to_signed(step_.line / 2 + 1) : Value{},
            [&] { store_global(index, store_hook(f_, x)); });
  }

  /// The number, in its line, of a point of one of the tile's columns.
  Value number_in_lane(Value first, Value lane, std::uint64_t step) const {
    if (step == 0) return first;
    const Value own = lane * to_signed(step);
    return first.valid() ? first + own : own;
  }

  Points hooked(const Points& x, const Legs& legs) {
    return load_hook(f_, x, legs, {tile_.phase, columns_ > 1 ? tile_.phase_step : 0});
  }

  Value element(Value base, Value point, std::uint64_t stride) {
    if (step_.wide_index) point = b_.convert(point, {ir::Base::i64, 1});
    return base + b_.convert(point * to_signed(stride), {ir::Base::i64, 1});
  }

  /// `width` points from the element at `index` on, those of neighbouring points or columns.
  Cx load_global(Value index, unsigned width) {
    const std::uint64_t apart = lane_stride(tile_.in_adjacent, step_.in_stride);
    if (step_.in_form == plan::Form::real)
      return {load_part(f_.in, index, apart, width), b_.real(0, f_.real.with_lanes(width))};
    if (step_.in_planar)
      return {load_part(f_.in, index, apart, width), load_part(f_.in_im, index, apart, width)};
    if (step_.in_form == plan::Form::pairs)
      return load_parts(index, to_signed(step_.pair_stride), apart, width);
    return load_parts(index * 2, 1, 2 * apart, width);
  }

  /// Real and imaginary parts, `between` numbers from each other and `apart` from lane to lane.
  Cx load_parts(Value at, std::int64_t between, std::uint64_t apart, unsigned width) {
    if (width == 1 || between != 1 || apart != 2)
      return {load_part(f_.in, at, apart, width), load_part(f_.in, at + between, apart, width)};
    const Vectors parts =
        to_components({b_.load(f_.in, at, width), b_.load(f_.in, at + std::int64_t{width}, width)});
    return {parts[0], parts[1]};
  }

  Value load_part(ir::MemoryId memory, Value at, std::uint64_t apart, unsigned width) {
    if (width == 1 || apart == 1) return b_.load(memory, at, width);
    return b_.load_strided(memory, at, to_signed(apart), width);
  }

  void store_global(Value index, const Cx& x) {
    const std::uint64_t apart = lane_stride(tile_.out_adjacent, step_.out_stride);
    if (step_.out_form == plan::Form::real) return store_part(f_.out, index, x.re, apart);
    if (step_.out_planar) {
      store_part(f_.out, index, x.re, apart);
      return store_part(f_.out_im, index, x.im, apart);
    }
    if (step_.out_form == plan::Form::pairs)
      return store_parts(index, x, to_signed(step_.pair_stride), apart);
    store_parts(index * 2, x, 1, 2 * apart);
  }

  void store_parts(Value at, const Cx& x, std::int64_t between, std::uint64_t apart) {
    const unsigned width = x.re.type().lanes;
    if (width == 1 || between != 1 || apart != 2) {
      store_part(f_.out, at, x.re, apart);
      return store_part(f_.out, at + between, x.im, apart);
    }
    const Vectors parts = from_components({x.re, x.im});
    b_.store(f_.out, at, parts[0]);
    b_.store(f_.out, at + std::int64_t{width}, parts[1]);
  }

  void store_part(ir::MemoryId memory, Value at, Value x, std::uint64_t apart) {
    if (x.type().lanes == 1 || apart == 1) return b_.store(memory, at, x);
    b_.store_strided(memory, at, x, to_signed(apart));
  }

  /// From lane to lane, in elements: columns that are no neighbours never come here in lanes.
  std::uint64_t lane_stride(bool adjacent, std::uint64_t point_stride) const {
    return columns_ > 1 && adjacent ? 1 : point_stride;
  }

  // --- half spectra: a point and its mirror image ---------------------------------------------

  bool plain() const { return interleaved_in() && interleaved_out(); }

  bool interleaved_in() const { return step_.in_form == plan::Form::complex && !step_.in_planar; }
  bool interleaved_out() const {
    return step_.out_form == plan::Form::complex && !step_.out_planar;
  }

  bool in_spectrum() const {
    return step_.in_form == plan::Form::half || step_.in_form == plan::Form::folded;
  }

  /// The number of a point in its line.
  static Value line_point(Value first, Value point, std::uint64_t step) {
    const Value p = point * to_signed(step);
    return first.valid() ? first + p : p;
  }

  /// Lanes along `count` points: the widest vectors of the step that fit, the last moved back.
  void over_points(std::uint64_t count, const std::function<void(Value, unsigned)>& body) {
    unsigned width = step_.passes.front().width;
    for (const plan::Pass& pass : step_.passes) width = std::max(width, pass.width);
    while (width > count) width /= 2;
    b_.loop(to_signed(base::ceil_divide(count, width)),
            [&](Value i) { body(along(i, width, to_signed(count)), width); });
  }

  static Cx reversed(const Cx& x) {
    std::vector<int> lanes(x.re.type().lanes);
    for (std::size_t l = 0; l < lanes.size(); ++l)
      lanes[l] = static_cast<int>(lanes.size() - 1 - l);
    if (lanes.size() == 1) return x;
    ir::Builder& b = x.re.builder();
    return {b.shuffle(x.re, x.re, lanes), b.shuffle(x.im, x.im, lanes)};
  }

  Cx scratch_at(Value point, unsigned width) {
    const Value at = point * std::int64_t{columns_};
    return {b_.load(scratch_.re[current_], at, width), b_.load(scratch_.im[current_], at, width)};
  }

  void to_scratch(Value point, const Cx& x) {
    const Value at = point * std::int64_t{columns_};
    b_.store(scratch_.re[current_], at, x.re);
    b_.store(scratch_.im[current_], at, x.im);
  }

  Cx spectrum_at(Value p, unsigned width) {
    return load_global(element(tile_.in_base, p, step_.in_stride), width);
  }

  /// A half spectrum becomes points in scratch.
  void copy_spectrum_in() {
    const Value zero = b_.integer(0);
    const Value none = b_.real(0, f_.real);
    const auto n = to_signed(step_.line);
    if (step_.in_form == plan::Form::folded) {
      over_points(step_.line, [&](Value p, unsigned width) {
        const Value image = b_.integer(n - width + 1) - p;
        const Cx root = fold_root(f_, {p, 1}, width);
        point_to_scratch(p,
                         folded(spectrum_at(p, width), reversed(spectrum_at(image, width)), root));
      });
      const Cx first = spectrum_at(zero, 1), last = spectrum_at(b_.integer(n), 1);
      return point_to_scratch(
          zero, folded({first.re, none}, {last.re, none}, {b_.real(1, f_.real), none}));
    }
    over_points(step_.line / 2 + 1, [&](Value p, unsigned width) {
      const Cx x = spectrum_at(p, width);
      point_to_scratch(p, x);
      // Of point 0 there is no image: it goes beyond the last point.
      point_to_scratch(b_.integer(n - width + 1) - p, reversed({x.re, -x.im}));
    });
    point_to_scratch(zero, {spectrum_at(zero, 1).re, none});
    if (n % 2 == 0) {
      const Value half = b_.integer(n / 2);
      point_to_scratch(half, {spectrum_at(half, 1).re, none});
    }
  }

  void point_to_scratch(Value p, const Cx& x) { to_scratch(p, hooked({x}, {{p, 0}, 1})[0]); }

  /// Points in scratch become the half spectrum that they stand for.
  void copy_spectrum_out() {
    const bool fold = step_.out_form == plan::Form::folded;
    const auto n = to_signed(step_.line);
    if (fold) to_scratch(b_.integer(n), scratch_at(b_.integer(0), columns_));
    const std::uint64_t count = fold ? step_.line + 1 : step_.line / 2 + 1;
    const auto store_at = [&](Value p, const Cx& x) {
      store_global(element(tile_.out_base, p, step_.out_stride), store_hook(f_, x));
    };
    if (columns_ > 1 && !tile_.out_adjacent) {
      return over_elements(count, [&](Value p, Value lane) {
        const Cx image = scratch_of(b_.integer(n) - p, lane);
        const Cx x = unfolded(scratch_of(p, lane), image, fold_root(f_, {p, 0}, 1));
        store_point(tile_.out_base + tile_.out_stride * lane, p, x);
      });
    }
    if (columns_ > 1) {  // lanes are columns
      return b_.loop(to_signed(count), [&](Value p) {
        const Cx image = scratch_at(b_.integer(n) - p, columns_);
        store_at(p, unfolded(scratch_at(p, columns_), image, fold_root(f_, {p, 0}, columns_)));
      });
    }
    over_points(count, [&](Value p, unsigned width) {
      Cx x = scratch_at(p, width);
      if (fold) {
        const Cx image = reversed(scratch_at(b_.integer(n - width + 1) - p, width));
        x = unfolded(x, image, fold_root(f_, {p, 1}, width));
      }
      store_at(p, x);
    });
  }

  // --- rows: columns whose points lie side by side
  // -------------------------------------------------

  /// Short transforms one after the other: a block of memory becomes points by a transposition.
  bool whole_rows_in_registers(const Geometry& g) const {
    const bool chunks = 2 * g.radix % columns_ == 0;  // whole vectors per row: any distance will do
    return plain() && g.done == 1 && g.left == 1 && step_.in_stride == 1 && step_.out_stride == 1 &&
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
    if (step_.length < columns_ / 2 || step_.in_stride != 1 || !interleaved_in())
      return copy_elements_in();
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
    if (step_.length < columns_ / 2 || step_.out_stride != 1 || !interleaved_out())
      return copy_elements_out();
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
    over_elements(step_.length, [&](Value point, Value lane) {
      const Value first = number_in_lane(tile_.in_point, lane, tile_.in_point_step);
      const Value base = tile_.in_base + tile_.in_stride * lane;
      const Cx x = load_numbered(element(base, point, step_.in_stride),
                                 line_point(first, point, step_.in_point), 1);
      Value phase = tile_.phase;
      if (phase.valid()) phase = phase + lane * std::int64_t{tile_.phase_step};
      const Cx y = load_hook(f_, {x}, {{point, 0}, 1}, {phase, 0})[0];
      const Value scratch = point * std::int64_t{columns_} + lane;
      b_.store(scratch_.re[current_], scratch, y.re);
      b_.store(scratch_.im[current_], scratch, y.im);
    });
  }

  void copy_elements_out() {
    over_elements(step_.length, [&](Value point, Value lane) {
      const Value first = number_in_lane(tile_.out_point, lane, tile_.out_point_step);
      const Value base = tile_.out_base + tile_.out_stride * lane;
      store_numbered(element(base, point, step_.out_stride),
                     line_point(first, point, step_.out_point), scratch_of(point, lane));
    });
  }

  /// The point of one of the columns that lie side by side in scratch.
  Cx scratch_of(Value point, Value lane) {
    const Value at = point * std::int64_t{columns_} + lane;
    return {b_.load(scratch_.re[current_], at), b_.load(scratch_.im[current_], at)};
  }

  void over_elements(std::uint64_t count, const std::function<void(Value, Value)>& body) {
    b_.loop(to_signed(count),
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
    // A half spectrum takes one point more.
    const bool plain =
        step_.in_form == plan::Form::complex && step_.out_form == plan::Form::complex;
    const std::size_t size = (step_.length + (plain ? 0 : 1)) * step_.tile;
    for (int i = 0; i < 2; ++i) {
      scratch_.re[i] = b_.private_array("re" + std::to_string(i), f_.real, size);
      scratch_.im[i] = b_.private_array("im" + std::to_string(i), f_.real, size);
    }
    if (step_.convolution.rader) {
      scratch_.lone_re = b_.private_array("lone_re", f_.real, step_.tile);
      scratch_.lone_im = b_.private_array("lone_im", f_.real, step_.tile);
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
        t.number_step = static_cast<int>(fastest.number);
        t.in_point_step = fastest.in_point, t.out_point_step = fastest.out_point;
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
    advance(tile.phase, index, column.phase);
    advance(tile.number, index, column.number);
    advance(tile.in_point, index, column.in_point);
    advance(tile.out_point, index, column.out_point);
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
