// This file chooses the parameters of a plan's lines.
#include "engine/parameter_sources.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/errors.hpp"
#include "base/log.hpp"
#include "device/work.hpp"
#include "engine/launches.hpp"
#include "lines/mapping.hpp"
#include "model/model.hpp"
#include "plan/canon.hpp"
#include "plan/chains.hpp"
#include "plan/choice.hpp"
#include "plan/cuts.hpp"
#include "plan/make_program.hpp"

namespace imago::engine {
namespace {

// Largest predicted time of axes that are lines of their own, relative to one kernel: on GPUs, and
// in a chain on CPUs. Predictions for one kernel are lower than measured there
// (docs/measured/cpu.md, "Chains").
constexpr double kSpreads = 0.97, kSpreadsInChain = 1.08;

Line make_line(const lines::Request& request, const device::Facts& facts, std::string origin,
               Parameters complete) {
  auto program = plan::make_program(request, facts, complete);
  return {request, std::move(origin), std::move(complete), std::move(program), {}};
}

/// Returns a direction without lines. Its cut names the mapping that an automatic wish leaves open.
Direction cut_by(const Parameters& wish, const device::Facts& facts) {
  Direction direction;
  direction.cut = {.mapping = lines::mapping_of(wish.mapping, facts), .algorithm = wish.algorithm};
  return direction;
}

/// The canon's arithmetic (plan/canon.hpp), with the caller's choices of where it happens, else
/// those of the cost model.
class Canon final : public Source {
 public:
  explicit Canon(const Tuning& tuning) : facts_(tuning.facts()), wish_(tuning.wish()) {}

  Direction choose(const problem::Problem& problem, bool inverse) const override {
    Direction direction = cut_by({.mapping = wish_.mapping}, facts_);
    const auto requests = plan::lines_of(problem, inverse, direction.cut, facts_);
    std::vector<Parameters> canons;
    for (const lines::Request& request : requests)
      canons.push_back(plan::canon_of(request, direction.cut.mapping, facts_));
    const auto wanted = plan::canon_with(canons, wish_, inverse);
    for (std::size_t i = 0; i < requests.size(); ++i)
      direction.lines.push_back(make_line(requests[i], facts_, "arithmetic of the canon",
                                          completed(requests[i], wanted[i])));
    return direction;
  }

  Parameters choose_alike(const lines::Request&, const Parameters& alone) const override {
    return alone;
  }

 private:
  Parameters completed(const lines::Request& request, const Parameters& wanted) const {
    if (!wish_.kernels.empty() || wanted.kernels[0].columns != 0)
      return plan::complete(request, facts_, wanted);
    try {
      return plan::choose_alike(request, facts_, predicted_seconds, wanted);
    } catch (const InvalidArgument& illegal) {
      base::unsupported("options.reproducible is true, and the device has no room for a kernel (" +
                            std::string(illegal.what()) + ")",
                        "plan without the option");
    }
  }

  const device::Facts& facts_;
  const Parameters& wish_;
};

class ByHand final : public Source {
 public:
  explicit ByHand(const Tuning& tuning) : facts_(tuning.facts()), wish_(tuning.wish()) {}

  Direction choose(const problem::Problem& problem, bool inverse) const override {
    const auto requests = plan::lines_of(problem, inverse, wish_, facts_);
    const auto shares = plan::share(wish_, requests);
    Direction direction = cut_by(wish_, facts_);
    for (std::size_t i = 0; i < requests.size(); ++i)
      direction.lines.push_back(make_line(requests[i], facts_, "parameters: by hand",
                                          plan::complete(requests[i], facts_, shares[i])));
    return direction;
  }

  Parameters choose_alike(const lines::Request&, const Parameters& alone) const override {
    return alone;
  }

 private:
  const device::Facts& facts_;
  const Parameters& wish_;
};

class Model final : public Source {
 public:
  explicit Model(const Tuning& tuning)
      : facts_(tuning.facts()), launches_(tuning.wish().launches) {}

  Direction choose(const problem::Problem& problem, bool inverse) const override {
    Direction direction = cut(problem, inverse, Algorithm::automatic);
    if (!may_be_spread(problem, direction)) return direction;
    Direction spread = cut(problem, inverse, Algorithm::hierarchy);
    const kernel::Program one = program_of(direction, problem),
                          several = program_of(spread, problem);
    const bool cpu = facts_.type == device::Type::cpu;
    if (cpu && kernel::commands_of(several).size() > 1) return direction;
    return model::seconds(several, facts_) <
                   (cpu ? kSpreadsInChain : kSpreads) * model::seconds(one, facts_)
               ? spread
               : direction;
  }

  Parameters choose_alike(const lines::Request& request, const Parameters& alone) const override {
    return plan::choose_alike(request, facts_, predicted_seconds, alone);
  }

  Line line(const lines::Request& request) const {
    return line(request, plan::choose(request, facts_, predicted_seconds));
  }

 private:
  Line line(const lines::Request& request, Parameters complete) const {
    return make_line(request, facts_, "chosen by the model", std::move(complete));
  }

  /// Chooses the parameters of the lines that an algorithm cuts.
  Direction cut(const problem::Problem& problem, bool inverse, Algorithm algorithm) const {
    const Parameters wish{.algorithm = algorithm};
    const auto requests = plan::lines_of(problem, inverse, wish, facts_);
    const auto together =
        launches_ == Launches::automatic ? choose_for_one_launch(requests, facts_) : std::nullopt;
    Direction direction = cut_by(wish, facts_);
    for (std::size_t i = 0; i < requests.size(); ++i)
      direction.lines.push_back(together ? line(requests[i], (*together)[i]) : line(requests[i]));
    return direction;
  }

