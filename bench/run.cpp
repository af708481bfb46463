// This file runs the benchmark of dense transforms. Each engine makes cold and warm plans of a case
// and is checked; then all engines are timed in turns.
#include <algorithm>
#include <exception>
#include <optional>

#include "base/errors.hpp"
#include "bench/copy_wall.hpp"
#include "bench/host_clock.hpp"
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
  if (!(settings.seconds_per_sample >= 0))
    base::invalid("seconds_per_sample", settings.seconds_per_sample, "0 or more");
  if (settings.timing == Timing::single_calls && settings.clock == Clock::device)
    base::invalid("clock", "device", "the host's, where single calls are timed");
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

constexpr std::size_t kMostCalls = std::size_t{1} << 20;
constexpr double kSecondsPerSample = 0.02;
/// Some hundred short calls, so that the wait at their end is a small part of the time.
constexpr double kSecondsPerSampleOfSingleCalls = 0.005;

/// Measures a case: every engine plans it, then engines and copies are timed in turns.
class DenseRun {
 public:
  explicit DenseRun(Session& session)
      : session_(session),
        wall_(session.device()),
        single_(session.settings().timing == Timing::single_calls) {}
  /// Returns nullopt if interrupted.
  std::optional<Row> measure(const Case& problem);

 private:
  struct Entrant {
    Result result;
    std::unique_ptr<Work> work;
  };

  Entrant enter(Engine& engine, const Case& problem, const Signal& signal,
                const Reference* reference) const;
  std::vector<Callee> callees(const Case& problem, std::vector<Entrant>& entrants) const;
  std::optional<std::vector<Series>> time(const std::vector<Callee>& callees,
                                          Sampled sampled) const;

  Session& session_;
  CopyWall wall_;
  bool single_;
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
  const auto called = callees(problem, entrants);
  const auto trains = time(called, single_ ? Sampled::train : Sampled::clocked);
  if (!trains) return std::nullopt;
  std::vector<Result> results;
  results.reserve(entrants.size());
  for (auto& entrant : entrants) results.push_back(std::move(entrant.result));
  Row row = make_row(problem, std::move(results), *trains);
  if (!single_) return row;
  const auto waits = time(called, Sampled::waits);
  if (!waits) return std::nullopt;
  add_latencies(row, *waits);
  return row;
}

// Makes a cold and then a warm plan, each with its first call; the last plan is the measured one.
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
    result.way = entrant.work->way();
    if (reference != nullptr) result.error = reference->error(*entrant.work);
  } catch (const std::exception& error) {
    result.skipped = error.what();
    entrant.work.reset();
  }
  return entrant;
}

std::vector<Callee> DenseRun::callees(const Case& problem, std::vector<Entrant>& entrants) const {
  std::vector<Callee> list;
  for (auto& entrant : entrants) {
    if (!entrant.work) continue;
    Work* work = entrant.work.get();
    list.push_back({entrant.result.engine, [work] { work->load(); }, [work] { work->enqueue(); },
                    [work] { work->finish(); }, [work](std::size_t n) { return work->run(n); },
                    single_ ? kMostCalls : finite_calls(problem) - 1,
                    [work](std::size_t n) { work->enqueue_train(n); }});
  }
  for (auto& copy : wall_.copies(problem)) {
    const auto clocked = [device = session_.device(), copy](std::size_t calls) {
      return device->time(copy.enqueue, calls);
    };
    list.push_back({copy.name, [] {}, copy.enqueue,
                    [device = session_.device()] { device->finish(); }, clocked, kMostCalls});
  }
  return list;
}

std::optional<std::vector<Series>> DenseRun::time(const std::vector<Callee>& callees,
                                                  Sampled sampled) const {
  const Settings& settings = session_.settings();
  Pace pace = session_.pace();
  if (single_) pace.seconds /= 2;  // back-to-back and synchronous calls share the time of a case
  if (settings.seconds_per_sample == 0)
    pace.seconds_per_sample = single_ ? kSecondsPerSampleOfSingleCalls : kSecondsPerSample;
  if (sampled != Sampled::waits)
    pace.min_calls = settings.min_calls != 0   ? settings.min_calls
                     : session_.identity().cpu ? 1
                                               : 20;
  std::vector<Subject> subjects;
  subjects.reserve(callees.size());
  for (const Callee& callee : callees) subjects.push_back(subject_of(callee, sampled));
  return session_.time(subjects, pace);
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
  Report report = session.run<Report>(
      settings.cases, [&](const Case& problem) { return dense.measure(problem); }, callbacks.row);
  report.timing = settings.timing;
  return report;
}

}  // namespace imago::bench
