// This file measures sparse transforms beside dense ones.
#include <algorithm>
#include <array>
#include <cstring>

#include <imago/sparse.hpp>

#include "bench/engines.hpp"
#include "bench/facts.hpp"
#include "bench/measure.hpp"
#include "bench/sparse.hpp"
#include "bench/statistics.hpp"
#include "catalogue/tones.hpp"

namespace imago::bench {
namespace {

struct Entry {
  const char *name, *about;
  Precision precision;
  unsigned first_log, last_log, log_step;  ///< lengths at a sparsity of 1000
  std::vector<std::size_t> sparsities;     ///< at the largest length
};
const std::array kSuites = {
    Entry{"sparse",
          "1000 coefficients of 2^16 to 2^24, 10 to 30000 of 2^24, f32: figure 5 of cusFFT",
          Precision::f32,
          16,
          24,
          2,
          {10, 100, 300, 3000, 10000, 30000}},
    Entry{"h200-sparse",
          "1000 coefficients of 2^18 to 2^27, 100 to 300000 of 2^27, f32: figure 5 of cusFFT",
          Precision::f32,
          18,
          27,
          1,
          {100, 200, 500, 2000, 5000, 10000, 30000, 100000, 300000}},
    Entry{"h200-sparse-f64",
          "1000 coefficients of 2^18 to 2^27, 100 to 10000 of 2^27, f64: figure 5 of cusFFT",
          Precision::f64,
          18,
          27,
          3,
          {100, 200, 500, 2000, 5000, 10000}},
};
constexpr std::size_t kSparsity = 1000;

Case dense_case(const SparseCase& problem) {
  Case dense;
  dense.lengths = {problem.length};
  dense.precision = problem.precision;
  dense.placement = Placement::out_of_place;
  return dense;
}

template <class T>
Signal stored(const catalogue::SparseSignal& signal) {
  const auto numbers = catalogue::stored<T>(signal, false);
  Signal bytes;
  bytes.data.resize(numbers.size() * sizeof(T));
  std::memcpy(bytes.data.data(), numbers.data(), bytes.data.size());
  return bytes;
}

SparseResult refused(const std::string& engine, const std::string& reason) {
  SparseResult result;
  result.engine = engine;
  result.skipped = reason;
  return result;
}

/// The run; its members are what stays the same from case to case.
class Session {
 public:
  Session(const Settings& settings, const Callbacks& callbacks)
      : settings_(settings), callbacks_(callbacks), around_(surroundings_of(settings)) {
    pace_.seconds = settings.seconds_per_case;
    pace_.seconds_per_sample = 0;  // a call is a sample
    pace_.min_rounds = settings.min_rounds;
    pace_.max_rounds = settings.max_rounds;
    for (const auto& info : known_engines())
      if (wanted(info.name)) add(info);
    queue_ = cl::CommandQueue(around_.device->context(), around_.device->device());
  }

  Facts facts() const { return collect_facts(settings_, around_, engine_facts_); }
  /// Nothing where it was interrupted.
  std::optional<SparseRow> measure(const SparseCase& problem);
  void say(const std::string& stage, std::size_t done, std::size_t total) const {
    if (callbacks_.progress) callbacks_.progress({done, total, stage});
  }

 private:
  /// A sparse plan and what its calls said.
  struct Caller {
    SparseResult result;
    std::unique_ptr<SparsePlan> plan;
    SparseSpectrum last;
    std::uint64_t seed = 1;
  };

  bool wanted(const std::string& name) const;
  void add(const EngineInfo& info);
  bool stopped() const { return callbacks_.interrupt != nullptr && callbacks_.interrupt->load(); }

  Caller enter(const SparseCase& problem, SparseMethod method, const char* name) const;
  void call(Caller& caller);
  /// Plans the dense engines where the length is new.
  void plan_dense(const SparseCase& problem, const Signal& signal);
  /// Puts the case's signal on the device, and gives its coefficients.
  catalogue::SparseSignal prepare(const SparseCase& problem);
  /// Times the callers, and the dense engines that are planned; false where it was interrupted.
  bool take_times(std::vector<Caller>& callers);

