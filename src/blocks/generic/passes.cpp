// This file emits the passes of generic kernels: the Radix block with its digits as values, a DFT
// of any prime length, and the four-step twiddle factors after the passes.
#include "blocks/butterfly.hpp"
#include "blocks/generic/tile.hpp"

namespace imago::blocks::generic {
namespace {

/// The operands of a pass: it reads points (r, q, k) and writes points (q, s, k).
struct TilePass {
  const Tile& tile;
  ir::Value done;         ///< number of the digits k
  ir::Value table;        ///< number of the first pair of twiddle factors
  ir::Value butterflies;  ///< number of (q, k)
  ir::Value from, to;     ///< halves of the memory
  Divisor by_done = {};   ///< not for vectors

  /// Returns the twiddle factor of input r > 0.
  Cx twiddle(ir::Value r, ir::Value k) const {
    const ir::Value row = table + k, before = (r + (-1)) * done;
    return tile.factor_at(row + before);
  }
  /// Calls body for all q and k.
  void each(const std::function<void(const At& at, ir::Value q, ir::Value k)>& body) const {
    if (!tile.vectors()) {
      return tile.each(butterflies, [&](const At& at) {
        const ir::Value q = by_done.quotient(at.point);
        body(at, q, by_done.rest(at.point, q));
      });
    }
    tile.b.loop(butterflies / done,
                [&](ir::Value q) { tile.b.loop(done, [&](ir::Value k) { body({}, q, k); }); });
  }
};

/// Emits a pass of one radix: multiplies the inputs of butterflies by w^(r k), and computes them.
void emit_pass(const TilePass& pass, unsigned radix) {
  pass.each([&](const At& at, ir::Value q, ir::Value k) {
    const Tile& tile = pass.tile;
    const ir::Value done = pass.done, digits = q * done;
    const ir::Value first = tile.place(pass.from, at, digits + k);
    const ir::Value leg = tile.distance(pass.butterflies);
    const ir::Value factor = pass.table + k;
    Points x{tile.get(first)};
    for (unsigned r = 1; r < radix; ++r) {
      const Cx input = tile.get(first + leg * r);
      const Cx root = tile.factor_at(factor + done * (r - 1));
      x.push_back(input * root);
    }
    const Points y = butterfly(x);
    const ir::Value out = tile.place(pass.to, at, digits * radix + k);
    const ir::Value result = tile.distance(done);
    for (unsigned s = 0; s < radix; ++s) tile.set(out + result * s, y[s]);
  });
}

/// A few complex numbers that change in a loop.
class PrimeSums {
 public:
  PrimeSums(const Tile& tile, const char* re, const char* im)
      : b_(tile.b), re_(array(tile, re)), im_(array(tile, im)) {}

  Cx get(unsigned i) const {
    const ir::Value index = b_.integer(i);
    return {b_.load(re_, index), b_.load(im_, index)};
  }
  void set(unsigned i, const Cx& x) const {
    const ir::Value index = b_.integer(i);
    b_.store(re_, index, x.re), b_.store(im_, index, x.im);
  }

 private:
  static ir::MemoryId array(const Tile& tile, const char* name) {
    return tile.b.private_array(name, tile.frame.real.with_lanes(tile.lanes),
                                kernel::kGenericResults);
  }
  ir::Builder& b_;
  ir::MemoryId re_, im_;
};

/// A pass of any odd prime p: the sums of blocks::butterfly() as loops. No order of the terms is
/// chosen.
struct PrimePass {
  static constexpr int kTogether = kernel::kGenericResults;
  TilePass pass;
  ir::Value p;
  ir::Value half = p / 2;
  Divisor by_butterflies = {};                             ///< only work-items
  ir::Value roots = pass.table + pass.done * (p - one());  ///< behind the twiddle factors

  ir::Value one() const { return p.builder().integer(1); }
  Cx zero() const {
    const ir::Value none = p.builder().real(0, pass.tile.frame.real.with_lanes(pass.tile.lanes));
    return {none, none};
  }
  /// One butterfly: its place in the tile, and the sums of its loops.
  struct PrimePlace {
    At at;
    ir::Value row, k, first;  ///< input 0, and result 0
    PrimeSums even, odd;
  };
  ir::Value place(const PrimePlace& w, ir::Value r) const { return w.row + pass.butterflies * r; }
  Cx input(const PrimePlace& w, ir::Value r) const {
    const Cx leg = pass.tile.point(pass.from, w.at, place(w, r));
    return leg * pass.twiddle(r, w.k);
  }

