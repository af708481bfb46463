// This file holds a kernel of two phases, for tests of the order of work-groups.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "ir/kernels.hpp"

namespace imago::test {

/// One phase stores the elements of `data`, plus 1, to `between`. The other phase stores twice the
/// elements of `between` to `data`, in an order in which every group reads elements of all groups.
/// Each phase has `groups` work-groups.
struct TwoPhases {
  int work_group_size = 4;
  int groups = 8;
  // The counts that the second phase waits for, and that end the kernel; other numbers are errors.
  int awaited = groups;
  int finishing = 2 * groups;

  int elements() const { return groups * work_group_size; }
  std::vector<float> data() const {
    std::vector<float> data(elements());
    std::iota(data.begin(), data.end(), 0.0f);
    return data;
  }
  std::vector<float> result() const {
    std::vector<float> result;
    for (int i = 0; i < elements(); ++i)
      result.push_back(2.0f * (static_cast<float>((i * 7 + 3) % elements()) + 1));
    return result;
  }
  /// Its arguments: data, between, counters.
  ir::Kernel kernel() const;
};

inline ir::Kernel TwoPhases::kernel() const {
  return test::kernel(static_cast<unsigned>(work_group_size), [this](ir::Builder& b) {
    const auto data = b.global("data", kFloat, false), between = b.global("between", kFloat, false);
    const auto counters = b.counters("counters");
    const ir::Value ticket = b.take_ticket(counters);
    const ir::Value id = b.local_id(static_cast<unsigned>(work_group_size));
    b.when(ticket < groups, [&] {
      const ir::Value i = ticket * work_group_size + id;
      b.store(between, i, b.load(data, i) + b.real(1, kFloat));
    });
    b.when(b.integer(groups - 1) < ticket, [&] {
      const ir::Value i = (ticket + b.integer(-groups)) * work_group_size + id;
      b.await(counters, b.integer(awaited));
      b.store(data, i, scaled(b.load(between, (i * 7 + 3) % elements()), 2));
    });
    b.finish(counters, b.integer(finishing));
  });
}

}  // namespace imago::test
