// This file caches bytes on disk under a key, for compiled kernels, large tables and device
// properties. The cache only saves time; any problem with a file or the folder counts as a miss.
// Kernels are code, so files and folders that others own or can write also count as a miss. A
// read-only folder of the system may be searched after the user's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/hash.hpp"

namespace imago::runtime {

using Bytes = std::string;

class DiskCache {
 public:
  /// Makes a cache that stores nothing.
  DiskCache() = default;
  /// `system` is a folder of the user or of root, searched if `directory` has no entry; empty:
  /// none.
  explicit DiskCache(std::filesystem::path directory, std::filesystem::path system = {});
  /// Returns a cache in `directory` only. If that is empty, it uses $IMAGO_CACHE_DIR,
  /// $XDG_CACHE_HOME/imago or ~/.cache/imago, and then the system's folder: $IMAGO_SYSTEM_CACHE_DIR
  /// (empty: none), by default /var/cache/imago.
  static DiskCache at(const std::filesystem::path& directory);

  std::optional<Bytes> load(const base::Digest& key) const;
  /// Writes an entry atomically: a temporary file is renamed. Then removes the least recently used
  /// entries until the folder is within $IMAGO_CACHE_LIMIT_MB (256). An entry larger than half of
  /// that, or than 1 GiB, is not stored.
  void save(const base::Digest& key, const Bytes& payload) const;
  /// Returns the reason why save() would store nothing now; empty if it would store. Makes the
  /// folder, and writes a test file that it removes again.
  std::string refusal() const;
  const std::filesystem::path& directory() const { return directory_; }
  const std::filesystem::path& system() const { return system_; }

 private:
  static std::string name(const base::Digest& key);
  void evict(std::uint64_t limit) const;
  std::filesystem::path directory_, system_;  ///< empty: no cache
};

}  // namespace imago::runtime
