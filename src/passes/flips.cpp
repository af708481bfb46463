// This file emits the steps around rows that are transformed together.
#include "passes/flips.hpp"

#include <cstdint>

#include "blocks/complex.hpp"
#include "blocks/rearrange.hpp"
#include "ir/contract.hpp"
#include "passes/signature.hpp"

namespace imago::passes {
namespace {

class FlipEmitter {
 public:
  FlipEmitter(const Flip& flip, ir::Base base)
      : flip_(flip), s_(name_of(flip, base), base), b_(s_.b) {}

  ir::Kernel kernel() {
    s_.vectors(s_.done, flip_.width / 2,
               [&](ir::Value point) { flip_.to_split ? to_split(point) : from_split(point); });
    return ir::contract(b_.take());
  }

 private:
  void to_split(ir::Value point) {
    blocks::Vectors rows;
    for (std::int64_t row = 0; row < flip_.width; ++row)
      rows.push_back(b_.load(s_.from, s_.left * row + point * 2, flip_.width));
    const blocks::Vectors x = blocks::to_components(rows);
    for (std::int64_t i = 0; i < flip_.width / 2; ++i) {
      const auto re = static_cast<std::size_t>(2 * i);
      s_.store_split((point + i) * std::int64_t{flip_.width}, {x[re], x[re + 1]});
    }
  }

  void from_split(ir::Value point) {
    blocks::Vectors x;
    for (std::int64_t i = 0; i < flip_.width / 2; ++i) {
      const blocks::Cx of_rows =
          s_.load_split((point + i) * std::int64_t{flip_.width}, flip_.width);
      x.push_back(of_rows.re), x.push_back(of_rows.im);
    }
    const blocks::Vectors rows = blocks::to_components(x);
    const ir::Value scale = b_.splat(s_.scale, flip_.width);
    for (std::int64_t row = 0; row < flip_.width; ++row)
      b_.store(s_.to, s_.left * row + point * 2, rows[static_cast<std::size_t>(row)] * scale);
  }

  const Flip flip_;
  FunctionSignature s_;
  ir::Builder& b_;
};

}  // namespace

std::string name_of(const Flip& flip, ir::Base real) {
  return std::string(flip.to_split ? "flip_in" : "flip_out") +
         (real == ir::Base::f64 ? "_f64_" : "_f32_") + std::to_string(flip.width);
}

ir::Kernel emit(const Flip& flip, ir::Base real) { return FlipEmitter(flip, real).kernel(); }

std::vector<Flip> all_flips(ir::Base real, unsigned bytes) {
  const unsigned width = bytes / (real == ir::Base::f64 ? 8 : 4);
  return {{width, true}, {width, false}};
}

}  // namespace imago::passes
