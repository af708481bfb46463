// This file caches the most recently used HostPlans, for callers that have no plan of their own.
#pragma once

#include <cstddef>
#include <memory>

#include <imago/host_plan.hpp>
#include <imago/pool.hpp>

#include "base/lru_cache.hpp"

namespace imago::host {

struct TransformHash {
  std::size_t operator()(const Transform& transform) const;
};

/// A cache of the plans of one pool; thread-safe, as LruCache is.
class KeptPlans {
  using Cache = base::LruCache<Transform, HostPlan, TransformHash>;

 public:
  using Shared = Cache::Shared;

  /// `limits.bytes` limits the sum of the workspaces.
  KeptPlans(const Pool& pool, const base::CacheLimits& limits);

  /// Returns the cached plan, or makes it. Throws the exceptions of HostPlan's constructor.
  Shared get(const Transform& transform);
  const Pool& pool() const { return pool_; }
  std::size_t size() const { return plans_.counts().values; }

 private:
  const Pool pool_;
  Cache plans_;
};

/// Returns the plans of this process, on the default device for the precision. The first call
/// chooses the device. Throws as find_device() and Pool.
std::shared_ptr<KeptPlans> kept_plans(Precision precision);
/// Returns true if the pool is that of kept_plans().
bool is_kept_pool(const Pool& pool);
/// Releases the plans and their devices; the next call chooses its device anew.
void drop_kept_plans();

}  // namespace imago::host
