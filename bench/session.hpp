// This file holds the common part of the benchmarks of dense and sparse transforms: the requested
// engines, the loop over the cases, and the callbacks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/engines.hpp"
#include "bench/facts.hpp"
#include "bench/measure.hpp"

namespace imago::bench {

class Session {
 public:
  /// True if an engine is measured by default on this device, which is a CPU or another one.
  using Suits = std::function<bool(const EngineInfo&, bool on_cpu)>;

  /// Opens the device and the engines. Both references must outlive the session.
  Session(const Settings& settings, const Callbacks& callbacks, const Suits& suits);

  const Settings& settings() const { return settings_; }
  const Identity& identity() const { return around_.identity; }
  const std::shared_ptr<ClDevice>& device() const { return around_.device; }
  const std::vector<std::unique_ptr<Engine>>& engines() const { return engines_; }

  /// Returns the times and rounds of the settings.
  Pace pace() const;
  /// Returns the samples of all subjects; nullopt if the run was interrupted.
  std::optional<std::vector<Series>> time(const std::vector<Subject>& subjects,
                                          const Pace& pace) const;
  bool stopped() const { return callbacks_.interrupt != nullptr && callbacks_.interrupt->load(); }
  /// Reports the current stage.
  void say(const std::string& stage) const;

  /// Measures the cases in order until one returns nullopt; calls `tell`, if not empty, with each
  /// row.
  template <class Report, class Problem, class Measure, class Tell>
  Report run(const std::vector<Problem>& cases, Measure measure, const Tell& tell) {
    Report report;
    report.facts = collect_facts(settings_, around_, engine_facts_);
    if (callbacks_.facts) callbacks_.facts(report.facts);
    total_ = cases.size();
    for (const Problem& problem : cases) {
      auto row = measure(problem);
      report.interrupted = !row;
      if (report.interrupted) break;
      ++done_;
      if (tell) tell(*row);
      report.rows.push_back(std::move(*row));
    }
    say("done");
    return report;
  }

 private:
  bool wanted(const EngineInfo& info, const Suits& suits) const;
  void add(const EngineInfo& info);

  const Settings& settings_;
  const Callbacks& callbacks_;
  Surroundings around_;
  std::vector<std::unique_ptr<Engine>> engines_;
  Facts engine_facts_;
  std::size_t done_ = 0, total_ = 0;
};

}  // namespace imago::bench
