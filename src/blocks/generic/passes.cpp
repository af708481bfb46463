// This file emits the passes of generic kernels: the Radix block with its digits as values.
#include "blocks/butterfly.hpp"
#include "blocks/generic/tile.hpp"

namespace imago::blocks::generic {
namespace {

/// A pass of one radix: it reads points (r, q, k) and writes points (q, s, k).
struct RadixPass {
  const Tile& tile;
  unsigned radix;
  ir::Value done;         ///< number of the digits k
  ir::Value table;        ///< index of the twiddle factors
  ir::Value butterflies;  ///< number of (q, k)
  ir::Value from, to;     ///< halves of the memory

  /// Multiplies the inputs of a butterfly by w^(r k), and computes it.
  void butterfly_at(const At& at, ir::Value q, ir::Value k) const {
    ir::Builder& b = tile.b;
    Points x;
    for (unsigned r = 0; r < radix; ++r) {
      const ir::Value row = butterflies * r, in_row = q * done + k;
      const Cx leg = tile.point(from, at, in_row + row);
      const auto factor = [&](ir::Value index) {
        return tile.in_all_lanes(b.load(tile.frame.table, index));
      };
      const ir::Value index = table + done * (static_cast<int>(r) - 1) + k;
      x.push_back(r == 0 ? leg : leg * Cx{factor(index), factor(index + done * (radix - 1))});
    }
    const Points y = butterfly(x);
    for (unsigned s = 0; s < radix; ++s) {
      const ir::Value row = done * s, first = q * (done * radix) + k;
      tile.keep(to, at, first + row, y[s]);
    }
  }
  void run() const {
    if (!tile.vectors()) {
      return tile.each(butterflies, [&](const At& at) {
        const ir::Value k = at.point % done, q = at.point / done;
        butterfly_at(at, q, k);
      });
    }
    tile.b.loop(butterflies / done, [&](ir::Value q) {
      tile.b.loop(done, [&](ir::Value k) { butterfly_at({}, q, k); });
    });
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
      RadixPass{tile, r, done, table, tile.points / r, from, tile.other_half(from)}.run();
    });
  }
}

}  // namespace imago::blocks::generic
