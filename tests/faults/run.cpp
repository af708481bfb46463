// This file is the program of the faults. It runs every scenario while the N-th OpenCL call fails
// (alone, or with all after it), or with --memory the N-th allocation, or with --threads the N-th
// thread, and then once more without faults. Each run must end with the right result or an
// imago::Error, without threads with the right result. It must leave no reference behind, and must
// not harm the next run.
//
//   imago_faults_run [--scenario NAME] [--every K] [--sample N] [--seed N] [--seconds S] [--cold]
//                    [--at N [--all]] [--code C] [--memory | --threads] [--list] [--short]
//
// --short leaves out the scenarios that take seconds.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <algorithm>
#include <map>
#include <new>
#include <string>
#include <utility>

#include <imago/imago.hpp>

#include "catalogue/random.hpp"
#include "faults.hpp"
#include "memory.hpp"
#include "scenarios.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace imago::faults {
namespace {

enum class Failing { calls, memory, threads };

struct Settings {
  std::string scenario;
  std::uint64_t every = 1, sample = 0, seed = 1, at = 0;
  double seconds = 0;  ///< 0: no limit
  int code = -5;       ///< CL_OUT_OF_RESOURCES
  bool all = false, cold = false, list = false, is_short = false;
  Failing failing = Failing::calls;
};

struct Fault {
  std::uint64_t at = 0;
  Extent extent = Extent::once;
};

char reproducer[256];  // for the handler of signals

/// Only write() is async-signal-safe, so the text is prepared before.
void die(int signal) {
  const char* what = signal == SIGALRM ? "FINDING hang: " : "FINDING crash: ";
  static_cast<void>(!write(STDOUT_FILENO, what, std::strlen(what)));
  static_cast<void>(!write(STDOUT_FILENO, reproducer, std::strlen(reproducer)));
  _exit(1);
}

class Campaign {
 public:
  Campaign(const Settings& settings, const std::filesystem::path& cache)
      : settings_(settings), cache_(cache), start_(std::time(nullptr)) {}

  /// Runs a scenario without faults and returns its number of calls.
  std::uint64_t calls(const Scenario& scenario) {
    describe(scenario, {});
    run(scenario, {});  // compiles the kernels and fills the caches
    const Held before = held();
    run(scenario, {});
    if (held() != before) find("leak without faults");
    return calls_;
  }
  void try_fault(const Scenario& scenario, const Fault& fault) {
    describe(scenario, fault);
    alarm(kPatience);
    const Held before = held();
    const std::uint64_t misused_before = misused();
    run(scenario, fault);
    const std::string where = std::string(" (") + failed_ + ")";
    run(scenario, {});
    // A plan that is made anew holds the events of its first call until the next one.
    if (held() != before) run(scenario, {});
    alarm(0);
    ++runs_;
    if (held() != before) find("leaked references, " + more_than(before) + where);
    if (misused() != misused_before) find("released what nobody held" + where);
  }
  bool out_of_time() const {
    return settings_.seconds > 0 &&
           static_cast<double>(std::time(nullptr) - start_) > settings_.seconds;
  }
  int report() const {
    std::printf("faults: %llu runs, %llu clean errors, %llu right results, %llu findings\n", runs_,
                clean_, right_, findings_);
    return findings_ == 0 ? 0 : 1;
  }

 private:
  static constexpr unsigned kPatience = 120;  // seconds for a pair of runs

  void describe(const Scenario& scenario, const Fault& fault) const {
    std::snprintf(reproducer, sizeof reproducer,
                  "imago_faults_run --scenario %s --at %llu%s --code %d%s\n", scenario.name.c_str(),
                  static_cast<unsigned long long>(fault.at),
                  fault.extent == Extent::all ? " --all" : "", settings_.code,
                  settings_.cold                          ? " --cold"
                  : settings_.failing == Failing::memory  ? " --memory"
                  : settings_.failing == Failing::threads ? " --threads"
                                                          : "");
  }
  /// Returns how many objects of each type are held in addition.
  static std::string more_than(const Held& before) {
    const Held now = held();
    std::string text;
    for (const auto& [name, kind] : {std::pair{"contexts", &Held::contexts},
                                     {"queues", &Held::queues},
                                     {"memories", &Held::memories},
                                     {"programs", &Held::programs},
                                     {"kernels", &Held::kernels},
                                     {"events", &Held::events}})
      if (now.*kind != before.*kind)
        text += (text.empty() ? "" : ", ") + std::string(name) + " " +
                std::to_string(now.*kind - before.*kind);
    return text;
  }
  void find(const std::string& what) {
    ++findings_;
    std::printf("FINDING %s: %s", what.c_str(), reproducer);
    std::fflush(stdout);
  }
  void run(const Scenario& scenario, const Fault& fault) {
    if (settings_.cold && fault.at > 0) {
      release_memory();
      std::filesystem::remove_all(cache_);
    }
    const auto at = [&](Failing what) { return settings_.failing == what ? fault.at : 0; };
    arm(at(Failing::calls), fault.extent, settings_.code);
    arm_memory(at(Failing::memory), fault.extent);
    arm_threads(at(Failing::threads), fault.extent);
    const Outcome outcome = scenario.run();
    const std::uint64_t counts[] = {disarm(), disarm_memory(), disarm_threads()};
    calls_ = counts[static_cast<int>(settings_.failing)];
    const char* const names[] = {first_failed(), "operator new", "pthread_create"};
    if (fault.at > 0) failed_ = names[static_cast<int>(settings_.failing)];
    judge(outcome, fault.at > 0);
  }
  void judge(const Outcome& outcome, bool faulty) {
    const std::string when =
        faulty ? std::string(" (") + failed_ + ")" : std::string(" in a run without faults");
    if (!outcome.wrong.empty())
      find((outcome.error ? "wrong in the next call: " : "wrong: ") + outcome.wrong + when);
    if (!outcome.error) {
      if (faulty) ++right_;
      return;
    }
    try {
      std::rethrow_exception(outcome.error);
    } catch (const InvalidArgument& error) {
      find(std::string("blames the caller: ") + error.what() + when);
    } catch (const Error& error) {
      if (!faulty || settings_.failing == Failing::threads)
        return find(std::string("fails: ") + error.what() + when);
      ++clean_;
    } catch (const std::bad_alloc&) {
      if (!faulty || settings_.failing != Failing::memory) return find("no memory" + when);
      ++clean_;
    } catch (const std::exception& error) {
      find(std::string("foreign exception: ") + error.what() + when);
    }
  }

