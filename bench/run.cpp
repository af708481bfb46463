// This file runs a benchmark: it makes the engines, walks over the cases and turns samples into
// rows.
#include <algorithm>
#include <exception>
#include <optional>

#include "base/errors.hpp"
#include "bench/copy_wall.hpp"
#include "bench/engines.hpp"
#include "bench/facts.hpp"
#include "bench/measure.hpp"
#include "bench/reference.hpp"
#include "bench/rows.hpp"
#include "bench/signal.hpp"

namespace imago::bench {
namespace {

void validate(const Settings& settings) {
  if (settings.device() == nullptr) base::invalid("device", "null", "an OpenCL device");
  if (settings.cases.empty()) base::invalid("cases", "empty", "at least one case");
  if (!(settings.seconds_per_case > 0))
    base::invalid("seconds_per_case", settings.seconds_per_case, "more than 0");
  if (!(settings.seconds_per_sample > 0))
    base::invalid("seconds_per_sample", settings.seconds_per_sample, "more than 0");
  if (settings.min_rounds == 0 || settings.max_rounds < settings.min_rounds)
    base::invalid("max_rounds", settings.max_rounds, "at least min_rounds, and that at least 1");
  for (const Case& problem : settings.cases) bench::validate(problem);
  const auto names = engine_names();
  std::string known;
  for (const auto& each : names) known += (known.empty() ? "one of " : ", ") + each;
  for (const auto& peer : settings.peers)
    if (std::find(names.begin(), names.end(), peer) == names.end())
      base::invalid("peers", peer, known);
}

/// The whole run; its members are what stays the same from case to case.
class Session {
 public:
  Session(const Settings& settings, const Callbacks& callbacks)
      : settings_(settings),
        callbacks_(callbacks),
        around_(surroundings_of(settings)),
        wall_(around_.device) {
    for (const auto& info : known_engines())
      if (wanted(info)) add(info);
    if (engines_.empty()) base::invalid("peers", "none", "at least one engine, imago or a peer");
    pace_.seconds = settings.seconds_per_case;
    pace_.seconds_per_sample = settings.seconds_per_sample;
    pace_.min_calls =
        settings.min_calls != 0 ? settings.min_calls : (around_.identity.cpu ? 1 : 20);
    pace_.min_rounds = settings.min_rounds;
    pace_.max_rounds = settings.max_rounds;
  }

  Report run();

 private:
  struct Entrant {
    Result result;
    std::unique_ptr<Work> work;
  };

  bool wanted(const EngineInfo& info) const;
  void add(const EngineInfo& info);
  bool stopped() const { return callbacks_.interrupt != nullptr && callbacks_.interrupt->load(); }
  void say(const std::string& stage) const;

  std::optional<Row> measure(const Case& problem);
  Entrant enter(Engine& engine, const Case& problem, const Signal& signal,
                const Reference* reference);
  std::vector<Subject> subjects(const Case& problem, std::vector<Entrant>& entrants) const;

