// This file holds helpers for the tests of the IR.
#pragma once

#include <functional>
#include <string>

#include "interpreter/interpreter.hpp"
#include "ir/builder.hpp"

namespace imago::test {

inline constexpr ir::Type kInt{ir::Base::i32, 1}, kLong{ir::Base::i64, 1};
inline constexpr ir::Type kFloat{ir::Base::f32, 1}, kFloat2{ir::Base::f32, 2},
    kDouble{ir::Base::f64, 1}, kHalf{ir::Base::f16, 1}, kHalf2{ir::Base::f16, 2};

/// Returns a kernel with the code of `body`.
inline ir::Kernel kernel(unsigned work_group_size, const std::function<void(ir::Builder&)>& body) {
  ir::Builder builder("sample", work_group_size);
  body(builder);
  return builder.take();
}

/// Returns the number of operations of one kind in a kernel.
inline int count(const ir::Kernel& kernel, ir::Op op) {
  int found = 0;
  for (const ir::Instruction& instruction : kernel.code) found += instruction.op == op ? 1 : 0;
  return found;
}

}  // namespace imago::test
