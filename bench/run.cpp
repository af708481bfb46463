// This file runs the benchmark of dense transforms: each engine plans a case cold and warm, is
// checked and takes turns with the others.
#include <algorithm>
#include <exception>
#include <optional>

#include "base/errors.hpp"
#include "bench/copy_wall.hpp"
#include "bench/reference.hpp"
#include "bench/rows.hpp"
#include "bench/session.hpp"
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

/// Measures a case: every engine plans it, then engines and copies take turns.
class DenseRun {
 public:
  explicit DenseRun(Session& session) : session_(session), wall_(session.device()) {
    const Settings& settings = session.settings();
    pace_.seconds_per_sample = settings.seconds_per_sample;
    pace_.min_calls = settings.min_calls != 0  ? settings.min_calls
                      : session.identity().cpu ? 1
                                               : 20;
  }
  /// Nothing where it was interrupted.
  std::optional<Row> measure(const Case& problem);

 private:
  struct Entrant {
    Result result;
    std::unique_ptr<Work> work;
  };

  Entrant enter(Engine& engine, const Case& problem, const Signal& signal,
                const Reference* reference) const;
  std::vector<Subject> subjects(const Case& problem, std::vector<Entrant>& entrants) const;

  Session& session_;
  CopyWall wall_;
  Pace pace_;
};

std::optional<Row> DenseRun::measure(const Case& problem) {
  const std::string title = name(problem);
  if (const std::string refusal = session_.device()->refusal(problem); !refusal.empty()) {
    std::vector<Result> results;
    results.reserve(session_.engines().size());
    for (const auto& engine : session_.engines()) results.push_back({engine->name(), refusal});
    return make_row(problem, std::move(results), {});
  }
  session_.say(title + ": data");
  const Signal signal = make_signal(problem);
  session_.device()->set_case(problem, signal);
  std::optional<Reference> reference;
  if (session_.settings().check) reference.emplace(problem, signal, session_.identity().threads);
  std::vector<Entrant> entrants;
  for (const auto& engine : session_.engines()) {
    if (session_.stopped()) return std::nullopt;
    session_.say(title + ": " + engine->name() + " plans");
    entrants.push_back(enter(*engine, problem, signal, reference ? &*reference : nullptr));
  }
  session_.say(title + ": measuring");
  const auto series = session_.time(subjects(problem, entrants), pace_);
  if (!series) return std::nullopt;
  std::vector<Result> results;
  results.reserve(entrants.size());
  for (auto& entrant : entrants) results.push_back(std::move(entrant.result));
  return make_row(problem, std::move(results), *series);
}

// Plans cold and then warm, each with its first call; the last plan is the one that is measured.
DenseRun::Entrant DenseRun::enter(Engine& engine, const Case& problem, const Signal& signal,
                                  const Reference* reference) const {
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
    const bool both = session_.settings().plans == Plans::cold_and_warm;
    if (both) plan(Caches::cold, result.plan_cold, result.first_cold);
    plan(both ? Caches::warm : Caches::as_found, result.plan_warm, result.first_warm);
    if (reference != nullptr) result.error = reference->error(*entrant.work);
  } catch (const std::exception& error) {
    result.skipped = error.what();
    entrant.work.reset();
  }
  return entrant;
}

std::vector<Subject> DenseRun::subjects(const Case& problem, std::vector<Entrant>& entrants) const {
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
                    [device = session_.device(), copy](std::size_t calls) {
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
  Session session(settings, callbacks, [](const EngineInfo& info, bool on_cpu) {
    return on_cpu ? info.suits_cpu : info.suits_gpu;
  });
  DenseRun dense(session);
  return session.run<Report>(
      settings.cases, [&](const Case& problem) { return dense.measure(problem); }, callbacks.row);
}

}  // namespace imago::bench
