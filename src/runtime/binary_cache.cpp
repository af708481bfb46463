// This file implements the process-wide cache of compiled kernels and device properties.
#include "runtime/binary_cache.hpp"

#include <utility>

namespace imago::runtime {
namespace {

// A kernel's binary has 20 to 200 KB, so several hundred fit.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

}  // namespace

// Never destroyed: plans with static storage may still be built and dropped after main().
BinaryCache& BinaryCache::instance() {
  static auto* cache = new BinaryCache;
  return *cache;
}

std::shared_ptr<const Bytes> BinaryCache::find(const base::Digest& key, const DiskCache& disk) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found != entries_.end()) return found->second;
  }
  auto stored = disk.load(key);
  if (!stored) return nullptr;
  auto bytes = std::make_shared<const Bytes>(std::move(*stored));
  remember(key, bytes);
  return bytes;
}

void BinaryCache::keep(const base::Digest& key, Bytes bytes, const DiskCache& disk) {
  disk.save(key, bytes);
  remember(key, std::make_shared<const Bytes>(std::move(bytes)));
}

void BinaryCache::clear() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  order_.clear();
  total_ = 0;
}

void BinaryCache::remember(const base::Digest& key, std::shared_ptr<const Bytes> bytes) {
  const std::lock_guard lock(mutex_);
  auto& entry = entries_[key];
  if (entry) {
    total_ -= entry->size();
  } else {
    order_.push_back(key);
  }
  total_ += bytes->size();
  entry = std::move(bytes);
  while (total_ > kMostBytes && order_.size() > 1) {
    const auto oldest = entries_.find(order_.front());
    total_ -= oldest->second->size();
    entries_.erase(oldest);
    order_.pop_front();
  }
}

}  // namespace imago::runtime
