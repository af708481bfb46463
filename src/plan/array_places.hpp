// This file says where the points of an array lie while a transform goes along its axes: as a
// direction reads them, between two axes, and as it writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/line_context.hpp"
#include "plan/program.hpp"

namespace imago::plan {

/// Where all points lie at one moment.
struct ArrayPlace {
  Memory memory = Memory::input;
  std::vector<std::uint64_t> strides;  ///< one per dimension
  std::uint64_t distance = 0;
  bool planar = false;
  bool real = false;  ///< complex points by their real parts, the others being zero
  std::optional<Hooked> hooked = {};
};

/// Row-major, without gaps.
ArrayPlace packed_place(Memory memory, const std::vector<std::uint64_t>& lengths);

struct ArrayPlaces {
  ArrayPlace in, out, between;
  bool moves = false;  ///< in place, from one layout to another
};
ArrayPlaces places_of(const LineContext& context);

}  // namespace imago::plan
