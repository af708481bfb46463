// This file makes the plans of a HostPlan: one for each shape of its pieces and each device.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include <imago/host_plan.hpp>

#include "host/course.hpp"

namespace imago::host {

/// Safe from many threads.
class Plans {
 public:
  Plans(const Pool& pool, const Options& options, std::vector<Shapes::Shape> shapes);

  /// Made now, if it was not before.
  const Plan& get(std::size_t device, std::size_t shape) const;
  /// Whether its calls say which piece it is (Piece::number).
  bool takes_number(std::size_t shape) const;
  /// Of those that the first device has.
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
