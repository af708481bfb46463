// This file implements PlanCache.
#include "plan_cache.hpp"

#include <chrono>

#include "interrupts.hpp"

namespace imago::python {

PlanCache::Shared PlanCache::get(const std::string& key, const std::function<Make()>& prepare) {
  for (;;) {
    std::unique_lock lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) {
      ++misses_;
      const auto entry = insert(key);
      lock.unlock();
      return build(entry, prepare());
    }
    ++hits_;
    entries_.splice(entries_.begin(), entries_, found->second);
    const Entry entry = *found->second;
    lock.unlock();
    if (entry.counted) return entry.plan.get();
    wait_interruptibly([&](std::chrono::milliseconds patience) {
      return entry.plan.wait_for(patience) == std::future_status::ready;
    });
    count(key);
    try {
      return entry.plan.get();
    } catch (...) {
      // A signal may have met the driver's compiler at work (LLVM removes the file that it writes
      // then), so what failed behind one says nothing of the plan: it is made anew.
      if (!*entry.left_behind) throw;
    }
  }
}

PlanCache::Entry PlanCache::insert(const std::string& key) {
  Entry entry;
  entry.key = key;
  entry.plan = entry.promise->get_future().share();
  entries_.push_front(entry);
  by_key_[key] = entries_.begin();
  return entry;
}

PlanCache::Shared PlanCache::build(const Entry& entry, Make make) {
  try {
    work_interruptibly([promise = entry.promise, make = std::move(make)] {
      try {
        promise->set_value(std::make_shared<const Kept>(make()));
      } catch (...) {
        promise->set_exception(std::current_exception());
      }
    });
  } catch (...) {
    *entry.left_behind = true;
    throw;
  }
  count(entry.key);
  return entry.plan.get();
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

void PlanCache::limit(std::size_t plans) {
  const std::lock_guard lock(mutex_);
  most_plans_ = plans;
  trim();
}

PlanCache::Counts PlanCache::counts() const {
  const std::lock_guard lock(mutex_);
  return {entries_.size(), bytes_, hits_, misses_};
}

}  // namespace imago::python
