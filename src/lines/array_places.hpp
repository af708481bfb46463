// This file says where the points of an array lie while a transform goes along its axes: as a
// direction reads them, between two axes, and as it writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/program.hpp"
#include "lines/line_context.hpp"

namespace imago::lines {

/// Where all points lie at one moment.
struct ArrayPlace {
  kernel::Memory memory = kernel::Memory::input;
  std::vector<std::uint64_t> strides;  ///< one per dimension
  std::uint64_t distance = 0;
  bool planar = false;
  bool real = false;  ///< complex points by their real parts, the others being zero
  std::optional<kernel::Hooked> hooked = {};
};

/// Row-major, without gaps.
ArrayPlace packed_place(kernel::Memory memory, const std::vector<std::uint64_t>& lengths);

struct ArrayPlaces {
  ArrayPlace in, out, between;
  bool moves = false;  ///< in place, from one layout to another
};
ArrayPlaces places_of(const LineContext& context);

}  // namespace imago::lines
