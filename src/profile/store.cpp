// This file reads the profiles of folders, and caches them as long as the files stay unchanged.
#include "profile/store.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <system_error>
#include <utility>

#include "base/log.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "profile/file.hpp"
#include "profile/json_tree.hpp"
#include "profile/read.hpp"

namespace imago::profile {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 256;  ///< maximum number of files read from a folder, by name

/// Reads a profile; logs an error once and stores it with the source.
SourcePointer make_source(const std::string& name, const std::string& file,
                          const std::function<Profile()>& read) {
  std::string reason;
  try {
    Profile profile = read();
    if (profile.generator == kGenerator)
      return std::make_shared<const Source>(name, file, std::move(profile));
    reason = "it is from generator \"" + shown(profile.generator) + "\", and this library has \"" +
             std::string(kGenerator) + "\"; run imago tune again";
  } catch (const std::exception& error) {  // ProfileError, or no memory
    reason = error.what();
  }
  auto source = std::make_shared<const Source>(name, file, std::nullopt);
  source->complain(reason);
  return source;
}

std::vector<fs::path> profiles_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".json") found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  found.resize(std::min(found.size(), kMostFiles));
  return found;
}

struct Remembered {
  base::FileStamp stamp;
  SourcePointer source;
};
struct Memory {
  std::mutex mutex;
  std::map<fs::path, std::map<fs::path, Remembered>> folders;
  std::map<const Shipped*, SourcePointer> shipped;
};

// Never destroyed: a plan may be made after main().
Memory& memory() {
  static auto* instance = new Memory;
  return *instance;
}

}  // namespace

Source::Source(std::string name, std::string file, std::optional<Profile> profile)
    : name_(std::move(name)), file_(std::move(file)), profile_(std::move(profile)) {
  if (!profile_) return;
  for (const Entry& entry : profile_->entries) {
    ProblemClass group = entry.problem;
    group.batch = 0;
    groups_[group].push_back(&entry);
  }
}

const std::vector<const Entry*>& Source::entries(ProblemClass problem) const {
  static const std::vector<const Entry*> none;
  problem.batch = 0;
  const auto found = groups_.find(problem);
  return found == groups_.end() ? none : found->second;
}

void Source::complain(const std::string& reason) const {
  {
    const std::lock_guard lock(mutex_);
    if (!told_.insert(reason).second) return;
  }
  base::log(LogLevel::warning, "profile " + name_ + " is ignored: " + reason);
}

std::vector<SourcePointer> read_folder(const fs::path& folder) {
  auto& [mutex, folders, shipped] = memory();
  const std::lock_guard lock(mutex);
  auto& before = folders[folder];
  std::map<fs::path, Remembered> now;
  std::vector<SourcePointer> sources;
  for (const auto& path : profiles_in(folder)) {
    const auto stamp = base::stamp_of(path);  // before reading, so that a concurrent change shows
                                              // the next time
    if (!stamp) continue;
    const auto found = before.find(path);
    const bool same = found != before.end() && found->second.stamp == *stamp;
    const auto source = same ? found->second.source
                             : make_source(base::printable(path.string()), path.filename().string(),
                                           [&] { return load(path); });
    now.emplace(path, Remembered{*stamp, source});
    sources.push_back(source);
  }
  if (now.empty()) {
    folders.erase(folder);
  } else {
    before = std::move(now);
  }
  return sources;
}

std::vector<SourcePointer> read_shipped(const std::vector<Shipped>& files) {
  auto& [mutex, folders, shipped] = memory();
  const std::lock_guard lock(mutex);
  std::vector<SourcePointer> sources;
  for (const Shipped& file : files) {
    auto& source = shipped[&file];
    const std::string name = "shipped " + file.name;
    if (!source) source = make_source(name, file.name, [&] { return parse(file.text, name); });
    sources.push_back(source);
  }
  return sources;
}

}  // namespace imago::profile