  /// Replaces inputs r and p - r by their sum and their difference; returns the sum.
  Cx add_pair(const PrimePlace& w, ir::Value r) const {
    const Tile& tile = pass.tile;
    const ir::Value opposite = p - r;
    const Cx x = input(w, r), y = input(w, opposite), sum = x + y, difference = x - y;
    tile.keep(pass.from, w.at, place(w, r), sum);
    tile.keep(pass.from, w.at, place(w, opposite), difference);
    return sum;
  }
  /// Does so for all inputs, and computes result 0.
  void add_pairs(const PrimePlace& w) const {
    const Tile& tile = pass.tile;
    const Cx x0 = tile.point(pass.from, w.at, w.row);
    w.even.set(0, x0);
    tile.b.loop(half, [&](ir::Value i) {
      const Cx sum = add_pair(w, i + 1);
      w.even.set(0, w.even.get(0) + sum);
    });
    tile.keep(pass.to, w.at, w.first, w.even.get(0));
  }
  /// Adds the sum and the difference of inputs r and p - r to the results of a block. All sums are
  /// less by the first one.
  void add_terms(const PrimePlace& w, ir::Value r, const Cx& first_sum, ir::Value factors) const {
    const Cx sum = pass.tile.point(pass.from, w.at, place(w, r)) - first_sum;
    const Cx difference = pass.tile.point(pass.from, w.at, place(w, p - r));
    for (unsigned i = 0; i < kernel::kGenericResults; ++i) {
      const Cx root = pass.tile.factor_at(factors + i);
      const Cx e = w.even.get(i), o = w.odd.get(i);
      w.even.set(i, {e.re + sum.re * root.re, e.im + sum.im * root.re});
      w.odd.set(i, {o.re + difference.re * root.im, o.im + difference.im * root.im});
    }
  }
  PrimePlace place_at(const At& at, ir::Value q, ir::Value k) const {
    const ir::Value row = q * pass.done + k, first = q * (pass.done * p) + k;
    return {at, row, k, first, {pass.tile, "even_re", "even_im"}, {pass.tile, "odd_re", "odd_im"}};
  }
  /// Returns the butterfly of a work-item; several items share each.
  PrimePlace shared_place(const At& at) const {
    const ir::Value place = by_butterflies.rest(at.point, by_butterflies.quotient(at.point));
    const ir::Value q = pass.by_done.quotient(place);
    return place_at(at, q, pass.by_done.rest(place, q));
  }
  /// Computes the results of a block and those opposite to them.
  void compute_block(const PrimePlace& w, ir::Value block) const {
    const Tile& tile = pass.tile;
    const At& at = w.at;
    const Cx x0 = tile.point(pass.from, at, w.row),
             sum1 = tile.point(pass.from, at, place(w, one()));
    const Cx common = x0 - scaled(sum1, 0.5);
    for (unsigned i = 0; i < kTogether; ++i) w.even.set(i, common), w.odd.set(i, zero());
    tile.b.loop(half, [&](ir::Value j) {
      const ir::Value factors = roots + (block * half + j) * kTogether;
      add_terms(w, j + 1, sum1, factors);
    });
    for (unsigned i = 0; i < kTogether; ++i) {
      const ir::Value s = block * kTogether + (i + 1);
      const ir::Value own = w.first + pass.done * s, opposite = w.first + pass.done * (p - s);
      const Cx e = w.even.get(i), turned = times_minus_i(w.odd.get(i));
      const Cx result = e + turned, at_opposite = e - turned;
      tile.keep(pass.to, at, own, result);
      tile.keep(pass.to, at, opposite, at_opposite);
    }
  }
  void butterfly_at(const At& at, ir::Value q, ir::Value k) const {
    const PrimePlace w = place_at(at, q, k);
    add_pairs(w);
    pass.tile.b.loop((half + (kTogether - 1)) / kTogether,
                     [&](ir::Value block) { compute_block(w, block); });
  }
  void run() const {
    pass.each([&](const At& at, ir::Value q, ir::Value k) { butterfly_at(at, q, k); });
  }
  /// The first pass of work-items that share a butterfly: a pair of inputs each.
  void run_sums() const {
    pass.tile.each(pass.butterflies * half, [&](const At& at) {
      const PrimePlace w = shared_place(at);
      add_pair(w, by_butterflies.quotient(at.point) + 1);
    });
  }
  /// The second one: a block of results each, and result 0.
  void run_blocks() const {
    const Tile& tile = pass.tile;
    const ir::Value blocks = (half + (kTogether - 1)) / kTogether;
    tile.each(pass.butterflies * blocks, [&](const At& at) {
      const PrimePlace w = shared_place(at);
      const ir::Value block = by_butterflies.quotient(at.point);
      tile.b.when(block < 1, [&] {
        w.even.set(0, tile.point(pass.from, at, w.row));
        tile.b.loop(half, [&](ir::Value i) {
          const Cx sum = tile.point(pass.from, at, place(w, i + 1));
          w.even.set(0, w.even.get(0) + sum);
        });
        tile.keep(pass.to, at, w.first, w.even.get(0));
      });
      compute_block(w, block);
    });
  }
};

/// The numbers of a pass.
struct PassNumbers {
  PassNumbers(const Tile& tile, ir::Value pass) : t(tile), first(pass * kernel::kPassNumbers) {}

