// This file shares objects that are costly to make. While any user holds the object of a key, all
// others get the same one; concurrent requests make it once. The map keeps no object alive.
#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace imago::runtime {

template <class Key, class Value>
class WeakMap {
 public:
  /// Returns the live object of `key`, else the result of `make()` (a shared_ptr). An exception of
  /// make() goes to this caller only; the next caller tries again.
  template <class Make>
  std::shared_ptr<Value> get(const Key& key, Make make) {
    const auto slot = find(key);
    const std::lock_guard lock(slot->making);
    if (auto value = slot->value.lock()) return value;
    std::shared_ptr<Value> value = make();
    slot->value = value;
    return value;
  }

  /// Returns the live object of `key`; null if there is none, or if it is being made.
  std::shared_ptr<Value> live(const Key& key) {
    std::shared_ptr<Slot> slot;
    {
      const std::lock_guard lock(mutex_);
      const auto found = slots_.find(key);
      if (found == slots_.end()) return nullptr;
      slot = found->second;
    }
    const std::unique_lock lock(slot->making, std::try_to_lock);
    return lock ? slot->value.lock() : nullptr;
  }

 private:
  struct Slot {
    std::mutex making;
    std::weak_ptr<Value> value;
  };

  /// Returns the slot of a key; a new key also removes unused slots.
  std::shared_ptr<Slot> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = slots_.find(key);
    if (found != slots_.end()) return found->second;
    std::erase_if(slots_, [](const auto& entry) { return abandoned(entry.second); });
    const auto fresh = std::make_shared<Slot>();
    slots_.emplace(key, fresh);
    return fresh;
  }

  static bool abandoned(const std::shared_ptr<Slot>& slot) {
    const std::unique_lock lock(slot->making, std::try_to_lock);
    return lock && slot.use_count() == 1 && slot->value.expired();
  }

  std::mutex mutex_;
  std::map<Key, std::shared_ptr<Slot>> slots_;
};

}  // namespace imago::runtime
