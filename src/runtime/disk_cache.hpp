// This file keeps bytes on disk under a key: compiled kernels, large tables and what was probed of
// a device. It can only save time: whatever is wrong with a file or the folder, the answer is "not
// there". As kernels are code, that includes files and folders that others own or can write. Below
// the user's folder there may be one of the system's, which is read only.
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
  /// Keeps nothing.
  DiskCache() = default;
  /// `system`: a folder of the user's or root's, read where `directory` has nothing; empty: none.
  explicit DiskCache(std::filesystem::path directory, std::filesystem::path system = {});
  /// `directory` alone; where it is empty $IMAGO_CACHE_DIR, $XDG_CACHE_HOME/imago or
  /// ~/.cache/imago, and below it the system's: $IMAGO_SYSTEM_CACHE_DIR (empty: none), else
  /// /var/cache/imago.
  static DiskCache at(const std::filesystem::path& directory);

  std::optional<Bytes> load(const base::Digest& key) const;
  /// Writes a file of its own and renames it, so readers see a whole entry or none; then removes
  /// the entries that were not used for longest until the folder is within $IMAGO_CACHE_LIMIT_MB
  /// (256).
  /// What alone would take half of that, or 1 GiB, is not kept.
  void save(const base::Digest& key, const Bytes& payload) const;
  /// Why save() would keep nothing now, for who asked for it; empty where it would. Makes the
  /// folder, and writes a file that goes again.
  std::string refusal() const;
  const std::filesystem::path& directory() const { return directory_; }
  const std::filesystem::path& system() const { return system_; }

 private:
  static std::string name(const base::Digest& key);
  void evict(std::uint64_t limit) const;
  std::filesystem::path directory_, system_;  ///< empty: off
};

}  // namespace imago::runtime
