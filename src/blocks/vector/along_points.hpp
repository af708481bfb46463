// This file lays lanes along the points of a line in the vector mapping.
#pragma once

#include <cstdint>
#include <functional>

#include "blocks/complex.hpp"
#include "kernel/step.hpp"

namespace imago::blocks {

/// Calls body(i, width) for `count` numbers in lanes. It uses the step's widest vectors that fit;
/// the last vector is moved back to end at `count`.
void over_points(ir::Builder& b, const kernel::Step& step, std::uint64_t count,
                 const std::function<void(ir::Value, unsigned)>& body);
/// Returns the lanes in reverse order.
ir::Value reversed(ir::Value x);
Cx reversed(const Cx& x);

}  // namespace imago::blocks
