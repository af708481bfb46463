// This file keeps the profiles that were read: each file is parsed once per process, and again when
// it changes. A file that cannot be used is told about once, and then is as if it were not there.
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

/// One version of a file, as it was read.
class Source {
 public:
  /// `profile` none: the file cannot be used.
  Source(std::string name, std::string file, std::optional<Profile> profile);

  const std::string& name() const { return name_; }  ///< "/home/../a.json", "shipped b.json"
  const std::string& file() const { return file_; }  ///< "a.json", "b.json"
  const std::optional<Profile>& profile() const { return profile_; }
  /// The entries of a class of any batch; `problem`'s own batch does not count.
  const std::vector<const Entry*>& entries(ProblemClass problem) const;
  /// Logs "profile <name> is ignored: <reason>", each reason once.
  void complain(const std::string& reason) const;

 private:
  std::string name_, file_;
  std::optional<Profile> profile_;
  std::map<ProblemClass, std::vector<const Entry*>> groups_;  ///< keyed with batch 0
  mutable std::mutex mutex_;
  mutable std::set<std::string> told_;
};
using SourcePointer = std::shared_ptr<const Source>;

/// The usable and unusable profiles *.json of a folder, ordered by name; empty where it cannot be
/// read. Costs one look at the folder and at each file where nothing has changed.
std::vector<SourcePointer> read_folder(const std::filesystem::path& folder);
/// The usable and unusable profiles in memory, which must stay: they are parsed once.
std::vector<SourcePointer> read_shipped(const std::vector<Shipped>& files);

}  // namespace imago::profile
