// This file describes where the points of an array are during a transform along its axes: in the
// input of a direction, between two axes, and in the output.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/program.hpp"
#include "lines/line_context.hpp"

namespace imago::lines {

/// The places of all points at one moment.
struct ArrayPlace {
  kernel::Memory memory = kernel::Memory::input;
  std::vector<std::uint64_t> strides;  ///< one for each dimension
  std::uint64_t distance = 0;
  bool planar = false;
  bool real = false;  ///< complex points stored as real parts; the imaginary parts are zero
  std::optional<kernel::Hooked> hooked = {};
};

/// Returns the row-major place without gaps.
ArrayPlace packed_place(kernel::Memory memory, const std::vector<std::uint64_t>& lengths);

struct ArrayPlaces {
  ArrayPlace in, out, between;
  bool moves = false;  ///< in place, between different layouts
};
ArrayPlaces places_of(const LineContext& context);

}  // namespace imago::lines
