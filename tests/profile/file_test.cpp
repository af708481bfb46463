// This file checks that the file of a profile is always complete: with many writers, killed
// writers, and no space to write.
#include "profile/file.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

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

/// Runs `work` in a process of its own, whose status is 0 if nothing was thrown.
template <class Work>
pid_t start(Work work) {
  const pid_t child = fork();
  if (child != 0) return child;
  int status = 1;
  try {
    work();
    status = 0;
  } catch (const std::exception&) {
  }
  _exit(status);
}

int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

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
  const auto pipe = folder.path() / "pipe.json";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(load(pipe), ContainsSubstring("it must be a regular file"));
  const auto large = folder.path() / "large.json";
  test::write_file(large, "");
  fs::resize_file(large, std::uintmax_t{1} << 40);  // sparse: reading all of it would take too long
  CHECK_THROWS_WITH(load(large), ContainsSubstring("at most 16777216"));
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

TEST_CASE("without room the old file stays", "[profile][file]") {
  const test::Folder folder;
  const auto path = folder.path() / "p.json";
  save(path, profile_of(tuned_device()));
  const pid_t child = start([&] {  // the kernel's own limit stands for a full disk
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{300, 300};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      save(path, full_profile());
    } catch (const ProfileError& error) {
      const std::string text = error.what();
      if (text.find("p.json: cannot be written: File too large") != std::string::npos) return;
    }
    _exit(7);
  });
  CHECK(status_of(child) == 0);
  CHECK(load(path) == profile_of(tuned_device()));
  CHECK(folder.files().size() == 1);
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

TEST_CASE("eight writers lose nothing while another process reads", "[profile][file]") {
  constexpr std::uint64_t kWriters = 8, kUpdates = 50;
  const test::Folder folder;
  const auto path = folder.path() / "p.json", done = folder.path() / "done";
  save(path, profile_of(tuned_device()));
  const pid_t reader = start([&] {
    while (!fs::exists(done)) load(path);
  });
  std::vector<pid_t> writers;
  for (std::uint64_t w = 1; w <= kWriters; ++w) {
    writers.push_back(start([&] {
      for (std::uint64_t i = 1; i <= kUpdates; ++i) {
        profile::add(path, profile_of(tuned_device(), {entry(w, i, 1)}));
      }
    }));
  }
  for (const pid_t writer : writers) CHECK(status_of(writer) == 0);
  test::write_file(done, "");
  CHECK(status_of(reader) == 0);
  CHECK(load(path).entries.size() == kWriters * kUpdates);
}

TEST_CASE("a writer that is killed at any moment leaves a whole file", "[profile][file]") {
  const test::Folder folder;
  const auto path = folder.path() / "p.json";
  std::mt19937 random(1);
  std::uniform_int_distribution<int> microseconds(0, 20000);
  profile::add(path, profile_of(tuned_device(), {entry(1, 1, 1)}));
  std::size_t before = 1;
  for (int i = 0; i < 50; ++i) {
    const pid_t child = start([&] {
      for (std::uint64_t batch = before;; ++batch) {
        profile::add(path, profile_of(tuned_device(), {entry(2, batch, 1)}));
      }
    });
    if (i % 5 == 0) {  // on a busy machine a writer is slow: wait for it sometimes
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
      while (load(path).entries.size() == before && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
    kill(child, SIGKILL);
    status_of(child);
    const auto left = load(path);
    REQUIRE(left.entries.size() >= before);
    before = left.entries.size();
  }
  CHECK(before > 1);                               // something was written at all
  profile::add(path, profile_of(tuned_device()));  // and the lock of a killed process is free
}

}  // namespace
}  // namespace imago
