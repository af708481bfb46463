// This file holds what every Stockham kernel begins with: the signature of plan/program.hpp, and
// the Copy block that moves complex elements between global memory and registers through the hooks.
#pragma once

#include "blocks/complex.hpp"
#include "blocks/twiddle.hpp"
#include "plan/program.hpp"

namespace imago::blocks {

/// The kernel's arguments.
struct Frame {
  Frame(ir::Builder& builder, const plan::Step& step);

  ir::Builder& b;
  const plan::Step& step;
  ir::Type real;  ///< f32 or f64
  ir::MemoryId in, out, table, local;
  ir::Value batch, in_offset, in_distance, out_offset, out_distance, scale;
};

/// Applied to elements as they are loaded: swaps the parts for the inverse, multiplies by the
/// inter-kernel twiddle. `phase` is that of the column; its base is invalid without inter-kernel
/// twiddle.
Points load_hook(const Frame& frame, const Points& values, const Legs& legs, const Index& phase);
/// Applied to every element before it is stored: scale, and the swap back.
Cx store_hook(const Frame& frame, const Cx& value);

}  // namespace imago::blocks
