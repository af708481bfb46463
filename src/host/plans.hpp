// This file makes the plans of a HostPlan, one for each shape of its pieces and each device.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include <imago/host_plan.hpp>

#include "host/passes.hpp"

namespace imago::host {

/// Returns the options of the plan for a shape.
Options options_of(const Shapes::Shape& shape, Options options);

/// Thread-safe.
class Plans {
 public:
  Plans(const Pool& pool, const Options& options, std::vector<Shapes::Shape> shapes);

  /// Returns a plan; makes it at the first call.
  const Plan& get(std::size_t device, std::size_t shape) const;
  /// True if calls of this shape need Piece::number.
  bool takes_number(std::size_t shape) const;
  /// Returns the plans of the first device that exist.
  std::vector<const Plan*> of_first() const { return made(shapes_.size()); }
  /// True if all plans that exist are ready (Plan::ready).
  bool ready() const;
  /// Waits for all plans that exist; returns false if the given time ended first.
  bool wait(std::chrono::milliseconds most) const;
  std::size_t shapes() const { return shapes_.size(); }

 private:
  struct Lazy {
    std::mutex mutex;
    std::optional<Plan> plan;
  };

  /// Returns those of the first `most` plans that exist, which remain where they are.
  std::vector<const Plan*> made(std::size_t most) const;

  const Pool pool_;
  const Options options_;
  const std::vector<Shapes::Shape> shapes_;
  mutable std::deque<Lazy> plans_;  ///< ordered by device
};

}  // namespace imago::host
