// This file holds the start of every Stockham kernel: the parameters (kernel/signature.hpp), and
// the operations on elements between global memory and the first and the last pass.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "blocks/complex.hpp"
#include "blocks/twiddle.hpp"
#include "kernel/generic_hooks.hpp"
#include "kernel/program.hpp"

namespace imago::blocks {

/// An argument of the call for a side.
struct FrameArgument {
  ir::MemoryId memory;  ///< for a buffer
  ir::Value offset;     ///< for a buffer, in numbers or pairs
  ir::Value number;
  std::string passed;  ///< text that passes it to a user's function
};

/// A side's arguments.
struct FrameSide {
  ir::MemoryId memory;
  ir::MemoryId im;  ///< planar storage only
  ir::Value offset, distance;
  /// Begin of the array in memory, for sides with steps of the caller; their offset counts numbers.
  ir::Value origin;
  std::vector<FrameArgument> arguments;  ///< arguments of the call, in the order of their indices
  /// Texts that pass `memory` and `im` to a user's function that reads or writes memory.
  std::vector<std::string> passed;
  /// Generic hooks: `memory` as numbers of each type; that of real numbers is not set.
  std::array<ir::MemoryId, kernel::kInMemoryTypes> stored = {};
};

/// The kernel's arguments; for a phase, the phase's arguments, whose names end in `suffix`.
struct Frame {
  Frame(ir::Builder& builder, const kernel::Step& step, const std::string& suffix = {});

  /// Returns the number of this work-group among those of the step.
  ir::Value group() const;

  ir::Builder& b;
  const kernel::Step& step;
  ir::Type real;  ///< type of the arithmetic: f32 or f64
  FrameSide in, out;
  FrameSide spectrum;  ///< the fused point of a filter, which has no memory
  ir::MemoryId table, local;
  ir::Value batch, scale;
  /// Summands that were loaded before they are needed, by memory and index.
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, ir::Value> early = {};
  /// Factors that were loaded before they are needed, by memory, index and the element's number.
  mutable std::map<std::array<std::uint32_t, 3>, ir::Value> early_factors = {};
  /// These loads by memory, index and the condition under which boxes contain the element:
  /// elements share only factors of one condition, because a factor outside of a box is not loaded.
  mutable std::map<std::array<std::uint32_t, 3>, ir::Value> shared_factors = {};
  ir::Value group_of_phase = {};  ///< not valid(): the step is the whole kernel
  ir::MemoryId numbers = {};      ///< generic kernels only
  ir::Value first_number = {};    ///< generic kernels only
};

/// Changes elements after their load: swaps the parts for the inverse, and multiplies by the
/// four-step twiddle. `phase` is the column's; its base is not valid without four-step twiddle.
Points as_loaded(const Frame& frame, const Points& values, const Legs& legs, const Index& phase);
/// Changes an element before its store: applies the scaling, and swaps the parts back.
Cx as_stored(const Frame& frame, const Cx& value);

}  // namespace imago::blocks
