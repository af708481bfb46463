// This file measures sparse transforms and compares them with dense ones.
#include <algorithm>
#include <array>
#include <cstring>

#include <imago/sparse.hpp>

#include "bench/session.hpp"
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
  return forward_case({problem.length}, 1, problem.precision, Placement::out_of_place);
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

/// Measures a case; keeps the results that are measured once for each length.
class SparseRun {
 public:
  explicit SparseRun(Session& session)
      : session_(session), queue_(session.device()->context(), session.device()->device()) {}
  /// Returns nullopt if interrupted.
  std::optional<SparseRow> measure(const SparseCase& problem);

 private:
  /// A sparse plan and the results of its calls.
  struct Caller {
    SparseResult result;
    std::unique_ptr<SparsePlan> plan;
    SparseSpectrum last;
    std::uint64_t seed = 1;
  };

  struct Way {
    const char* name;
    SparseMethod method;
    Assurance assurance;
  };
  Caller enter(const SparseCase& problem, const Way& way) const;
  void call(Caller& caller);
  /// Plans the dense engines if the length is new.
  void plan_dense(const SparseCase& problem, const Signal& signal);
  /// Puts the case's signal on the device, and returns its coefficients.
  catalogue::SparseSignal prepare(const SparseCase& problem);
  /// Times the callers, and the dense engines that are planned; false if interrupted.
  bool take_times(std::vector<Caller>& callers);

  Session& session_;
  cl::CommandQueue queue_;
  std::optional<SparseCase> planned_;  ///< the case whose length the dense results have
  std::vector<SparseResult> dense_;
  std::vector<std::unique_ptr<Work>> works_;  ///< until they are measured
};

SparseRun::Caller SparseRun::enter(const SparseCase& problem, const Way& way) const {
  SparseTransform transform;
  transform.length = problem.length;
  transform.sparsity = problem.sparsity;
  transform.precision = problem.precision;
  transform.method = way.method;
  transform.assurance = way.assurance;
  transform.allow_dense = false;
  Caller caller;
  try {
    caller.plan =
        std::make_unique<SparsePlan>(session_.device()->context(), session_.device()->device(),
                                     transform, session_.settings().options);
    caller.result.engine = way.name;
  } catch (const Error& error) {
    caller.result = refused(way.name, error.what());
  }
  return caller;
}

void SparseRun::call(Caller& caller) {
  caller.last = caller.plan->forward(queue_, session_.device()->data(), {.seed = caller.seed++});
  ++caller.result.calls;
  const bool whole = caller.plan->transform().assurance == Assurance::verified;
  caller.result.sure += caller.last.verdict == (whole ? Verdict::verified : Verdict::consistent);
}

void SparseRun::plan_dense(const SparseCase& problem, const Signal& signal) {
  const Case dense = dense_case(problem);
  dense_.clear();
  for (const auto& engine : session_.engines()) {
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

catalogue::SparseSignal SparseRun::prepare(const SparseCase& problem) {
  catalogue::Tones tones;
  tones.length = problem.length;
  tones.sparsity = problem.sparsity;
  auto known = catalogue::make_signal(tones);
  const Signal signal =
      problem.precision == Precision::f64 ? stored<double>(known) : stored<float>(known);
  known.samples = {};
  session_.device()->set_case(dense_case(problem), signal);
  session_.device()->load();
  const bool measured =
      planned_ && planned_->length == problem.length && planned_->precision == problem.precision;
  if (!measured) plan_dense(problem, signal);
  return known;
}

bool SparseRun::take_times(std::vector<Caller>& callers) {
  Pace pace = session_.pace();
  pace.seconds_per_sample = 0;  // a sample is one call
  std::vector<Subject> subjects;
  std::vector<SparseResult*> results;
  const auto add_subject = [&](SparseResult& result, const std::function<void()>& body) {
    results.push_back(&result);
    // An untimed call precedes each timed one. Another library leaves the GPU in another context,
    // and switching back takes longer than a sparse transform.
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
  const auto series = session_.time(subjects, pace);
  works_.clear();
  for (std::size_t i = 0; series && i < results.size(); ++i) {
    const auto& seconds = (*series)[i].seconds;
    results[i]->skipped = (*series)[i].failure;
    if (seconds.empty()) continue;
    results[i]->seconds = median(seconds);
    results[i]->spread = spread(seconds);
  }
  return series.has_value();
}

std::optional<SparseRow> SparseRun::measure(const SparseCase& problem) {
  session_.say(
      std::to_string(problem.sparsity).append(" of ").append(std::to_string(problem.length)));
  SparseRow row{problem, {}};
  if (const auto refusal = session_.device()->refusal(dense_case(problem)); !refusal.empty()) {
    row.results.push_back(refused("phase", refusal));
    return row;
  }
  const auto known = prepare(problem);
  std::vector<Caller> callers;
  for (const Way& way : {Way{"phase", SparseMethod::phase, Assurance::consistent},
                         Way{"verified", SparseMethod::phase, Assurance::verified},
                         Way{"voting", SparseMethod::voting, Assurance::consistent}})
    callers.push_back(enter(problem, way));
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

std::vector<SuiteInfo> sparse_suites() { return infos_of(kSuites); }

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
  // The dense engines are imago, FFTW, and cuFFT if available.
  Session session(settings, callbacks, [](const EngineInfo& info, bool on_cpu) {
    return info.name == "fftw" || (info.name == "cufft" && !on_cpu);
  });
  SparseRun sparse(session);
  return session.run<SparseReport>(
      cases, [&](const SparseCase& problem) { return sparse.measure(problem); }, finished);
}

}  // namespace imago::bench
