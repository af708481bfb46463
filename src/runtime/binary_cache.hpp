// This file holds the process-wide cache of compiled kernels and device properties. It stores
// bytes, no handles, and uses the disk cache as second level.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "base/hash.hpp"
#include "runtime/disk_cache.hpp"

namespace imago::runtime {

class BinaryCache {
 public:
  /// Returns the cache of this process.
  static BinaryCache& instance();

  /// Looks in memory, then on `disk`; returns null if neither has the key.
  std::shared_ptr<const Bytes> find(const base::Digest& key, const DiskCache& disk);
  /// Stores bytes in memory and on `disk`.
  void keep(const base::Digest& key, Bytes bytes, const DiskCache& disk);
  void clear();

 private:
  void remember(const base::Digest& key, std::shared_ptr<const Bytes> bytes);

  std::mutex mutex_;
  std::map<base::Digest, std::shared_ptr<const Bytes>> entries_;
  std::deque<base::Digest> order_;  ///< oldest first
  std::size_t total_ = 0;
};

}  // namespace imago::runtime
