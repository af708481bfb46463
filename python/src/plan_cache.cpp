// This file implements PlanCache.
#include "plan_cache.hpp"

#include <chrono>

#include "interrupts.hpp"

namespace imago::python {

PlanCache::Shared PlanCache::get(const std::string& key, const std::function<Make()>& prepare) {
  std::unique_lock lock(mutex_);
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    ++hits_;
    entries_.splice(entries_.begin(), entries_, found->second);
    const auto plan = found->second->plan;
    const bool counted = found->second->counted;
    lock.unlock();
    if (!counted) {
      wait_interruptibly([&](std::chrono::milliseconds patience) {
        return plan.wait_for(patience) == std::future_status::ready;
      });
      count(key);
    }
    return plan.get();
  }
  ++misses_;
  const auto promise = std::make_shared<std::promise<Shared>>();
  entries_.push_front({key, promise->get_future().share()});
  const auto plan = entries_.front().plan;
  by_key_[key] = entries_.begin();
  lock.unlock();
  work_interruptibly([promise, make = prepare()] {
    try {
      promise->set_value(std::make_shared<const Kept>(make()));
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  });
  count(key);
  return plan.get();
}

/// Takes note of a plan that has been made, or forgets that none could be.
void PlanCache::count(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found =
      by_key_.find(key);  // another's by now, or gone: clear() and trim() do not wait
  if (found == by_key_.end() || found->second->counted) return;
  if (found->second->plan.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    found->second->bytes = std::visit([](const auto& plan) { return plan.workspace_bytes(); },
                                      *found->second->plan.get());
    found->second->counted = true;
    bytes_ += found->second->bytes;
  } catch (...) {
    forget(found->second);
  }
  trim();
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