  const Settings& settings_;
  const Callbacks& callbacks_;
  Surroundings around_;
  CopyWall wall_;
  Pace pace_;
  std::vector<std::unique_ptr<Engine>> engines_;
  Facts engine_facts_;
  std::size_t done_ = 0;
};

bool Session::wanted(const EngineInfo& info) const {
  if (info.name == "imago") return settings_.imago;
  const auto& peers = settings_.peers;
  if (!peers.empty()) return std::find(peers.begin(), peers.end(), info.name) != peers.end();
  return around_.identity.cpu ? info.suits_cpu : info.suits_gpu;
}

// A peer that was asked for by name must be there; one that only suits the device may be missing.
void Session::add(const EngineInfo& info) {
  try {
    engines_.push_back(info.make(around_));
    engine_facts_.emplace_back(info.name, engines_.back()->version());
  } catch (const Error& reason) {
    if (!settings_.peers.empty()) base::invalid("peers", info.name, reason.what());
    engine_facts_.emplace_back(info.name, std::string("not measured: ") + reason.what());
  }
}

void Session::say(const std::string& stage) const {
  if (callbacks_.progress) callbacks_.progress({done_, settings_.cases.size(), stage});
}

Report Session::run() {
  Report report;
  report.facts = collect_facts(settings_, around_, engine_facts_);
  if (callbacks_.facts) callbacks_.facts(report.facts);
  for (const Case& problem : settings_.cases) {
    auto row = measure(problem);
    if (!row) {
      report.interrupted = true;
      break;
    }
    ++done_;
    if (callbacks_.row) callbacks_.row(*row);
    report.rows.push_back(std::move(*row));
  }
  say("done");
  return report;
}

std::optional<Row> Session::measure(const Case& problem) {
  const std::string title = name(problem);
  if (const std::string refusal = around_.device->refusal(problem); !refusal.empty()) {
    std::vector<Result> results;
    results.reserve(engines_.size());
    for (const auto& engine : engines_) results.push_back({engine->name(), refusal});
    return make_row(problem, std::move(results), {});
  }
  say(title + ": data");
  const Signal signal = make_signal(problem);
  around_.device->set_case(problem, signal);
  std::optional<Reference> reference;
  if (settings_.check) reference.emplace(problem, signal, around_.identity.threads);
  std::vector<Entrant> entrants;
  for (const auto& engine : engines_) {
    if (stopped()) return std::nullopt;
    say(title + ": " + engine->name() + " plans");
    entrants.push_back(enter(*engine, problem, signal, reference ? &*reference : nullptr));
  }
  say(title + ": measuring");
  const auto series = take_turns(subjects(problem, entrants), pace_, [this] { return stopped(); });
  if (!series) return std::nullopt;
  std::vector<Result> results;
  results.reserve(entrants.size());
  for (auto& entrant : entrants) results.push_back(std::move(entrant.result));
  return make_row(problem, std::move(results), *series);
}

// Plans cold and then warm, each with its first call; the last plan is the one that is measured.
Session::Entrant Session::enter(Engine& engine, const Case& problem, const Signal& signal,
                                const Reference* reference) {
  Entrant entrant;
  Result& result = entrant.result;
  result.engine = engine.name();
  result.skipped = engine.refusal(problem);
  if (!result.skipped.empty()) return entrant;
  const auto plan = [&](Caches caches, double& plan_seconds, double& first_seconds) {
    entrant.work.reset();
    entrant.work = engine.plan(problem, signal, caches);
    plan_seconds = entrant.work->plan_seconds();
    entrant.work->load();
    const double start = now();
    entrant.work->once();
    first_seconds = now() - start;
  };
  try {
    const bool both = settings_.plans == Plans::cold_and_warm;
    if (both) plan(Caches::cold, result.plan_cold, result.first_cold);
    plan(both ? Caches::warm : Caches::as_found, result.plan_warm, result.first_warm);
    if (reference != nullptr) result.error = reference->error(*entrant.work);
  } catch (const std::exception& error) {
    result.skipped = error.what();
    entrant.work.reset();
  }
  return entrant;
}

std::vector<Subject> Session::subjects(const Case& problem, std::vector<Entrant>& entrants) const {
  std::vector<Subject> list;
  for (auto& entrant : entrants) {
    if (!entrant.work) continue;
    Work* work = entrant.work.get();
    list.push_back({entrant.result.engine, [work] { work->load(); },
                    [work](std::size_t calls) { return work->run(calls); },
                    finite_calls(problem) - 1});
  }
  for (auto& copy : wall_.copies(problem))
    list.push_back({copy.name, [] {},
                    [device = around_.device, copy](std::size_t calls) {
                      return device->time(copy.enqueue, calls);
                    },
                    std::size_t{1} << 20});
  return list;
}

}  // namespace

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const auto& info : known_engines()) names.push_back(info.name);
  return names;
}

Report run(const Settings& settings, const Callbacks& callbacks) {
  validate(settings);
  return Session(settings, callbacks).run();
}

}  // namespace imago::bench
