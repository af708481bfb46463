// This file implements PlanCache.
#include "plan_cache.hpp"

namespace imago::python {

PlanCache::Shared PlanCache::get(const std::string& key, const std::function<Plan()>& make) {
  std::unique_lock lock(mutex_);
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    ++hits_;
    entries_.splice(entries_.begin(), entries_, found->second);
    const auto plan = found->second->plan;
    lock.unlock();
    return plan.get();
  }
  ++misses_;
  std::promise<Shared> promise;
  entries_.push_front({key, promise.get_future().share(), 0});
  const auto plan = entries_.front().plan;
  by_key_[key] = entries_.begin();
  lock.unlock();
  try {
    promise.set_value(std::make_shared<const Plan>(make()));
  } catch (...) {
    promise.set_exception(std::current_exception());
  }
  lock.lock();
  // The entry may be another's by now, or gone: clear() and trim() do not wait.
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    const auto ready = found->second->plan.wait_for(std::chrono::seconds(0));
    if (ready == std::future_status::ready && found->second->bytes == 0) {
      try {
        found->second->bytes = found->second->plan.get()->workspace_bytes();
        bytes_ += found->second->bytes;
      } catch (...) {
        forget(found->second);
      }
    }
    trim();
  }
  lock.unlock();
  return plan.get();
}

void PlanCache::forget(Entries::iterator entry) {
  bytes_ -= entry->bytes;
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

void PlanCache::trim() {
  while (entries_.size() > 1 && (entries_.size() > most_plans_ || bytes_ > most_bytes_))
    forget(std::prev(entries_.end()));
}

void PlanCache::clear() {
  const std::lock_guard lock(mutex_);
  by_key_.clear();
  entries_.clear();
  bytes_ = 0;
}

PlanCache::Counts PlanCache::counts() const {
  const std::lock_guard lock(mutex_);
  return {entries_.size(), bytes_, hits_, misses_};
}

}  // namespace imago::python
