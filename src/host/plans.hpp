// This file makes the plans of a HostPlan: one for each shape of its pieces and each device.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include <imago/host_plan.hpp>

#include "host/passes.hpp"

namespace imago::host {

/// Safe from many threads.
class Plans {
 public:
  Plans(const Pool& pool, const Options& options, std::vector<Shapes::Shape> shapes);

  /// Makes the plan if it is not made yet.
  const Plan& get(std::size_t device, std::size_t shape) const;
  /// True if calls of this shape need the number of the piece (Piece::number).
  bool takes_number(std::size_t shape) const;
  /// Returns the bytes of the plans that the first device has.
  std::size_t workspace_bytes() const;
  std::size_t shapes() const { return shapes_.size(); }

 private:
  struct Lazy {
    std::mutex mutex;
    std::optional<Plan> plan;
  };

  const Pool pool_;
  const Options options_;
  const std::vector<Shapes::Shape> shapes_;
  mutable std::deque<Lazy> plans_;  ///< those of the first device first
};

}  // namespace imago::host
