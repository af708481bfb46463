// This file keeps the HostPlans that were used last, for callers that have no plan of their own.
#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include <imago/host_plan.hpp>
#include <imago/pool.hpp>

namespace imago::host {

/// Safe from many threads: one makes a plan, those that want the same wait for it, and who wants
/// another does not.
class KeptPlans {
 public:
  using Shared = std::shared_ptr<const HostPlan>;
  struct Limits {
    std::size_t plans = 64;
    std::size_t workspace_bytes = 0;  ///< of all together; the plan used last is kept in any case
  };

  KeptPlans(Pool pool, const Limits& limits) : pool_(std::move(pool)), limits_(limits) {}

  /// Makes the plan where it is not kept. What HostPlan's constructor throws goes to the caller;
  /// the next one that wants this plan tries anew.
  Shared get(const Transform& transform);
  const Pool& pool() const { return pool_; }
  std::size_t size() const;

 private:
  struct Entry {
    explicit Entry(Transform of) : transform(std::move(of)) {}

    const Transform transform;
    std::mutex making;
    std::optional<HostPlan> plan = {};
    std::atomic<std::size_t> workspace_bytes = 0;  ///< once the plan is made
  };
  using Kept = std::shared_ptr<Entry>;

  Kept entry_of(const Transform& transform);
  void make(const Kept& entry);
  void trim();

  const Pool pool_;
  const Limits limits_;
  mutable std::mutex mutex_;
  std::list<Kept> entries_;  ///< the one that was used last is first
};

/// Those of this process, on the default device for the precision, which is found at the first
/// call. Throws as find_device() and Pool.
std::shared_ptr<KeptPlans> kept_plans(Precision precision);
/// Lets go of them, and of their devices: the next call finds its device anew.
void drop_kept_plans();

}  // namespace imago::host
