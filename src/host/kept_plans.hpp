// This file keeps the HostPlans that were used last, for callers that have no plan of their own.
#pragma once

#include <cstddef>
#include <memory>

#include <imago/host_plan.hpp>
#include <imago/pool.hpp>

#include "base/lru_cache.hpp"

namespace imago::host {

/// Plans of one pool; safe from many threads, as LruCache is.
class KeptPlans {
  struct Hash {
    std::size_t operator()(const Transform& transform) const;
  };
  using Cache = base::LruCache<Transform, HostPlan, Hash>;

 public:
  using Shared = Cache::Shared;

  /// `limits.bytes` is for the workspaces.
  KeptPlans(const Pool& pool, const base::CacheLimits& limits);

  /// Makes the plan if it is not kept. Throws what HostPlan's constructor throws.
  Shared get(const Transform& transform);
  const Pool& pool() const { return pool_; }
  std::size_t size() const { return plans_.counts().values; }

 private:
  const Pool pool_;
  Cache plans_;
};

/// The plans of this process, on the default device for the precision, which is found at the first
/// call. Throws as find_device() and Pool.
std::shared_ptr<KeptPlans> kept_plans(Precision precision);
/// Releases them and their devices: the next call finds its device anew.
void drop_kept_plans();

}  // namespace imago::host
