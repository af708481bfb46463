// This file checks that the file of a profile is always complete: with many processes that write,
// killed ones, and no space to write.
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <imago/error.hpp>

#include "profile/file.hpp"
#include "profile/support.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"

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

TEST_CASE("a pipe without a writer does not block the loading of profiles", "[profile][file]") {
  const test::Folder folder;
  const auto pipe = folder.path() / "pipe.json";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(load(pipe), ContainsSubstring("it must be a regular file"));
}

TEST_CASE("a file of a terabyte is rejected before it is read", "[profile][file]") {
  const test::Folder folder;
  const auto large = folder.path() / "large.json";
  test::write_file(large, "");
  fs::resize_file(large, std::uintmax_t{1} << 40);  // sparse: reading all of it would take too long
  CHECK_THROWS_WITH(load(large), ContainsSubstring("at most 16777216"));
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
