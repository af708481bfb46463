// This file tunes a list of problems within one budget.
#include "tune/session.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include <imago/error.hpp>

#include "base/errors.hpp"
#include "engine/tuning.hpp"
#include "model/model.hpp"
#include "plan/choice.hpp"
#include "plan/lines.hpp"
#include "plan/planner.hpp"
#include "problem/problem.hpp"
#include "profile/file.hpp"
#include "tune/calibrate.hpp"

namespace imago::tune {
namespace {

/// What most programs ask for: powers of two, and the round numbers between them.
const std::vector<std::vector<std::size_t>> kUsual{
    {4},    {8},    {16},   {32},   {64},    {128},     {256},    {512},
    {1024}, {2048}, {4096}, {8192}, {16384}, {65536},   {131072}, {1048576},
    {100},  {360},  {1000}, {1536}, {10000}, {16777216}};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Points of a tuned batch; twice as many reals, which are as many bytes.
std::size_t default_points(Kind kind, const device::Facts& facts) {
  const std::size_t points = std::size_t{1} << (facts.type == device::Type::cpu ? 20 : 25);
  return kind == Kind::complex ? points : 2 * points;
}

profile::ProblemClass class_of(const Wishes& wishes, const device::Facts& facts,
                               const std::vector<std::size_t>& shape) {
  const std::size_t points =
      wishes.points != 0 ? wishes.points : default_points(wishes.kind, facts);
  profile::ProblemClass problem;
  problem.kind = wishes.kind;
  problem.lengths.assign(shape.begin(), shape.end());
  if (problem.points() == 0)
    base::invalid("lengths", problem.shape(), "every length must be positive");
  problem.precision = wishes.precision;
  problem.placement = wishes.placement;
  problem.batch = std::max<std::size_t>(1, points / problem.points());
  return problem;
}

/// The line that all others are like: where reals go in twos, the last of an odd number is left.
plan::Request request_of(const profile::ProblemClass& problem, const device::Facts& facts) {
  const auto lines =
      plan::lines(problem::make_problem(engine::transform_of(problem)), false, {}, facts);
  const bool together = lines.size() == 1 || lines[1].remains();
  if (!together)
    base::invalid("lengths", problem.shape(),
                  "its axes take kernels of their own here, tune each alone");
  return lines.front();
}

Cost cost_on(const plan::Request& request, const device::Facts& facts) {
  return [&](const Parameters& candidate) {
    try {
      return model::seconds(plan::make_program(request, facts, candidate), facts);
    } catch (const Error&) {
      return std::numeric_limits<double>::infinity();
    }
  };
}

}  // namespace

Session::Session(Wishes wishes, const device::Facts& facts, Memory memory, Judge& judge,
                 Observer& observer)
    : wishes_(std::move(wishes)),
      facts_(facts),
      memory_(std::move(memory)),
      judge_(judge),
      observer_(observer) {
  auto& before = memory_.before;
  if (before && !profile::same_device(before->device, profile::device_of(facts))) before.reset();
  if (wishes_.shapes.empty()) wishes_.shapes = kUsual;
}

void Session::measure_rates(cl_device_id device) {
  const auto& before = memory_.before;
  if (before && before->rates.copy_bytes > 0 && before->device.driver == facts_.driver) {
    facts_.rates = before->rates;
    return;
  }
  observer_.measures_device();
  facts_.rates = calibrate(device, facts_);
  profile::Profile measured;
  measured.rates = facts_.rates;
  save(std::move(measured));
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
  for (const auto& shape : wishes_.shapes) {
    const auto problem = class_of(wishes_, facts_, shape);
    request_of(problem, facts_);  // says before all others which one cannot be tuned
    const auto* entry = known(problem);
    const bool done = wishes_.resume && entry && entry->driver.empty() &&
                      memory_.before->device.driver == facts_.driver;
    if (!done) classes.push_back(problem);
  }
  return classes;
}

void Session::run() {
  const auto classes = pending();
  const double end = now() + wishes_.budget;
  for (std::size_t i = 0; i < classes.size() && !observer_.stops(); ++i) {
    Settings search = wishes_.search;
    search.budget = (end - now()) / static_cast<double>(classes.size() - i);
    if (!search.exhaustive && search.budget <= 0) {  // a search may take longer than its share
      const auto first = classes.begin() + static_cast<std::ptrdiff_t>(i);
      return observer_.leaves_out({first, classes.end()});
    }
    tune(classes[i], search);
  }
}

void Session::tune(const profile::ProblemClass& problem, const Settings& settings) {
  observer_.begins(problem);
  const auto request = request_of(problem, facts_);
  // What imago would take without a profile comes first; a second run starts from the first.
  const Parameters own = plan::choose(request, facts_, model::seconds);
  std::vector<Parameters> first{own, plan::complete(request, facts_, {})};
  if (const auto* entry = known(problem)) first.push_back(entry->parameters);
  const plan::Space space(request, facts_, own.mapping);
  Callbacks callbacks;
  callbacks.now = now;
  callbacks.stop = [this] { return observer_.stops(); };
  callbacks.progress = [&](std::size_t done, std::size_t total, double best) {
    observer_.tries(problem, done, total, best);
  };
  const double start = now();
  Result result = search(space, first, cost_on(request, facts_), judge_, settings, callbacks);
  tuned_.push_back({problem, own, std::move(result), now() - start});
  if (const auto* best = tuned_.back().result.best()) {
    profile::Profile measured;
    measured.entries.push_back({problem, best->parameters, best->seconds, {}});
    save(std::move(measured));
  }
  observer_.ends(tuned_.back());
}

Settings settings_for(const device::Facts& facts, Settings settings, std::size_t jobs) {
  // A CPU compiles while it does not compute: no more than one candidate per process at a time.
  const bool cpu = facts.type == device::Type::cpu;
  if (cpu) settings.seconds_per_timing = 0.015;  // other programs disturb it
  settings.ahead = cpu ? jobs : 2 * jobs;
  return settings;
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

}  // namespace imago::tune
