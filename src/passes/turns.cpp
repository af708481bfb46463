// This file emits the step between the halves of a long transform.
#include "passes/turns.hpp"

#include <cstdint>

#include "blocks/complex.hpp"
#include "blocks/rearrange.hpp"
#include "ir/contract.hpp"
#include "passes/signature.hpp"

namespace imago::passes {
namespace {

using blocks::Cx;
using ir::Value;

class TurnEmitter {
 public:
  TurnEmitter(const Turn& turn, ir::Base base)
      : turn_(turn), s_(name_of(turn, base), base), b_(s_.b) {}

  ir::Kernel kernel() {
    const std::int64_t tile = turn_.tile, width = turn_.width;
    b_.loop(s_.done / tile, [&](Value p) {
      b_.loop(tile / width, [&](Value rows) {
        const Value row = rows * width;
        b_.loop(tile / width, [&](Value columns) { square(p, row, columns * width); });
      });
    });
    return ir::contract(b_.take());
  }

 private:
  /// Turns width x width elements of block p.
  void square(Value p, Value row, Value column) {
    const std::int64_t tile = turn_.tile;
    blocks::Vectors re, im;
    for (unsigned i = 0; i < turn_.width; ++i) {
      const Cx x = s_.load_split((p * tile + row + std::int64_t{i}) * tile + column, turn_.width);
      re.push_back(x.re), im.push_back(x.im);
    }
    re = blocks::to_components(re), im = blocks::to_components(im);
    for (unsigned i = 0; i < turn_.width; ++i) {
      const Value c = column + std::int64_t{i};
      const Value at = c * (2 * tile) + row;
      const Value row_re = b_.load(s_.table, at, turn_.width);
      const Value row_im = b_.load(s_.table, at + tile, turn_.width);
      const Value shared = (p + tile) * (2 * tile) + c;
      const Value column_re = b_.load(s_.table, shared);
      const Value column_im = b_.load(s_.table, shared + tile);
      const Value all_re = b_.splat(column_re, turn_.width);
      const Cx of_column{all_re, b_.splat(column_im, turn_.width)};
      const Cx factor = Cx{row_re, row_im} * of_column;
      const Cx x = Cx{re[i], im[i]} * factor;
      s_.store_split((p * s_.left + c) * tile + row, x);
    }
  }

  const Turn turn_;
  FunctionSignature s_;
  ir::Builder& b_;
};

}  // namespace

std::string name_of(const Turn& turn, ir::Base real) {
  return std::string("turn") + std::to_string(turn.tile) +
         (real == ir::Base::f64 ? "_f64_" : "_f32_") + std::to_string(turn.width);
}

ir::Kernel emit(const Turn& turn, ir::Base real) { return TurnEmitter(turn, real).kernel(); }

std::vector<Turn> all_turns(ir::Base real, unsigned bytes) {
  constexpr unsigned kRowBytes = 64;  // a line of the cache for each part
  const unsigned size = real == ir::Base::f64 ? 8 : 4;
  return {{bytes / size, kRowBytes / size}};
}

}  // namespace imago::passes
