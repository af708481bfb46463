// This file shares objects that are costly to make: whoever asks for a key while anybody still
// holds its object gets that one, and concurrent requests for a key make it once. It keeps nothing
// alive.
#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace imago::runtime {

template <class Key, class Value>
class WeakMap {
 public:
  /// The live object of `key`, else what `make()` (a shared_ptr) returns. An exception of make()
  /// reaches this caller only; the next one tries again.
  template <class Make>
  std::shared_ptr<Value> get(const Key& key, Make make) {
    const auto slot = find(key);
    const std::lock_guard lock(slot->making);
    if (auto value = slot->value.lock()) return value;
    std::shared_ptr<Value> value = make();
    slot->value = value;
    return value;
  }

 private:
  struct Slot {
    std::mutex making;
    std::weak_ptr<Value> value;
  };

  /// The slot of a key; a new key sweeps out the slots that nobody uses.
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
