// This file caches parsed profiles: each file is parsed once per process, and again when it
// changes. An unusable file is logged once and then ignored.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "profile/profile.hpp"
#include "profile/shipped.hpp"

namespace imago::profile {

/// One version of a file.
class Source {
 public:
  /// `profile` is nullopt if the file is unusable.
  Source(std::string name, std::string file, std::optional<Profile> profile);

  const std::string& name() const { return name_; }  ///< "/home/../a.json", "shipped b.json"
  const std::string& file() const { return file_; }  ///< "a.json", "b.json"
  const std::optional<Profile>& profile() const { return profile_; }
  /// Returns the entries of a class with any batch; ignores the batch of `problem`.
  const std::vector<const Entry*>& entries(ProblemClass problem) const;
  /// Logs "profile <name> is ignored: <reason>", each reason once.
  void complain(const std::string& reason) const;

 private:
  std::string name_, file_;
  std::optional<Profile> profile_;
  std::map<ProblemClass, std::vector<const Entry*>> groups_;  ///< keys have batch 0
  mutable std::mutex mutex_;
  mutable std::set<std::string> told_;
};
using SourcePointer = std::shared_ptr<const Source>;

/// Returns the usable and unusable profiles *.json of a folder, ordered by name; empty if the
/// folder is unreadable. If nothing changed, this only checks the folder and each file for changes.
std::vector<SourcePointer> read_folder(const std::filesystem::path& folder);
/// Returns the usable and unusable profiles in memory, which must stay valid: they are parsed once.
std::vector<SourcePointer> read_shipped(const std::vector<Shipped>& files);

}  // namespace imago::profile
