// This file lists schedules that find what the order of work-groups can break.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter/interpreter.hpp"

namespace imago::test {

/// One resident group (each must be able to end alone), two, and more than most kernels' phases
/// have; every order, and several by chance.
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
