// This program lets several processes add measurements to one profile, as tuners do, and kills one
// of them after the other while they write. The profile must always be readable, and have every
// measurement whose writer went on to the next one.
//
//   imago_profile_kill [KILLS [SEED]]
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/facts.hpp"
#include "profile/file.hpp"
#include "support/folder.hpp"

namespace imago::faults {
namespace {

constexpr std::size_t kWriters = 4;

/// The measurement `number` of a writer: one with a class of its own, which later ones replace
/// because they are faster.
profile::Profile measured(std::size_t writer, std::uint64_t number) {
  device::Facts facts;
  facts.name = "a device", facts.platform = "a platform", facts.driver = "1";
  profile::Profile profile;
  profile.device = profile::device_of(facts);
  profile::Entry entry;
  entry.problem.lengths = {16 + writer};
  entry.seconds = 1 / static_cast<double>(1 + number);
  profile.entries.push_back(entry);
  // A large file takes longer to write.
  for (std::size_t i = 0; i < 200; ++i) {
    entry.problem.lengths = {1000 + 1000 * writer + i};
    profile.entries.push_back(entry);
  }
  return profile;
}

/// A process that adds measurements and reports the number of each that is written.
struct Writer {
  pid_t process = -1;
  int reports = -1;
};

Writer started_writer(const std::filesystem::path& path, std::size_t writer, std::uint64_t first) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no process");
  if (process > 0) {
    close(ends[1]);
    return {process, ends[0]};
  }
  close(ends[0]);
  try {
    for (std::uint64_t number = first;; ++number) {
      profile::add(path, measured(writer, number));
      if (write(ends[1], &number, sizeof number) != sizeof number) _exit(0);
    }
  } catch (const std::exception& error) {
    std::printf("FINDING a writer failed: %s\n", error.what());
    std::fflush(stdout);
  }
  _exit(1);
}

/// Kills the writer, and returns the last measurement that it reported, or `before`.
std::uint64_t killed(const Writer& writer, std::uint64_t before, bool& failed) {
  kill(writer.process, SIGKILL);
  int status = 0;
  waitpid(writer.process, &status, 0);
  failed = failed || !WIFSIGNALED(status);
  for (std::uint64_t number = 0; read(writer.reports, &number, sizeof number) == sizeof number;)
    before = number;
  close(writer.reports);
  return before;
}

/// Returns the number of the measurement that the profile has of a writer; 0: none.
std::uint64_t number_of(const profile::Profile& profile, std::size_t writer) {
  for (const auto& entry : profile.entries) {
    if (entry.problem.lengths == std::vector<std::uint64_t>{16 + writer})
      return static_cast<std::uint64_t>(1 / entry.seconds - 0.5);
  }
  return 0;
}

int run_writers(std::uint64_t kills, std::uint64_t seed) {
  const test::Folder folder;
  const auto path = folder.path() / "profile.json";
  std::mt19937_64 random(seed);
  std::vector<Writer> writers;
  std::vector<std::uint64_t> written(kWriters, 0);
  unsigned long long findings = 0;
  bool failed = false;
  const auto find = [&](const std::string& what) {
    ++findings;
    std::printf("FINDING %s: imago_profile_kill %llu %llu\n", what.c_str(),
                static_cast<unsigned long long>(kills), static_cast<unsigned long long>(seed));
    std::fflush(stdout);
  };
  for (std::size_t i = 0; i < kWriters; ++i) writers.push_back(started_writer(path, i, 1));
  for (std::uint64_t i = 0; i < kills; ++i) {
    usleep(static_cast<useconds_t>(random() % 60000));
    const std::size_t victim = random() % kWriters;
    written[victim] = killed(writers[victim], written[victim], failed);
    try {
      if (written[victim] > 0) {
        const auto profile = profile::load(path);
        if (number_of(profile, victim) < written[victim]) find("a measurement is lost");
      }
    } catch (const std::exception& error) {
      find(std::string("the profile is damaged: ") + error.what());
    }
    writers[victim] = started_writer(path, victim, written[victim] + 1);
  }
  for (std::size_t i = 0; i < kWriters; ++i) written[i] = killed(writers[i], written[i], failed);
  // The next tuner removes what killed ones left hours before.
  for (const auto& file : folder.files()) {
    if (file.extension() != ".json" && file.extension() != ".lock")
      std::filesystem::last_write_time(
          file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(3));
  }
  profile::add(path, measured(0, ++written[0]));
  const auto last = profile::load(path);
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < kWriters; ++i) {
    all += written[i];
    if (number_of(last, i) < written[i]) find("a measurement is lost at the end");
  }
  if (folder.files().size() != 2) find("files are left: " + std::to_string(folder.files().size()));
  if (all <= kWriters) find("nothing was written");
  if (failed) find("a writer ended by itself");
  std::printf("killed writers of a profile %llu times: %llu measurements, %llu findings\n",
              static_cast<unsigned long long>(kills), static_cast<unsigned long long>(all),
              findings);
  return findings == 0 ? 0 : 1;
}

}  // namespace
}  // namespace imago::faults

int main(int count, char** words) {
  try {
    return imago::faults::run_writers(count > 1 ? std::strtoull(words[1], nullptr, 10) : 100,
                                      count > 2 ? std::strtoull(words[2], nullptr, 10) : 1);
  } catch (const std::exception& error) {
    std::printf("FINDING an exception: %s\n", error.what());
    return 2;
  }
}
