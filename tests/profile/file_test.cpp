// This file checks that the file of a profile is always complete, also with many writers.
#include "profile/file.hpp"

#include <chrono>
#include <thread>
#include <vector>

#include <imago/error.hpp>

#include "profile/support.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"

namespace imago {
namespace {

namespace fs = std::filesystem;
using profile::load;
using profile::save;
using test::ContainsSubstring;
using test::entry;
using test::full_profile;
using test::profile_of;
using test::tuned_device;

TEST_CASE("a saved profile is loaded again, and no other file is left", "[profile][file]") {
  const test::Folder folder;
  const auto path = folder.path() / "deep" / "er" / "p.json";
  save(path, full_profile());
  CHECK(load(path) == full_profile());
  save(path, profile_of(tuned_device()));
  CHECK(load(path) == profile_of(tuned_device()));
  CHECK(std::distance(fs::directory_iterator(path.parent_path()), {}) == 1);
}

TEST_CASE("a profile that cannot be loaded is reported with the reason", "[profile][file]") {
  const test::Folder folder;
  CHECK_THROWS_WITH(load(folder.path() / "none"), ContainsSubstring("No such file"));
  CHECK_THROWS_WITH(load(folder.path()), ContainsSubstring("it must be a regular file"));
}

TEST_CASE("a folder that cannot be made or written is told", "[profile][file]") {
  const test::Folder folder;
  test::write_file(folder.path() / "file", "");
  for (const auto& path : {folder.path() / "file" / "p.json", fs::path("/proc/imago/p.json")}) {
    CHECK_THROWS_WITH(save(path, full_profile()),
                      ContainsSubstring(path.string() + ": its folder cannot be made: "));
    CHECK_THROWS_AS(profile::add(path, full_profile()), ProfileError);
  }
  CHECK_THROWS_WITH(save("/proc/p.json", full_profile()), ContainsSubstring("cannot be written"));
}

TEST_CASE("a damaged file is replaced, and that is logged", "[profile][file]") {
  const test::Folder folder;
  const test::LogLines log;
  const auto path = folder.path() / "p.json";
  test::write_file(path, "{");
  profile::add(path, full_profile());
  CHECK(load(path).entries.size() == full_profile().entries.size());
  CHECK(log.count("replaced a profile that cannot be read: " + path.string()) == 1);
}

TEST_CASE("a change that fails leaves the old file", "[profile][file]") {
  const test::Folder folder;
  const auto path = folder.path() / "p.json";
  save(path, full_profile());
  auto illegal = full_profile();
  illegal.entries[0].seconds = -1;
  CHECK_THROWS_AS(profile::update(path, [&](const auto&) { return illegal; }), ProfileError);
  CHECK(load(path) == full_profile());
  profile::update(path, [&](const auto& before) { return *before; });  // the lock was released
}

TEST_CASE("old files of killed writers go", "[profile][file]") {
  const test::Folder folder;
  const auto path = folder.path() / "p.json";
  const auto old = folder.path() / "p.json.7-8.tmp", fresh = folder.path() / "p.json.8-9.tmp",
             other = folder.path() / "q.json.7-8.tmp";
  for (const auto& each : {old, fresh, other}) test::write_file(each, "x");
  for (const auto& each : {old, other}) {
    fs::last_write_time(each, fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  profile::add(path, full_profile());
  CHECK(!fs::exists(old));
  CHECK(fs::exists(fresh));
  CHECK(fs::exists(other));
}

TEST_CASE("eight threads lose nothing", "[profile][file][threads]") {
  constexpr std::uint64_t kWriters = 8, kUpdates = 20;
  const test::Folder folder;
  const auto path = folder.path() / "p.json";
  std::vector<std::thread> writers;
  for (std::uint64_t w = 1; w <= kWriters; ++w) {
    writers.emplace_back([&path, w] {
      for (std::uint64_t i = 1; i <= kUpdates; ++i)
        profile::add(path, profile_of(tuned_device(), {entry(w, i, 1)}));
    });
  }
  for (std::thread& writer : writers) writer.join();
  CHECK(load(path).entries.size() == kWriters * kUpdates);
}

TEST_CASE("a profile's path may have any characters", "[profile][file]") {
  const test::Folder folder;
  const auto path = folder.path() / u8"Ger\u00e4t \u00df \u4e2d" / u8"\u03bb.json";
  save(path, full_profile());
  CHECK(load(path) == full_profile());
  CHECK(fs::exists(path));
}

}  // namespace
}  // namespace imago
