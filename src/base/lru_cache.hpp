// This file holds a cache of the most recently used values. It is thread-safe. One thread makes a
// value, threads that need the same value wait for it, and threads that need another one do not.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace imago::base {

/// Defines how a thread makes a value, and how it waits for one that another thread makes. Both
/// functions may throw before the value exists. The job then continues, so it must own its inputs.
struct CacheWaiting {
  void (*work)(std::function<void()> job) = [](std::function<void()> job) { job(); };
  /// Waits until `ready` returns true, which it does if the value exists within the given time.
  void (*wait)(const std::function<bool(std::chrono::milliseconds)>& ready) =
      [](const auto& ready) {
        while (!ready(std::chrono::hours(1))) {
        }
      };
};

/// Upper limits of a cache. The most recently used value is always cached.
struct CacheLimits {
  std::size_t values = 64;
  std::size_t bytes = 0;  ///< total of all values
};

template <class Key, class Value, class Hash = std::hash<Key>>
class LruCache {
 public:
  using Shared = std::shared_ptr<const Value>;
  using BytesOf = std::size_t (*)(const Value& value);
  struct Counts {
    std::size_t values = 0, bytes = 0, hits = 0, misses = 0;
  };

  LruCache(const CacheLimits& limits, BytesOf bytes_of, const CacheWaiting& waiting = {})
      : limits_(limits), bytes_of_(bytes_of), waiting_(waiting) {}

  /// Returns the value of this key. If none is cached, `prepare()` returns the function that makes
  /// it. An exception of that function goes to the caller that ran it; callers that waited try
  /// again.
  template <class Prepare>
  Shared get(const Key& key, const Prepare& prepare) {
    for (;;) {
      std::shared_ptr<Promise> missed;
      const Entry entry = use(key, missed);
      if (entry.counted) return entry.value.get();
      if (missed)
        make(missed, prepare());
      else
        waiting_.wait([&](auto patience) { return is_ready(entry.value, patience); });
      count(key);
      try {
        return entry.value.get();
      } catch (...) {
        if (missed) throw;
      }
    }
  }

  void clear() {
    Entries dropped;
    const std::lock_guard lock(mutex_);
    dropped.swap(entries_);
    bytes_ = 0;
  }
  /// Changes the maximum number of cached values.
  void limit(std::size_t values) {
    const std::lock_guard lock(mutex_);
    limits_.values = values;
    trim();
  }
  Counts counts() const {
    const std::lock_guard lock(mutex_);
    return {entries_.size(), bytes_, hits_, misses_};
  }

 private:
  using Promise = std::promise<Shared>;
  using Future = std::shared_future<Shared>;
  struct Entry {
    Future value = {};
    std::uint64_t used = 0;  ///< number of the last use, in the order of all uses
    std::size_t bytes = 0;
    bool counted = false;  ///< true once the value exists and its bytes are known
  };
  using Entries = std::unordered_map<Key, Entry, Hash>;

  static bool is_ready(const Future& value, std::chrono::milliseconds patience) {
    return value.wait_for(patience) == std::future_status::ready;
  }

  /// Returns the entry of a key. For a new entry, sets `missed` to the promise of its value, else
  /// leaves it null.
  Entry use(const Key& key, std::shared_ptr<Promise>& missed) {
    const std::lock_guard lock(mutex_);
    const auto [found, added] = entries_.try_emplace(key);
    Entry& entry = found->second;
    if (added) {
      missed = std::make_shared<Promise>();
      entry.value = missed->get_future().share();
    }
    entry.used = ++uses_;
    ++(added ? misses_ : hits_);
    return entry;
  }

  template <class Make>
  void make(const std::shared_ptr<Promise>& promise, Make made) {
    waiting_.work([promise, made = std::move(made)] {
      try {
        promise->set_value(std::make_shared<const Value>(made()));
      } catch (...) {
        promise->set_exception(std::current_exception());
      }
    });
  }

  /// Counts a value that was made, or removes the entry of one that failed. The entry may already
  /// be a new one or gone, because clear() and trim() do not wait.
  void count(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end() || found->second.counted) return;
    Entry& entry = found->second;
    if (!is_ready(entry.value, std::chrono::milliseconds(0))) return;
    try {
      entry.bytes = bytes_of_(*entry.value.get());
      entry.counted = true;
      bytes_ += entry.bytes;
    } catch (...) {
      entries_.erase(found);
    }
    trim();
  }

  void trim() {
    while (entries_.size() > 1 && (entries_.size() > limits_.values || bytes_ > limits_.bytes)) {
      auto oldest = entries_.begin();
      for (auto entry = oldest; entry != entries_.end(); ++entry) {
        if (entry->second.used < oldest->second.used) oldest = entry;
      }
      bytes_ -= oldest->second.bytes;
      entries_.erase(oldest);
    }
  }

  CacheLimits limits_;
  const BytesOf bytes_of_;
  const CacheWaiting waiting_;
  mutable std::mutex mutex_;
  Entries entries_;
  std::uint64_t uses_ = 0;
  std::size_t bytes_ = 0, hits_ = 0, misses_ = 0;
};

}  // namespace imago::base
