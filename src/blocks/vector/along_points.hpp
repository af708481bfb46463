// This file has lanes go along the points of a line in the vector mapping.
#pragma once

#include <cstdint>
#include <functional>

#include "blocks/complex.hpp"
#include "kernel/step.hpp"

namespace imago::blocks {

/// Calls body(i, width) with lanes along `count` numbers: the widest vectors of the step that fit,
/// the last moved back.
void over_points(ir::Builder& b, const kernel::Step& step, std::uint64_t count,
                 const std::function<void(ir::Value, unsigned)>& body);
/// The lanes in reverse order.
ir::Value reversed(ir::Value x);
Cx reversed(const Cx& x);

}  // namespace imago::blocks
