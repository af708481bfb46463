// This program plans random transforms, options and devices. It runs those that are legal and small
// on the host interpreter and compares with the definition. Findings are wrong results, kernels
// that break a rule, exceptions other than imago::Error, and planning that is too slow.
//
//   imago_abuse [--seconds S] [--seed N] [--limit SECONDS-OF-PLANNING] [--only I]
#include <ctime>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>

#include <unistd.h>

#include <imago/error.hpp>

#include "catalogue/random.hpp"
#include "execute.hpp"
#include "naive.hpp"

namespace imago::abuse {
namespace {

struct Settings {
  double seconds = 10, limit = 0.2;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> only;
};

struct Counts {
  unsigned long long planned = 0, refused = 0, unsupported = 0, computed = 0, findings = 0;
};

char reproducer[128];

void die(int signal) {
  const char* what = signal == SIGALRM ? "FINDING hang: " : "FINDING crash: ";
  static_cast<void>(!write(STDOUT_FILENO, what, std::strlen(what)));
  static_cast<void>(!write(STDOUT_FILENO, reproducer, std::strlen(reproducer)));
  _exit(1);
}

/// CPU time of this thread, so that other programs on the machine do not count.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void find(Counts& counts, const std::string& what, const Subject& subject) {
  ++counts.findings;
  std::printf("FINDING %s: %s  %s\n", what.c_str(), reproducer, subject.describe().c_str());
  std::fflush(stdout);
}

std::optional<engine::Blueprint> plan(const Subject& subject, Counts& counts) {
  try {
    return engine::decide(subject.transform, subject.facts, subject.options);
  } catch (const InvalidArgument&) {
    ++counts.refused;
  } catch (const Unsupported&) {
    ++counts.unsupported;
  } catch (const std::exception& error) {
    find(counts, std::string("foreign exception: ") + error.what(), subject);
  }
  return std::nullopt;
}

void abuse(std::uint64_t seed, double limit, Counts& counts) {
  const Subject subject = make_subject(seed);
  const double start = processor_seconds();
  const auto blueprint = plan(subject, counts);
  const double seconds = processor_seconds() - start;
  ++counts.planned;
  if (seconds > limit) find(counts, "planning took " + std::to_string(seconds) + " s", subject);
  if (!blueprint || subject.wild) return;
  ++counts.computed;
  try {
    if (const auto wrong = judge(subject, *blueprint); !wrong.empty()) find(counts, wrong, subject);
  } catch (const std::exception& error) {
    find(counts, std::string("foreign exception: ") + error.what(), subject);
  }
}

int run(const Settings& settings) {
  constexpr unsigned kPatience = 300;  // seconds for one subject
  const std::uint64_t first = catalogue::Random(settings.seed).bits();
  Counts counts;
  const std::time_t end = std::time(nullptr) + static_cast<std::time_t>(settings.seconds);
  for (std::uint64_t i = settings.only.value_or(0);; ++i) {
    std::snprintf(reproducer, sizeof reproducer, "imago_abuse --seed %llu --only %llu\n",
                  static_cast<unsigned long long>(settings.seed),
                  static_cast<unsigned long long>(i));
    alarm(kPatience);
    abuse(first + i, settings.limit, counts);
    if (settings.only) std::printf("%s\n", make_subject(first + i).describe().c_str());
    if (settings.only || std::time(nullptr) >= end) break;
  }
  std::printf(
      "abuse: %llu planned (%llu refused, %llu unsupported), %llu computed, %llu findings\n",
      counts.planned, counts.refused, counts.unsupported, counts.computed, counts.findings);
  return counts.findings == 0 ? 0 : 1;
}

Settings parse(int count, char** words) {
  Settings settings;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string word = words[i];
    if (word == "--seconds") settings.seconds = std::atof(words[i + 1]);
    if (word == "--limit") settings.limit = std::atof(words[i + 1]);
    if (word == "--seed") settings.seed = std::strtoull(words[i + 1], nullptr, 10);
    if (word == "--only") settings.only = std::strtoull(words[i + 1], nullptr, 10);
  }
  return settings;
}

}  // namespace
}  // namespace imago::abuse

int main(int count, char** words) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
    std::signal(signal, imago::abuse::die);
  return imago::abuse::run(imago::abuse::parse(count, words));
}