  const Settings& settings_;
  const Callbacks& callbacks_;
  Surroundings around_;
  Pace pace_;
  std::vector<std::unique_ptr<Engine>> engines_;
  Facts engine_facts_;
  cl::CommandQueue queue_;
  std::optional<SparseCase> planned_;  ///< the case whose length the dense results are of
  std::vector<SparseResult> dense_;
  std::vector<std::unique_ptr<Work>> works_;  ///< until they are measured
};

// The dense transform of imago, FFTW, and cuFFT where there is one.
bool Session::wanted(const std::string& name) const {
  const auto& peers = settings_.peers;
  if (name == "imago") return true;
  if (!peers.empty()) return std::find(peers.begin(), peers.end(), name) != peers.end();
  return name == "fftw" || (name == "cufft" && !around_.identity.cpu);
}

void Session::add(const EngineInfo& info) {
  try {
    engines_.push_back(info.make(around_));
    engine_facts_.emplace_back(info.name, engines_.back()->version());
  } catch (const Error& reason) {
    if (!settings_.peers.empty()) throw;
    engine_facts_.emplace_back(info.name, std::string("not measured: ") + reason.what());
  }
}

Session::Caller Session::enter(const SparseCase& problem, SparseMethod method,
                               const char* name) const {
  SparseTransform transform;
  transform.length = problem.length;
  transform.sparsity = problem.sparsity;
  transform.precision = problem.precision;
  transform.method = method;
  transform.allow_dense = false;
  Caller caller;
  try {
    caller.plan = std::make_unique<SparsePlan>(around_.device->context(), around_.device->device(),
                                               transform, settings_.options);
    caller.result.engine = name;
  } catch (const Error& error) {
    caller.result = refused(name, error.what());
  }
  return caller;
}

void Session::call(Caller& caller) {
  caller.last = caller.plan->forward(queue_, around_.device->data(), {}, caller.seed++);
  ++caller.result.calls;
  caller.result.verified += caller.last.verdict == Verdict::verified;
}

void Session::plan_dense(const SparseCase& problem, const Signal& signal) {
  const Case dense = dense_case(problem);
  dense_.clear();
  for (const auto& engine : engines_) {
    works_.push_back(nullptr);
    dense_.push_back(refused(engine->name(), engine->refusal(dense)));
    if (!dense_.back().skipped.empty()) continue;
    try {
      works_.back() = engine->plan(dense, signal, Caches::as_found);
      works_.back()->load();
    } catch (const std::exception& error) {
      dense_.back().skipped = error.what();
    }
  }
  planned_ = problem;
}

catalogue::SparseSignal Session::prepare(const SparseCase& problem) {
  catalogue::Tones tones;
  tones.length = problem.length;
  tones.sparsity = problem.sparsity;
  auto known = catalogue::make_signal(tones);
  const Signal signal =
      problem.precision == Precision::f64 ? stored<double>(known) : stored<float>(known);
  known.samples = {};
  around_.device->set_case(dense_case(problem), signal);
  around_.device->load();
  const bool measured =
      planned_ && planned_->length == problem.length && planned_->precision == problem.precision;
  if (!measured) plan_dense(problem, signal);
  return known;
}

bool Session::take_times(std::vector<Caller>& callers) {
  std::vector<Subject> subjects;
  std::vector<SparseResult*> results;
  const auto add_subject = [&](SparseResult& result, const std::function<void()>& body) {
    results.push_back(&result);
    // A call before each that is timed: a peer leaves the GPU in another context than ours, and
    // going back takes longer than a sparse transform.
    const auto sample = [body](std::size_t calls) {
      const double start = now();
      for (std::size_t i = 0; i < calls; ++i) body();
      return now() - start;
    };
    subjects.push_back({result.engine, body, sample, 1});
  };
  for (auto& caller : callers)
    if (caller.plan) add_subject(caller.result, [this, &caller] { call(caller); });
  for (std::size_t i = 0; i < works_.size(); ++i)
    if (works_[i]) add_subject(dense_[i], [work = works_[i].get()] { work->once(); });
  const auto series = take_turns(subjects, pace_, [this] { return stopped(); });
  works_.clear();
  for (std::size_t i = 0; series && i < results.size(); ++i) {
    const auto& seconds = (*series)[i].seconds;
    results[i]->skipped = (*series)[i].failure;
    if (seconds.empty()) continue;
    results[i]->seconds = median(seconds);
    results[i]->spread = (quantile(seconds, 0.75) - quantile(seconds, 0.25)) / median(seconds);
  }
  return series.has_value();
}

std::optional<SparseRow> Session::measure(const SparseCase& problem) {
  SparseRow row{problem, {}};
  if (const auto refusal = around_.device->refusal(dense_case(problem)); !refusal.empty()) {
    row.results.push_back(refused("phase", refusal));
    return row;
  }
  const auto known = prepare(problem);
  std::vector<Caller> callers;
  callers.push_back(enter(problem, SparseMethod::phase, "phase"));
  callers.push_back(enter(problem, SparseMethod::voting, "voting"));
  if (!take_times(callers)) return std::nullopt;
  for (auto& caller : callers) {
    if (caller.plan && caller.result.skipped.empty()) {
      caller.result.error = catalogue::compare(caller.last, known).mean_error;
      caller.result.samples = caller.last.samples;
    }
    row.results.push_back(std::move(caller.result));
  }
  row.results.insert(row.results.end(), dense_.begin(), dense_.end());
  return row;
}

}  // namespace

std::vector<SuiteInfo> sparse_suites() {
  std::vector<SuiteInfo> list;
  list.reserve(kSuites.size());
  for (const auto& entry : kSuites) list.push_back({entry.name, entry.about});
  return list;
}

std::vector<SparseCase> sparse_suite(std::string_view name) {
  std::vector<SparseCase> cases;
  for (const auto& entry : kSuites) {
    if (name != entry.name) continue;
    for (unsigned log = entry.first_log; log <= entry.last_log; log += entry.log_step)
      cases.push_back({std::size_t{1} << log, kSparsity, entry.precision});
    for (const std::size_t sparsity : entry.sparsities)
      cases.push_back({std::size_t{1} << entry.last_log, sparsity, entry.precision});
  }
  return cases;
}

SparseReport run_sparse(const Settings& settings, const std::vector<SparseCase>& cases,
                        const Callbacks& callbacks,
                        const std::function<void(const SparseRow&)>& finished) {
  Session session(settings, callbacks);
  SparseReport report;
  report.facts = session.facts();
  if (callbacks.facts) callbacks.facts(report.facts);
  for (const auto& problem : cases) {
    session.say(std::to_string(problem.sparsity) + " of " + std::to_string(problem.length),
                report.rows.size(), cases.size());
    auto row = session.measure(problem);
    if (!row) {
      report.interrupted = true;
      break;
    }
    if (finished) finished(*row);
    report.rows.push_back(std::move(*row));
  }
  session.say("done", report.rows.size(), cases.size());
  return report;
}

}  // namespace imago::bench
