// This program attacks plans on a device, in turn: buffers between pages without access, points in
// parts, streams on out-of-order queues, pairs with hooks, damaged files of the cache. Findings are
// wrong results, exceptions, crashes and hangs.
//
//   imago_device_abuse [--seconds S] [--seed N] [--attack NAME] [--only I]
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "attacks.hpp"

namespace imago::abuse {
namespace {

struct DeviceSettings {
  double seconds = 10;
  std::uint64_t seed = 1;
  std::string attack;  ///< empty: all
  std::optional<std::uint64_t> only;
};

char command[160];  // for the handler of signals

/// Only write() is async-signal-safe, so the text is prepared before.
void stop(int signal) {
  const char* what = signal == SIGALRM ? "FINDING hang: " : "FINDING crash: ";
  static_cast<void>(!write(STDOUT_FILENO, what, std::strlen(what)));
  static_cast<void>(!write(STDOUT_FILENO, command, std::strlen(command)));
  _exit(1);
}

int run_attacks(const DeviceSettings& settings) {
  constexpr unsigned kPatience = 300;  // seconds for one strike
  const test::Device device;
  std::vector<Attack> attacks{attack_guards(device), attack_parts(device), attack_streams(device),
                              attack_pairs(device), attack_entries(device)};
  if (!settings.attack.empty())
    std::erase_if(attacks, [&](const Attack& each) { return each.name != settings.attack; });
  if (attacks.empty()) throw std::runtime_error("there is no attack " + settings.attack);
  const std::time_t end = std::time(nullptr) + static_cast<std::time_t>(settings.seconds);
  unsigned long long strikes = 0, findings = 0;
  for (std::uint64_t i = settings.only.value_or(0);; ++i) {
    for (const Attack& attack : attacks) {
      std::snprintf(command, sizeof command,
                    "imago_device_abuse --attack %s --seed %llu --only %llu\n", attack.name,
                    static_cast<unsigned long long>(settings.seed),
                    static_cast<unsigned long long>(i));
      alarm(kPatience);
      catalogue::Random random(settings.seed + 1000003 * i);
      std::string wrong;
      try {
        wrong = attack.strike(random);
      } catch (const std::exception& error) {
        wrong = std::string("an exception: ") + error.what();
      }
      ++strikes;
      if (!wrong.empty()) {
        ++findings;
        std::printf("FINDING %s: %s", wrong.c_str(), command);
        std::fflush(stdout);
      }
      if (!settings.only && std::time(nullptr) >= end && i > 0) break;
    }
    if (settings.only || std::time(nullptr) >= end) break;
  }
  alarm(0);
  std::printf("device: %llu strikes, %llu findings\n", strikes, findings);
  return findings == 0 ? 0 : 1;
}

DeviceSettings settings_of(int count, char** words) {
  DeviceSettings settings;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string word = words[i];
    if (word == "--seconds") settings.seconds = std::atof(words[i + 1]);
    if (word == "--attack") settings.attack = words[i + 1];
    if (word == "--seed") settings.seed = std::strtoull(words[i + 1], nullptr, 10);
    if (word == "--only") settings.only = std::strtoull(words[i + 1], nullptr, 10);
  }
  return settings;
}

}  // namespace
}  // namespace imago::abuse

int main(int count, char** words) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
    std::signal(signal, imago::abuse::stop);
  int status = 2;
  try {
    status = imago::abuse::run_attacks(imago::abuse::settings_of(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "device abuse: %s\n", error.what());
  }
  std::fflush(stdout);
  _exit(status);  // some drivers are not quiet when they are unloaded
}