  const Settings& settings_;
  std::filesystem::path cache_;
  std::time_t start_;
  std::uint64_t calls_ = 0;
  std::string failed_;
  unsigned long long runs_ = 0, clean_ = 0, right_ = 0, findings_ = 0;
};

template <class Value>
void shuffle(const Settings& settings, std::vector<Value>& values) {
  catalogue::Random random(settings.seed);
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

/// Returns the faults to try for a scenario: all, or every K-th.
std::vector<Fault> faults_of(const Settings& settings, std::uint64_t calls) {
  std::vector<Fault> faults;
  if (settings.at > 0) return {{settings.at, settings.all ? Extent::all : Extent::once}};
  for (std::uint64_t at = 1; at <= calls; at += settings.every) {
    faults.push_back({at, Extent::once});
    faults.push_back({at, Extent::all});
  }
  if (settings.sample == 0) return faults;
  shuffle(settings, faults);
  if (faults.size() > settings.sample) faults.resize(settings.sample);
  faults[0] = {1, Extent::once};  // the first comes before the body of the guards of C's functions
  return faults;
}

std::vector<Scenario> scenarios_of(const Settings& settings, const test::Device& device,
                                   const std::filesystem::path& cache) {
  std::vector<Scenario> all;
  const auto add = [&](std::vector<Scenario> more) {
    for (Scenario& scenario : more)
      if (!settings.is_short || !scenario.is_long) all.push_back(std::move(scenario));
  };
  add(plan_scenarios(device, cache));
  add(sparse_scenarios(device, cache));
  add(host_scenarios(device, cache));
  add(other_scenarios(device, cache));
  add(c_scenarios(device, cache));
  add(nufft_scenarios(device, cache));
  add(signal_scenarios(device, cache));
  add(tune_scenarios(device));
  return all;
}

int run(const Settings& settings) {
  const test::Folder folder;
  const test::Device device;
  const auto cache = folder.path() / "kernels";
  auto scenarios = scenarios_of(settings, device, cache);
  if (!settings.scenario.empty())
    std::erase_if(scenarios, [&](const Scenario& s) { return s.name != settings.scenario; });
  if (scenarios.empty()) throw std::runtime_error("there is no scenario " + settings.scenario);
  if (settings.sample > 0)
    shuffle(settings, scenarios);  // with a time limit, other scenarios are left out each time
  Campaign campaign(settings, cache);
  for (const Scenario& scenario : scenarios) {
    if (campaign.out_of_time()) break;
    const std::uint64_t calls = campaign.calls(scenario);
    const auto faults = faults_of(settings, calls);
    std::printf("%s: %llu calls, %zu runs\n", scenario.name.c_str(),
                static_cast<unsigned long long>(calls), faults.size());
    std::fflush(stdout);
    if (settings.list) continue;
    if (calls == 0 && settings.failing == Failing::threads) continue;  // it starts none
    if (calls == 0) throw std::runtime_error("no call came by: is the interposer in front?");
    for (const Fault& fault : faults)
      if (!campaign.out_of_time()) campaign.try_fault(scenario, fault);
  }
  return campaign.report();
}

Settings parse(int count, char** words) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--all")
      settings.all = true;
    else if (word == "--cold")
      settings.cold = true;
    else if (word == "--memory")
      settings.failing = Failing::memory;
    else if (word == "--threads")
      settings.failing = Failing::threads;
    else if (word == "--list")
      settings.list = true;
    else if (word == "--short")
      settings.is_short = true;
    else if (i + 1 == count)
      throw std::runtime_error("what is " + word + "?");
    else if (word == "--scenario")
      settings.scenario = words[++i];
    else if (word == "--every")
      settings.every = std::max(1ull, std::strtoull(words[++i], nullptr, 10));
    else if (word == "--sample")
      settings.sample = std::strtoull(words[++i], nullptr, 10);
    else if (word == "--seed")
      settings.seed = std::strtoull(words[++i], nullptr, 10);
    else if (word == "--seconds")
      settings.seconds = std::atof(words[++i]);
    else if (word == "--at")
      settings.at = std::strtoull(words[++i], nullptr, 10);
    else if (word == "--code")
      settings.code = std::atoi(words[++i]);
    else
      throw std::runtime_error("what is " + word + "?");
  }
  return settings;
}

}  // namespace
}  // namespace imago::faults

int main(int count, char** words) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
    std::signal(signal, imago::faults::die);
  imago::test::set_variable("IMAGO_SMALL", "0");  // host plans call the driver
  int status = 2;
  try {
    status = imago::faults::run(imago::faults::parse(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "faults: %s\n", error.what());
  }
  std::fflush(stdout);
  _exit(status);  // some drivers are not quiet when they are unloaded
}