  ir::Value get(kernel::GenericPass field) const {
    return t.number(t.b.integer(kernel::kFirstPass + static_cast<int>(field)) + first);
  }
  Divisor by_done() const {
    if (t.vectors()) return {};
    return {get(kernel::kPassDone), get(kernel::kPassDoneFactor), get(kernel::kPassDoneShift)};
  }
  /// Returns a pass of any prime.
  PrimePass prime(ir::Value p, ir::Value from, const Divisor& by_done) const {
    const ir::Value butterflies = t.points / p;
    PrimePass pass{{t, get(kernel::kPassDone), get(kernel::kPassFactors), butterflies, from,
                    t.other_half(from), by_done},
                   p};
    if (!t.vectors())
      pass.by_butterflies = {butterflies, get(kernel::kPassPlaceFactor),
                             get(kernel::kPassPlaceShift)};
    return pass;
  }

  const Tile& t;
  const ir::Value first;
};

/// Emits a pass of each radix of the list under a condition.
void emit_radices(const Tile& tile, const TilePass& any, ir::Value radix) {
  ir::Builder& b = tile.b;
  for (const unsigned r : kernel::kGenericRadices) {
    b.when(equal(radix, b.integer(r)), [&] {
      TilePass pass = any;
      pass.butterflies = tile.points / r;
      pass.to = tile.other_half(any.from);
      emit_pass(pass, r);
    });
  }
}

}  // namespace

void transform(const Tile& tile, ir::Value pass) {
  ir::Builder& b = tile.b;
  const PassNumbers numbers(tile, pass);
  const ir::Value radix = numbers.get(kernel::kPassRadix), done = numbers.get(kernel::kPassDone);
  const ir::Value table = numbers.get(kernel::kPassFactors), from = tile.half(pass % 2);
  const Divisor by_done = numbers.by_done();
  emit_radices(tile, {tile, done, table, {}, from, {}, by_done}, radix);
  b.when(b.integer(kernel::kGenericRadices.back()) < radix,
         [&] { numbers.prime(radix, from, by_done).run(); });
}

void transform_row(const Tile& tile, ir::Value pass, ir::Value before) {
  ir::Builder& b = tile.b;
  const PassNumbers numbers(tile, pass);
  const ir::Value code = numbers.get(kernel::kPassRadix), done = numbers.get(kernel::kPassDone);
  const ir::Value table = numbers.get(kernel::kPassFactors), radix = code % kernel::kPassSums;
  const ir::Value odd = code / kernel::kPassOdd, moved = odd + before;
  const ir::Value from = tile.half(moved % 2);
  const Divisor by_done = numbers.by_done();
  emit_radices(tile, {tile, done, table, {}, from, {}, by_done}, radix);
  const ir::Condition prime = b.integer(kernel::kGenericRadices.back()) < radix;
  const auto prime_pass = [&] { return numbers.prime(radix, from, by_done); };
  if (tile.vectors()) return b.when(prime, [&] { prime_pass().run(); });
  const ir::Value first_of_two = code / kernel::kPassSums % 2;
  const ir::Condition results = first_of_two < 1;
  b.when(equal(first_of_two, b.integer(1)), [&] { prime_pass().run_sums(); });
  b.when(prime && results, [&] { prime_pass().run_blocks(); });
}

void twiddle(const Tile& tile, ir::Value half) {
  ir::Builder& b = tile.b;
  const ir::Value entries = tile.number(kernel::kCoarseEntries), none = b.integer(0);
  const ir::Value unit = tile.number(kernel::kTwiddleUnit), mask = unit - b.integer(1);
  const ir::Value bits = tile.number(kernel::kTwiddleBits);
  const ir::Value coarse = tile.number(kernel::kCoarseTwiddles);
  const ir::Value fine = tile.number(kernel::kFineTwiddles);
  const auto part = [&](ir::Value index) { return b.load(tile.frame.table, index); };
  const auto root = [&](ir::Value phase) {
    const ir::Value high = coarse + b.binary(ir::Op::shift_right, phase, bits);
    const ir::Value low = fine + b.binary(ir::Op::bit_and, phase, mask);
    return Cx{part(high), part(high + entries)} * Cx{part(low), part(low + unit)};
  };
  const ir::Value results = tile.number(kernel::kResults);
  const ir::Value of_lanes = tile.number(kernel::kLaneTwiddles);
  tile.each(b.select(none < entries, results, none), [&](const At& at) {
    const ir::Value line = tile.vectors() ? none : tile.line_of(at.lane);
    Cx factor = root(at.point * (tile.column() + line));
    if (tile.vectors()) {
      const auto lanes = [&](ir::Value row) {
        return b.load(tile.frame.table, of_lanes + row * static_cast<int>(tile.lanes), tile.lanes);
      };
      factor = Cx{tile.in_all_lanes(factor.re), tile.in_all_lanes(factor.im)} *
               Cx{lanes(at.point), lanes(at.point + results)};
    }
    const Cx x = tile.swapped_back_if(tile.point(half, at, at.point)) * factor;
    tile.keep(half, at, at.point, tile.swapped_back_if(x));
  });
}

}  // namespace imago::blocks::generic
