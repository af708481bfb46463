// This file lists schedules that find dependencies on the order of work-groups.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/interpreter.hpp"

namespace imago::test {

/// Returns schedules with one resident group (each group must be able to end alone), with two, and
/// with more than the phases of most kernels; in every order, several of them random.
inline std::vector<interpreter::Schedule> schedules() {
  using Order = interpreter::Schedule::Order;
  std::vector<interpreter::Schedule> all;
  for (const std::uint64_t residents : {1, 2, 5, 24}) {
    all.push_back({Order::in_order, residents});
    all.push_back({Order::reversed, residents});
    for (const std::uint64_t seed : {1, 2, 3}) all.push_back({Order::random, residents, seed});
  }
  return all;
}

}  // namespace imago::test
