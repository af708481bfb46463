// This file tunes a list of problems within one budget.
#include "tuner/session.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <imago/error.hpp>

#include "base/errors.hpp"
#include "base/precision.hpp"
#include "base/side_by_side.hpp"
#include "engine/composition.hpp"
#include "engine/tuning.hpp"
#include "lines/mapping.hpp"
#include "plan/planner.hpp"
#include "plan/shortlist.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "profile/file.hpp"

namespace imago::tuner {
namespace {

/// Lengths that most programs use: powers of two, and round numbers between them.
const std::vector<std::vector<std::size_t>> kUsual{
    {4},    {8},    {16},   {32},   {64},    {128},     {256},    {512},
    {1024}, {2048}, {4096}, {8192}, {16384}, {65536},   {131072}, {1048576},
    {100},  {360},  {1000}, {1536}, {10000}, {16777216}};

/// Shapes that programs transform one at a time: signals, pictures and volumes.
const std::vector<std::vector<std::size_t>> kUsualAlone{
    {256},        {512},        {1024},       {2048},          {4096},
    {8192},       {16384},      {32768},      {65536},         {131072},
    {262144},     {524288},     {1048576},    {2097152},       {4194304},
    {64, 64},     {128, 128},   {256, 256},   {512, 512},      {1024, 1024},
    {2048, 2048}, {32, 32, 32}, {64, 64, 64}, {128, 128, 128}, {256, 256, 256}};

/// A measured copy rate below this fraction of the known one is attributed to a busy machine.
constexpr double kPlausible = 0.5;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Returns the points of a tuned batch; twice as many real numbers, which are as many bytes.
std::size_t default_points(Kind kind, const device::Facts& facts) {
  const std::size_t points = std::size_t{1} << (facts.type == device::Type::cpu ? 20 : 25);
  return kind == Kind::complex ? points : 2 * points;
}

/// Returns the problem class of one shape.
profile::ProblemClass class_of(const Wishes& wishes, const device::Facts& facts,
                               const std::vector<std::size_t>& shape, std::size_t batch) {
  const std::size_t points =
      wishes.points != 0 ? wishes.points : default_points(wishes.kind, facts);
  profile::ProblemClass problem;
  problem.kind = wishes.kind;
  problem.lengths.assign(shape.begin(), shape.end());
  if (problem.points() == 0)
    base::invalid("lengths", problem.shape(), "every length must be at least 1");
  problem.precision = wishes.precision;
  problem.pairs = facts.f64.pairs && wishes.precision == Precision::f64;
  problem.placement = wishes.placement;
  problem.batch = batch != 0 ? batch : std::max<std::size_t>(1, points / problem.points());
  return problem;
}

std::vector<plan::Cut> cuts_of(const profile::ProblemClass& problem, const device::Facts& facts) {
  return plan::cuts(problem::make_problem(engine::transform_of(problem)), facts);
}

/// Returns the plan of a problem with these parameters; the cost model chooses the open ones.
engine::Blueprint decided(const profile::ProblemClass& problem, const device::Facts& facts,
                          const Parameters& parameters) {
  Transform transform = engine::transform_of(problem);
  // A class of real data has no direction, so its parameters must be legal in both directions.
  if (problem.kind == Kind::real) transform.directions = Directions::both;
  Options options;
  options.profiles = false;
  options.parameters = parameters;
  return engine::decide(transform, facts, engine::options_of(problem, options));
}

}  // namespace

Parameters choice_for(const profile::ProblemClass& problem, const device::Facts& facts,
                      const Parameters& wish) {
  return decided(problem, facts, wish).forward->parameters();
}

namespace {

/// Returns the parameters with the cost model's choice of launches. The timed and stored parameters
/// specify it, so that a later prediction cannot choose another. On a CPU it stays automatic:
/// chains depend on the batch, and an entry is used for other batches, too.
Parameters with_launches(const profile::ProblemClass& problem, Parameters parameters,
                         const device::Facts& facts) {
  if (parameters.launches != Launches::automatic || parameters.kernels.size() < 2 ||
      facts.type == device::Type::cpu)
    return parameters;
  try {
    parameters.launches = choice_for(problem, facts, parameters).launches;
  } catch (const Error&) {
    // Not legal; the search will report it.
  }
  return parameters;
}

}  // namespace

Cost cost_on(const profile::ProblemClass& problem, const device::Facts& facts) {
  return [&](const Parameters& candidate) {
    try {
      return decided(problem, facts, candidate).forward->seconds;
    } catch (const Error&) {
      return std::numeric_limits<double>::infinity();
    }
  };
}

Session::Session(Wishes wishes, const device::Facts& facts, Memory memory, Judge& judge,
                 Observer& observer)
    : wishes_(std::move(wishes)),
      facts_(engine::facts_for(facts, {.f64 = wishes_.f64})),
      memory_(std::move(memory)),
      judge_(judge),
      observer_(observer) {
  auto& before = memory_.before;
  if (before && !profile::same_device(before->device, profile::device_of(facts))) before.reset();
}

std::vector<profile::ProblemClass> Session::wanted() const {
  if (!wishes_.classes.empty()) return wishes_.classes;
  std::vector<profile::ProblemClass> classes;
  const auto add = [&](const auto& shapes, std::size_t batch) {
    for (const auto& shape : shapes) {
      auto problem = class_of(wishes_, facts_, shape, batch);
      if (std::find(classes.begin(), classes.end(), problem) == classes.end())
        classes.push_back(std::move(problem));
    }
  };
  const bool usual = wishes_.shapes.empty();
  add(usual ? kUsual : wishes_.shapes, wishes_.batch);
  if (usual && wishes_.batch == 0 && wishes_.points == 0) add(kUsualAlone, 1);
  return classes;
}

void Session::measure_rates(const std::function<Calibration()>& measure,
                            std::chrono::duration<double> pause) {
  constexpr int kAttempts = 4;
  const auto& before = memory_.before;
  rates_kept_ = before && before->rates.copy_bytes > 0 && before->device.driver == facts_.driver &&
                plausible(before->rates);
  if (rates_kept_) {
    facts_.rates = before->rates;
    return;
  }
  device::Rates best;
  Calibration found;
  for (int i = 0; i < kAttempts && !observer_.stops(); ++i) {
    if (i > 0) std::this_thread::sleep_for(pause);
    observer_.measures_device();
    found = measure();
    best = better_of(best, found.rates);
    if (found.scatter <= kScatter && plausible(best)) break;
  }
  facts_.rates = plausible(best) ? best : memory_.known;
  const std::string why = refusal(found, best);
  rates_kept_ = why.empty();
  if (rates_kept_) return save_rates();
  observer_.disturbed("the device's rates " + why +
                      " and are not kept; tune again when the machine is idle");
}

/// True if no profile of the device shows a much higher copy rate.
bool Session::plausible(const device::Rates& rates) const {
  return rates.copy_bytes >= kPlausible * memory_.known.copy_bytes;
}

/// Returns the reason why the rates are not saved; empty if they are.
std::string Session::refusal(const Calibration& last, const device::Rates& best) const {
  const auto gigabytes = [](double rate) { return std::to_string(static_cast<int>(rate / 1e9)); };
  if (last.scatter > kScatter)
    return "scatter by " + std::to_string(static_cast<int>(100 * last.scatter)) + " %";
  if (!plausible(best))
    return "were measured as " + gigabytes(best.copy_bytes) + " GB/s, where a profile has " +
           gigabytes(memory_.known.copy_bytes) + ",";
  return memory_.busy ? "were measured while other programs compute" : "";
}

void Session::save_rates() const {
  profile::Profile measured;
  measured.rates = facts_.rates;
  save(std::move(measured));
}

/// Raises the copy rate if a transform that reads and writes its whole array in memory is faster.
/// The lower rate was measured on a busy machine.
void Session::correct_rates(const profile::ProblemClass& problem, double seconds) {
  const double real = problem.kind == Kind::complex ? 2 : 1;
  const auto item = static_cast<double>(base::bytes_of(problem.precision));
  const double bytes = real * item * static_cast<double>(problem.points() * problem.batch);
  auto& rates = facts_.rates;
  const double shown = 2 * bytes / seconds;
  const bool from_memory = bytes > static_cast<double>(facts_.memory.cache_bytes);
  if (!from_memory || rates.copy_bytes <= 0 || shown <= rates.copy_bytes) return;
  observer_.disturbed("a transform moves " + std::to_string(static_cast<int>(shown / 1e9)) +
                      " GB/s, and the device was measured to copy " +
                      std::to_string(static_cast<int>(rates.copy_bytes / 1e9)) +
                      ": the larger one counts");
  for (double& share : rates.segments) share *= rates.copy_bytes / shown;
  rates.copy_bytes = shown;
  if (rates_kept_) save_rates();
}

void Session::save(profile::Profile measured) const {
  measured.device = profile::device_of(facts_);
  profile::add(memory_.path, measured);
}

const profile::Entry* Session::known(const profile::ProblemClass& problem) const {
  if (!memory_.before) return nullptr;
  for (const auto& entry : memory_.before->entries) {
    if (entry.problem == problem) return &entry;
  }
  return nullptr;
}

std::vector<profile::ProblemClass> Session::pending() const {
  std::vector<profile::ProblemClass> classes;
  for (const auto& problem : wanted()) {
    cuts_of(problem, facts_);  // throws before all others if one cannot be tuned
    const auto* entry = known(problem);
    const bool done = wishes_.resume && entry && entry->driver.empty() &&
                      memory_.before->device.driver == facts_.driver;
    if (!done) classes.push_back(problem);
  }
  return classes;
}

void Session::run() {
  const auto classes = pending();
  const double start = now(), end = start + wishes_.budget;
  std::vector<profile::ProblemClass> missed;
  std::size_t done = 0;
  while (done < classes.size() && !observer_.stops()) {
    const std::size_t left = classes.size() - done;
    Settings search = wishes_.search;
    const std::size_t count = search.exhaustive ? 1 : std::min(left, wishes_.together);
    search.budget = (end - now()) * static_cast<double>(count) / static_cast<double>(left);
    if (!search.exhaustive && search.budget <= 0) break;  // the ones before took longer
    tune(std::span(classes).subspan(done, count), search);
    for (std::size_t i = done; i < done + count; ++i) {
      const auto ended = [&](const Tuned& each) { return each.problem == classes[i]; };
      const auto found = std::find_if(tuned_.begin(), tuned_.end(), ended);
      if (found == tuned_.end() || found->result.unsettled) missed.push_back(classes[i]);
    }
    done += count;
  }
  if (observer_.stops()) return;
  const double each = done == 0 ? 0 : (now() - start) / static_cast<double>(done);
  missed.insert(missed.end(), classes.begin() + static_cast<std::ptrdiff_t>(done), classes.end());
  if (!missed.empty()) observer_.leaves_out(missed, each * static_cast<double>(missed.size()));
}

/// Puts imago's choice without a profile first; a second run starts from the first one's result.
Start Session::start_of(const profile::ProblemClass& problem,
                        const std::vector<plan::Cut>& cuts) const {
  Start start{{choice_for(problem, facts_, {})}, {}};
  for (const plan::Cut& cut : cuts) {
    for (auto& candidate : plan::shortlist(cut, facts_))
      start.likely.push_back(std::move(candidate));
  }
  start.first.push_back(start.likely.front());  // defaults of the device's class
  if (const auto* entry = known(problem)) start.first.push_back(entry->parameters);
  for (auto* candidates : {&start.first, &start.likely}) {
    for (auto& candidate : *candidates) candidate = with_launches(problem, candidate, facts_);
  }
  const auto cost = cost_on(problem, facts_);
  std::erase_if(start.first, [&](const Parameters& parameters) {
    return cost(parameters) == std::numeric_limits<double>::infinity();
  });
  return start;
}

void Session::tune(std::span<const profile::ProblemClass> problems, const Settings& settings) {
  observer_.begins({problems.begin(), problems.end()});
  const double begin = now();
  const device::Facts facts = facts_;  // a result may change the rates
  std::vector<std::unique_ptr<const plan::Space>> spaces(problems.size());
  std::vector<Subject> subjects(problems.size());
  base::side_by_side(problems.size(), [&](std::size_t i) {
    const auto cuts = cuts_of(problems[i], facts);
    spaces[i] = std::make_unique<plan::Space>(cuts, facts, lines::mapping_of({}, facts));
    subjects[i] = {problems[i], spaces[i].get(), start_of(problems[i], cuts),
                   cost_on(problems[i], facts)};
  });
  Settings search_settings = settings;
  search_settings.budget -= now() - begin;
  Callbacks callbacks;
  callbacks.now = now;
  callbacks.stop = [this] { return observer_.stops(); };
  callbacks.builds = [this](std::size_t built, std::size_t building) {
    observer_.builds(built, building);
  };
  callbacks.tries = [&](std::size_t i, std::size_t done, std::size_t total, double best) {
    observer_.tries(problems[i], done, total, best);
  };
  callbacks.ends = [&](std::size_t i, Result result) {
    const auto& first = subjects[i].start.first;
    keep({problems[i], first.empty() ? Parameters{} : first[0], std::move(result),
          (now() - begin) / static_cast<double>(problems.size())});
  };
  search(subjects, judge_, search_settings, callbacks);
}

/// Stores a result.
void Session::keep(Tuned tuned) {
  tuned_.push_back(std::move(tuned));
  const Tuned& row = tuned_.back();
  if (const auto* best = row.result.best()) {
    profile::Profile measured;
    measured.entries.push_back({row.problem, best->parameters, best->seconds, {}});
    save(std::move(measured));
    correct_rates(row.problem, best->seconds);
  }
  if (const double scatter = row.result.scatter; scatter > kScatter)
    observer_.disturbed("the times of " + row.problem.shape() + " scatter by " +
                        std::to_string(static_cast<int>(100 * scatter)) +
                        " %: other choices may be as good");
  observer_.ends(row);
}

Wishes wishes_for(const device::Facts& facts, Wishes wishes, std::size_t jobs) {
  // Enough problems that no process waits for the slowest candidate of a round.
  wishes.together = std::clamp<std::size_t>(jobs, 2, 16);
  wishes.search.batch = std::clamp<std::size_t>(2 * jobs, 8, 24);
  // Short, because other programs disturb it.
  if (facts.type == device::Type::cpu) wishes.search.seconds_per_timing = 0.015;
  return wishes;
}

bool is_uniform(const Parameters& candidate) {
  if (candidate.kernels.size() != 1) return false;
  const KernelParameters& kernel = candidate.kernels[0];
  const unsigned radix = kernel.radices[0];
  const bool rest_is_last = std::all_of(kernel.radices.begin(), kernel.radices.end() - 1,
                                        [&](unsigned each) { return each == radix; });
  return rest_is_last && radix <= 16 && (radix & (radix - 1)) == 0 &&
         kernel.radices.back() <= radix && kernel.exchange == Exchange::interleaved &&
         kernel.twiddles == Twiddles::product && std::size_t{kernel.items} * radix == kernel.length;
}

}  // namespace imago::tuner