  /// True if several axes that one kernel transforms together can be lines of their own: on a CPU,
  /// which may chain them, and on a GPU that one kernel would leave idle.
  bool may_be_spread(const problem::Problem& problem, const Direction& direction) const {
    if (problem.filter ||
        std::none_of(direction.lines.begin(), direction.lines.end(),
                     [](const Line& line) { return line.request.axes.size() > 1; }))
      return false;
    if (facts_.type == device::Type::cpu)
      return std::all_of(direction.lines.begin(), direction.lines.end(),
                         [](const Line& line) { return line.request.bare(); });
    std::uint64_t points = problem.batch;
    for (const std::uint64_t length : problem.lengths) points *= length;
    return device::work_of(points, facts_) != device::Work::full;
  }

  /// Returns the program of all lines.
  kernel::Program program_of(const Direction& direction, const problem::Problem& problem) const {
    std::vector<kernel::Program> lines;
    std::vector<kernel::Program*> pointers;
    for (const Line& line : direction.lines) lines.push_back(line.program);
    for (kernel::Program& line : lines) pointers.push_back(&line);
    if (launches_ == Launches::automatic) plan::chain(pointers, problem.placement, facts_);
    kernel::Program program;
    for (const kernel::Program& line : lines) kernel::append(program, line);
    program.one_launch = wants_one_launch(program, launches_, facts_);
    return program;
  }

  const device::Facts& facts_;
  const Launches launches_;
};

/// Counts the passes of a line's kernels; 0 if they are of the vector mapping.
std::size_t passes(const Line& line) {
  std::size_t sum = 0;
  for (const kernel::Step& step : line.program.steps) {
    if (!step.on_work_group()) return 0;
    sum += step.passes.size();
  }
  return sum;
}

/// Searches the profiles for the whole transform, then for each line; uses the cost model for the
/// rest.
class Profiles final : public Source {
 public:
  explicit Profiles(const Tuning& tuning)
      : tuning_(tuning), facts_(tuning.facts()), model_(tuning) {}

  Direction choose(const problem::Problem& problem, bool inverse) const override {
    Direction direction = whole(problem, inverse);
    return direction.lines.empty() ? line_by_line(problem, inverse) : direction;
  }

  Parameters choose_alike(const lines::Request& request, const Parameters& alone) const override {
    return model_.choose_alike(request, alone);
  }

 private:
  /// Returns the profile's direction for the whole transform; without lines if no legal one exists.
  Direction whole(const problem::Problem& problem, bool inverse) const {
    const auto found = tuning_.find(class_of(problem, inverse));
    if (!found) return {};
    try {
      const auto requests = plan::lines_of(problem, inverse, found->parameters, facts_);
      const auto shares = plan::share(found->parameters, requests);
      Direction direction = cut_by(found->parameters, facts_);
      for (std::size_t i = 0; i < requests.size(); ++i)
        direction.lines.push_back(tuned_line(requests[i], *found, shares[i]));
      return direction;
    } catch (const std::exception& illegal) {  // parameters are illegal on this device
      tuning_.reject(*found, illegal.what());
      return {};
    }
  }

  Direction line_by_line(const problem::Problem& problem, bool inverse) const {
    const auto requests = plan::lines_of(problem, inverse, {}, facts_);
    std::vector<std::optional<profile::Found>> found;
    for (const lines::Request& request : requests) found.push_back(tuning_.find(class_of(request)));
    if (std::none_of(found.begin(), found.end(), [](const auto& entry) { return entry; })) {
      say_untuned(class_of(problem, inverse));
      return model_.choose(problem, inverse);
    }
    Direction direction = cut_by({}, facts_);
    for (std::size_t i = 0; i < requests.size(); ++i)
      direction.lines.push_back(found[i] ? line(requests[i], *found[i]) : model_.line(requests[i]));
    return direction;
  }

  /// Logs the class, which `imago tune --from-program` reads.
  static void say_untuned(const std::optional<profile::ProblemClass>& problem) {
    if (problem && problem->packed && base::logs(LogLevel::info))
      base::log(LogLevel::info, "no profile has tuned parameters for class " + problem->key());
  }

  Line line(const lines::Request& request, const profile::Found& found) const {
    try {
      return tuned_line(request, found, found.parameters);
    } catch (const std::exception& illegal) {  // parameters are illegal on this device
      tuning_.reject(found, illegal.what());
      return model_.line(request);
    }
  }

  /// Returns a tuned line; with hooks the model's line, if that has fewer passes. Tuned parameters
  /// were measured without hooks and limited by memory bandwidth, so an additional pass hardly
  /// changed the time. Hooks add instructions and may read fewer bytes. On an H200, 1024 points of
  /// 16-bit integers as 4.16.8.2 take 15 % more time than as 16.8.8.
  Line tuned_line(const lines::Request& request, const profile::Found& found,
                  const Parameters& share) const {
    Line tuned = make_line(request, facts_, found.text(),
                           is_automatic(share) ? plan::choose(request, facts_, predicted_seconds)
                                               : plan::complete(request, facts_, share));
    tuned.tuned = found;
    if (!request.hooked() || !request.plain()) return tuned;
    Line own = model_.line(request);
    const bool as_many = own.program.launches.size() == tuned.program.launches.size();
    return as_many && passes(own) < passes(tuned) ? own : tuned;
  }

  const Tuning& tuning_;
  const device::Facts& facts_;
  const Model model_;
};

}  // namespace

std::unique_ptr<const Source> source_of(const Tuning& tuning, bool with_profiles,
                                        bool reproducible) {
  if (reproducible) return std::make_unique<Canon>(tuning);
  if (!tuning.automatic()) return std::make_unique<ByHand>(tuning);
  if (with_profiles) return std::make_unique<Profiles>(tuning);
  return std::make_unique<Model>(tuning);
}

}  // namespace imago::engine
