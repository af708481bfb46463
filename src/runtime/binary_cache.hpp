// This file is the process-wide memory of compiled kernels and probed facts: bytes, no handles,
// backed by the disk.
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
  /// The one of this process.
  static BinaryCache& instance();

  /// From memory, else from `disk`; null where neither has it.
  std::shared_ptr<const Bytes> find(const base::Digest& key, const DiskCache& disk);
  /// In memory and on `disk`.
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
