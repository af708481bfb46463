// This file emits the passes of generic kernels: the Radix block with its digits as values, and a
// DFT of any prime length.
#include "blocks/butterfly.hpp"
#include "blocks/generic/tile.hpp"

namespace imago::blocks::generic {
namespace {

/// The operands of a pass: it reads points (r, q, k) and writes points (q, s, k).
struct Pass {
  const Tile& tile;
  ir::Value done;         ///< number of the digits k
  ir::Value table;        ///< index of the twiddle factors
  ir::Value butterflies;  ///< number of (q, k)
  ir::Value from, to;     ///< halves of the memory

  ir::Value factor(ir::Value index) const {
    return tile.in_all_lanes(tile.b.load(tile.frame.table, index));
  }
  /// Calls body for all q and k.
  void each(const std::function<void(const At& at, ir::Value q, ir::Value k)>& body) const {
    if (!tile.vectors()) {
      return tile.each(butterflies, [&](const At& at) {
        const ir::Value k = at.point % done, q = at.point / done;
        body(at, q, k);
      });
    }
    tile.b.loop(butterflies / done,
                [&](ir::Value q) { tile.b.loop(done, [&](ir::Value k) { body({}, q, k); }); });
  }
};

/// A pass of one radix.
struct RadixPass {
  Pass pass;
  unsigned radix;

  /// Multiplies the inputs of a butterfly by w^(r k), and computes it.
  void butterfly_at(const At& at, ir::Value q, ir::Value k) const {
    const ir::Value done = pass.done;
    Points x;
    for (unsigned r = 0; r < radix; ++r) {
      const ir::Value row = pass.butterflies * r, in_row = q * done + k;
      const Cx leg = pass.tile.point(pass.from, at, in_row + row);
      const ir::Value index = pass.table + done * (static_cast<int>(r) - 1) + k;
      x.push_back(r == 0 ? leg
                         : leg * Cx{pass.factor(index), pass.factor(index + done * (radix - 1))});
    }
    const Points y = butterfly(x);
    for (unsigned s = 0; s < radix; ++s) {
      const ir::Value row = done * s, first = q * (done * radix) + k;
      pass.tile.keep(pass.to, at, first + row, y[s]);
    }
  }
  void run() const {
    pass.each([&](const At& at, ir::Value q, ir::Value k) { butterfly_at(at, q, k); });
  }
};

/// A few complex numbers that change in a loop.
class Cells {
 public:
  Cells(const Tile& tile, const char* re, const char* im)
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

/// A pass of any odd prime p: the sums of blocks::butterfly() as loops. Inputs r and p - r are
/// replaced by their sum and their difference, in place. No order of the terms is chosen.
struct PrimePass {
  Pass pass;
  ir::Value p;

  void butterfly_at(const At& at, ir::Value q, ir::Value k) const {
    const Tile& tile = pass.tile;
    ir::Builder& b = tile.b;
    const Cells even(tile, "even_re", "even_im"), odd(tile, "odd_re", "odd_im");
    const ir::Value done = pass.done, in_row = q * done + k, half = p / 2;
    const auto place = [&](ir::Value r) { return in_row + pass.butterflies * r; };
    const ir::Value parts = done * (p - b.integer(1));  // of the twiddle factors
    const auto input = [&](ir::Value r) {
      const ir::Value before = r - b.integer(1), index = pass.table + done * before + k;
      const Cx leg = tile.point(pass.from, at, place(r));
      return leg * Cx{pass.factor(index), pass.factor(index + parts)};
    };
    const Cx x0 = tile.point(pass.from, at, in_row);
    const ir::Value one = b.integer(1), last = p - one;
    const Cx x1 = input(one), other = input(last), sum1 = x1 + other, difference1 = x1 - other;
    const ir::Value none = b.real(0, x0.re.type());
    tile.keep(pass.from, at, in_row, x0 - scaled(sum1, 0.5));
    tile.keep(pass.from, at, place(one), {none, none});
    tile.keep(pass.from, at, place(last), difference1);
    even.set(0, x0 + sum1);
    b.loop(half - one, [&](ir::Value i) {
      const ir::Value r = i + 2, mirrored = p - r;
      const Cx x = input(r), y = input(mirrored), sum = x + y, difference = x - y;
      const Cx further = sum - sum1;
      tile.keep(pass.from, at, place(r), further);
      tile.keep(pass.from, at, place(mirrored), difference);
      even.set(0, even.get(0) + sum);
    });
    const ir::Value first = q * (done * p) + k;
    tile.keep(pass.to, at, first, even.get(0));

    const ir::Value roots = pass.table + parts * 2;
    constexpr int kTogether = kernel::kGenericResults;
    b.loop((half + (kTogether - 1)) / kTogether, [&](ir::Value block) {
      const Cx common = tile.point(pass.from, at, in_row);
      for (unsigned i = 0; i < kTogether; ++i) even.set(i, common), odd.set(i, {none, none});
      b.loop(half, [&](ir::Value j) {
        const ir::Value r = j + 1, factors = roots + (block * half + j) * (2 * kTogether);
        const Cx sum = tile.point(pass.from, at, place(r));
        const Cx difference = tile.point(pass.from, at, place(p - r));
        for (unsigned i = 0; i < kTogether; ++i) {
          const ir::Value cosine = pass.factor(factors + 2 * i);
          const ir::Value sine = pass.factor(factors + (2 * i + 1));
          const Cx e = even.get(i), o = odd.get(i);
          even.set(i, {e.re + sum.re * cosine, e.im + sum.im * cosine});
          odd.set(i, {o.re + difference.re * sine, o.im + difference.im * sine});
        }
      });
      for (unsigned i = 0; i < kTogether; ++i) {
        const ir::Value s = block * kTogether + (i + 1);
        const ir::Value own = first + done * s, mirrored = first + done * (p - s);
        const Cx e = even.get(i), turned = times_minus_i(odd.get(i));
        const Cx result = e + turned, partner = e - turned;
        tile.keep(pass.to, at, own, result);
        tile.keep(pass.to, at, mirrored, partner);
      }
    });
  }
  void run() const {
    pass.each([&](const At& at, ir::Value q, ir::Value k) { butterfly_at(at, q, k); });
  }
};

}  // namespace

void transform(const Tile& tile, ir::Value pass) {
  ir::Builder& b = tile.b;
  const ir::Value place = pass * kernel::kPassNumbers;
  const ir::Value first = b.integer(kernel::kFirstPass) + place;
  const ir::Value radix = tile.number(first), done = tile.number(first + 1);
  const ir::Value table = tile.number(first + 2), from = tile.half(pass % 2);
  for (const unsigned r : kernel::kGenericRadices) {
    b.when(equal(radix, b.integer(r)), [&] {
      RadixPass{{tile, done, table, tile.points / r, from, tile.other_half(from)}, r}.run();
    });
  }
  b.when(b.integer(kernel::kGenericRadices.back()) < radix, [&] {
    PrimePass{{tile, done, table, tile.points / radix, from, tile.other_half(from)}, radix}.run();
  });
}

}  // namespace imago::blocks::generic
