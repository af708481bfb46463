// This file holds what every Stockham kernel begins with: the signature of kernel/program.hpp, and
// what is done to elements on their way between global memory and the first and the last pass.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "blocks/complex.hpp"
#include "blocks/twiddle.hpp"
#include "kernel/program.hpp"

namespace imago::blocks {

/// An argument of the hooks of a side.
struct FrameArgument {
  ir::MemoryId memory;  ///< of a buffer
  ir::Value offset;     ///< of a buffer, in numbers or pairs
  ir::Value number;
  std::string passed;  ///< how a call of a user's function names it
};

/// A side's arguments.
struct FrameSide {
  ir::MemoryId memory;
  ir::MemoryId im;  ///< planar only
  ir::Value offset, distance;
  ir::Value
      origin;  ///< of hooked ones: where the array begins in memory; their offset counts numbers
  std::vector<FrameArgument> arguments;  ///< kernel::Hooked::arguments
  /// How calls of a user's function that reads or writes them name its memory and im.
  std::vector<std::string> passed;
};

/// The kernel's arguments; of a phase, those of the phase, whose names end in `suffix`.
struct Frame {
  Frame(ir::Builder& builder, const kernel::Step& step, const std::string& suffix = {});

  /// The number of this work-group among those of the step.
  ir::Value group() const;

  ir::Builder& b;
  const kernel::Step& step;
  ir::Type real;  ///< of the arithmetic: f32 or f64
  FrameSide in, out;
  FrameSide turn;  ///< of a filter, which turns here: no memory
  ir::MemoryId table, local;
  ir::Value batch, scale;
  /// Factors of hooks that were loaded before they were needed, by memory and index.
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, ir::Value> early = {};
  ir::Value group_of_phase = {};  ///< not valid(): the step is the whole kernel
};

/// Applied to elements as they are loaded: swaps the parts for the inverse, multiplies by the
/// inter-kernel twiddle. `phase` is that of the column; its base is invalid without inter-kernel
/// twiddle.
Points as_loaded(const Frame& frame, const Points& values, const Legs& legs, const Index& phase);
/// Applied to every element before it is stored: scale, and the swap back.
Cx as_stored(const Frame& frame, const Cx& value);

}  // namespace imago::blocks
