// This file implements the common part of functions.
#include "passes/signature.hpp"

#include "blocks/rearrange.hpp"

namespace imago::passes {
namespace {

constexpr ir::Type kInt{ir::Base::i64, 1};

}  // namespace

FunctionSignature::FunctionSignature(const std::string& name, ir::Base base, bool in_place)
    : real{base, 1},
      b(name, 1),
      from(in_place ? b.global("from", real, true) : b.global_apart("from", real)),
      to(b.global("to", real, false)),
      table(b.global_apart("table", real)),
      scale(b.parameter("scale", real)),
      done(b.parameter("done", kInt)),
      left(b.parameter("left", kInt)),
      imaginary(b.parameter("imaginary", kInt)),
      inverse(b.parameter("inverse", kInt)) {}

void FunctionSignature::vectors(ir::Value extent, unsigned width,
                                const std::function<void(ir::Value)>& body) {
  if (width == 1) return b.loop(extent, body);
  const std::int64_t step = width;
  const ir::Value count = (extent + (step - 1)) / step, last = extent + -step;
  b.loop(count, [&](ir::Value i) { body(b.binary(ir::Op::min, i * step, last)); });
}

ir::Value FunctionSignature::stride() { return b.convert(b.group_id(), kInt); }

blocks::Cx FunctionSignature::load_split(ir::Value point, unsigned width) {
  const ir::Value re = b.load(from, point, width);
  return {re, b.load(from, point + imaginary, width)};
}

blocks::Cx FunctionSignature::load_pairs(ir::Value point, unsigned width) {
  const ir::Value low = b.load(from, point * 2, width);
  const ir::Value high = b.load(from, point * 2 + std::int64_t{width}, width);
  const blocks::Vectors both = blocks::to_components({low, high});
  return {both[0], both[1]};
}

void FunctionSignature::store_split(ir::Value point, const blocks::Cx& x) {
  b.store(to, point, x.re);
  b.store(to, point + imaginary, x.im);
}

void FunctionSignature::store_pairs(ir::Value point, const blocks::Cx& x) {
  const blocks::Vectors both = blocks::from_components({x.re, x.im});
  b.store(to, point * 2, both[0]);
  b.store(to, point * 2 + std::int64_t{x.re.type().lanes}, both[1]);
}

}  // namespace imago::passes
