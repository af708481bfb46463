// This file implements the public function tune().
#include <imago/tune.hpp>

#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <imago/error.hpp>
#include <imago/plan.hpp>

#include "base/errors.hpp"
#include "base/forked.hpp"
#include "base/side_by_side.hpp"
#include "base/stopwatch.hpp"
#include "engine/tuning.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "profile/file.hpp"
#include "profile/ladder.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/facts.hpp"
#include "tuner/judge.hpp"
#include "tuner/session.hpp"
#include "tuner/trial.hpp"

namespace imago::tuner {
namespace {

Options without_files() {
  Options options;
  options.profiles = false;
  options.disk_cache = false;  // most candidates lose
  return options;
}

/// Compiles and times candidates in this process.
class LocalJudge final : public Judge {
 public:
  /// Both must outlive the judge.
  LocalJudge(const cl::Context& context, const cl::Device& device);

  std::vector<bool> build(const std::vector<Candidate>& candidates, double seconds,
                          const Watch& watch) override;
  /// Does not limit the time: a candidate that hangs cannot be stopped.
  double time(const Candidate& candidate, const Timing& timing) override;

 private:
  Trial& trial_of(const profile::ProblemClass& problem);

  const cl::Context& context_;
  const cl::Device& device_;
  std::map<profile::ProblemClass, Trial> trials_;
};

LocalJudge::LocalJudge(const cl::Context& context, const cl::Device& device)
    : context_(context), device_(device) {}

Trial& LocalJudge::trial_of(const profile::ProblemClass& problem) {
  const auto found = trials_.find(problem);
  if (found != trials_.end()) return found->second;
  return trials_
      .try_emplace(problem, context_, device_, engine::transform_of(problem),
                   engine::options_of(problem, without_files()))
      .first->second;
}

std::vector<bool> LocalJudge::build(const std::vector<Candidate>& candidates, double seconds,
                                    const Watch& watch) {
  const base::Stopwatch elapsed;
  for (const Candidate& candidate : candidates) trial_of(candidate.problem);
  std::mutex mutex;
  std::size_t built = 0;
  bool stopped = false;
  std::vector<char> done(candidates.size(), 0);  // not bits, which threads cannot write separately
  base::side_by_side(candidates.size(), [&](std::size_t i) {
    {
      const std::lock_guard lock(mutex);
      stopped = stopped || elapsed.seconds() >= seconds || !watch(built);
      if (stopped) return;
    }
    try {
      trials_.at(candidates[i].problem).build(candidates[i].parameters);
    } catch (const Error&) {
      // time() will report it.
    }
    done[i] = 1;
    const std::lock_guard lock(mutex);
    ++built;
  });
  return {done.begin(), done.end()};
}

double LocalJudge::time(const Candidate& candidate, const Timing& timing) {
  return trial_of(candidate.problem).time(candidate.parameters, timing);
}

}  // namespace
}  // namespace imago::tuner

namespace imago {
namespace {

/// Returns the class of a transform. Throws InvalidArgument if profiles have none.
profile::ProblemClass class_of(const Transform& transform) {
  const auto found = engine::class_of(problem::make_problem(transform), false);
  if (!found || !found->packed)
    base::invalid("transform", "not packed, or of several kinds",
                  "a tuning file has packed transforms of one kind (real and complex axes together "
                  "are one)");
  return *found;
}

/// Passes the progress of a session on.
class Reporter final : public tuner::Observer {
 public:
  explicit Reporter(const TuneOptions& options) : options_(options) {}
  bool stops() const override { return options_.stop && options_.stop(); }
  void measures_device() override { tell(0, 0); }
  void begins(const std::vector<profile::ProblemClass>&) override { tell(0, 0); }
  void builds(std::size_t built, std::size_t building) override { tell(built, building); }
  void tries(const profile::ProblemClass&, std::size_t done, std::size_t, double) override {
    tell(done, 0);
  }
  void ends(const tuner::Tuned&) override {}
  void disturbed(const std::string&) override {}
  void leaves_out(const std::vector<profile::ProblemClass>&, double) override {}

 private:
  void tell(std::size_t done, std::size_t total) const {
    if (options_.progress) options_.progress(done, total);
  }
  const TuneOptions& options_;
};

}  // namespace

TunedTransform tune(const cl::Context& context, const cl::Device& device,
                    const Transform& transform, const TuneOptions& options) {
  base::check_driver();
  if (!(options.seconds > 0) || !std::isfinite(options.seconds))
    base::invalid("seconds", options.seconds, "it must be above 0");
  const profile::ProblemClass problem = class_of(transform);
  const device::Facts facts = runtime::facts(device(), runtime::DiskCache::at({}));
  const auto folder =
      options.profile_directory.empty() ? profile::home_folder() : options.profile_directory;
  if (folder.empty())
    base::invalid("the folder of the tuning file", "unknown",
                  "set IMAGO_PROFILE_DIR, HOME or options.profile_directory (C++)");
  TunedTransform tuned;
  tuned.profile = folder / profile::file_name(facts);
  std::optional<profile::Profile> before;
  if (std::filesystem::exists(tuned.profile)) before = profile::load(tuned.profile);
  const profile::Ladder ladder(facts, profile::usual_sources(options.profile_directory));
  tuner::Wishes wishes;
  wishes.classes = {problem};
  wishes.budget = options.seconds;
  wishes =
      tuner::wishes_for(facts, std::move(wishes),
                        base::builders(base::kMostBuilders, std::thread::hardware_concurrency()));
  tuner::LocalJudge judge(context, device);
  Reporter reporter(options);
  tuner::Session session(wishes, facts, {tuned.profile, before, ladder.fastest_rates()}, judge,
                         reporter);
  session.measure_rates([&] { return tuner::calibrate(device(), facts); });
  session.run();
  if (session.tuned().empty()) return tuned;
  const tuner::Tuned& row = session.tuned().front();
  tuned.tried = row.result.tried.size();
  const auto *best = row.result.best(), *own = row.result.of(row.own);
  if (!best) return tuned;
  tuned.stored = true, tuned.seconds = best->seconds, tuned.parameters = best->parameters;
  if (own && own->failure.empty()) tuned.gain = own->seconds / best->seconds;
  return tuned;
}

}  // namespace imago
