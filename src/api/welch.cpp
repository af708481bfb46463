// This file implements WelchPlan: plans that add frames to sums, group after group, and those that
// add the sums.
#include <imago/welch.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "api/arguments.hpp"
#include "api/execution.hpp"
#include "api/parts.hpp"
#include "api/steps.hpp"
#include "base/errors.hpp"
#include "base/integers.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "problem/layout.hpp"
#include "problem/make_problem.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"
#include "signal/short_time.hpp"
#include "signal/welch.hpp"

namespace imago {
namespace {

/// Returns the number of rows whose sums remain in the device's cache.
std::size_t most_rows(device::Type type, std::size_t row_bytes) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  const std::size_t bytes = (type == device::Type::cpu ? 4 : 16) * kMebibyte;
  return std::max<std::size_t>(1, bytes / row_bytes);
}

bool has_argument(const problem::Problem& problem, const std::string& name) {
  const auto arguments = problem.arguments(false);
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const auto& argument) { return argument.name == name; });
}

}  // namespace

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] WelchPlan::State {
  /// The frames of a plan in groups. A group has a frame for each row of sums, and takes one
  /// launch, or two for two signals.
  struct Groups {
    Groups(std::size_t all, std::size_t most) : frames(all) {
      rows = base::ceil_divide(frames, base::ceil_divide(frames, most));
      constexpr std::size_t kAtOnce = 64;  // sums that a work-item adds without loss of time
      if (rows > kAtOnce) {
        left = static_cast<std::size_t>(std::sqrt(static_cast<double>(rows)));
        rows = base::ceil_divide(rows, left) * left;
      }
    }
    std::size_t count() const { return base::ceil_divide(frames, rows); }
    /// Returns the number of frames of the last group.
    std::size_t last() const { return frames - (count() - 1) * rows; }

    std::size_t frames, rows = 0;
    std::size_t left = 1;  ///< number of sums after the first addition
  };

  State(const cl::Context& own_context, const cl::Device& own_device, WelchTransform given,
        const Options& options)
      : description(std::move(given)),
        signal(signal::all_frames(description)),
        other(signal::all_frames(description, true)),
        bins(signal::check_short_time(signal).bins(signal.kind)),
        signals(problem::make_problem(signal::forward_frames(signal))),
        others(problem::make_problem(signal::forward_frames(other))),
        groups(
            signal.frames,
            most_rows(runtime::facts(own_device(), engine::disk_cache(options)).type, row_bytes())),
        context(api::shared<cl::Context>(own_context())) {
    const auto made = [&](const problem::Computation& computation) {
      auto execution = api::make_execution(context, own_device, computation, options);
      parts.add(execution.get());
      return execution;
    };
    const auto group = [&](std::size_t frames) {
      return Group{description.cross ? made(signal::kept_frames(description, frames)) : nullptr,
                   made(signal::added_frames(description, frames, groups.rows))};
    };
    full = group(groups.rows);
    if (groups.last() < groups.rows) last = group(groups.last());
    const std::size_t count = groups.rows / groups.left;
    if (groups.left > 1) added = made(signal::added_sums(description, count, groups.left));
    const std::size_t finally = added ? groups.left : count;
    result = made(signal::added_sums(description, finally, 1));
    const auto weights = [&](std::size_t number, double weight) {
      return api::upload_factors(context(), std::vector<std::complex<double>>(number, weight),
                                 description.precision, true);
    };
    ones = weights(count, 1);
    shares = weights(finally, 1 / static_cast<double>(signal.frames));
    window = api::upload_window(context(), signal.window, window_points(), signal.precision);
  }

  /// Returns the bytes of a number, or of a pair.
  std::size_t element_bytes() const {
    const std::size_t numbers = description.cross ? 2 : 1;
    return numbers * (description.precision == Precision::f64 ? 8 : 4);
  }
  std::size_t window_points() const { return signal::check_short_time(signal).points; }
  /// Returns the bytes of the sums of a row.
  std::size_t row_bytes() const {
    std::size_t elements = description.batch * bins;
    for (const std::size_t length : signal.lengths) elements *= length;
    return elements / signal::check_short_time(signal).samples * element_bytes();
  }
  std::size_t sum_bytes() const {
    const std::size_t kept = description.cross ? groups.rows : 0, further = added ? groups.left : 0;
    return (groups.rows + kept + further) * row_bytes();
  }
  void enqueue(const cl::CommandQueue& queue, const Array& x, const Array* y, const Array& spectrum,
               const Call& call) const;

  /// The transforms of a group.
  struct Group {
    std::unique_ptr<const api::Execution> kept;  ///< null for one signal
    std::unique_ptr<const api::Execution> added;
  };

  WelchTransform description;
  ShortTimeTransform signal, other;
  std::size_t bins;
  problem::Problem signals, others;
  Groups groups;
  cl::Context context;
  Group full, last;  ///< the last group, if it has fewer frames
  std::unique_ptr<const api::Execution> added, result;
  api::Parts parts;
  cl::Buffer ones, shares, window;
};

void WelchPlan::State::enqueue(const cl::CommandQueue& queue, const Array& x, const Array* y,
                               const Array& spectrum, const Call& call) const {
  // OpenCL keeps the memory until its commands have run.
  const auto allocated = [&](std::size_t rows) {
    return cl::Buffer(runtime::allocate(context(), rows * row_bytes()).take(), false);
  };
  const cl::Buffer sums = allocated(groups.rows);
  const cl::Buffer kept = y ? allocated(groups.rows) : cl::Buffer();
  const std::size_t axis = signal::check_short_time(signal).axis;
  const auto part_of = [&](const Array& array, const ShortTimeTransform& frames, std::size_t i) {
    return api::later(array,
                      i * groups.rows * frames.hop * signal::signal_layout(frames).strides[axis]);
  };
  // The two signals may have different arguments. Checks reject those of neither.
  std::vector<std::vector<Argument>> owned;
  const auto own_of = [&](const problem::Problem& own, const problem::Problem& another,
                          std::size_t i) -> std::vector<Argument>& {
    auto& arguments = owned.emplace_back(api::one_argument(signal::kWindowArgument, window));
    if (has_argument(own, signal::kFirstFrameArgument))
      arguments.emplace_back(signal::kFirstFrameArgument, static_cast<double>(i * groups.rows));
    for (const Argument& given : call.arguments) {
      if (has_argument(own, given.name()) || !has_argument(another, given.name()))
        arguments.push_back(api::copy_of(given));
    }
    return arguments;
  };
  std::vector<api::Step> steps;
  steps.push_back(runtime::Clear{sums(), 0, groups.rows * row_bytes()});
  for (std::size_t i = 0; i < groups.count(); ++i) {
    const Group& group = i + 1 == groups.count() && last.added ? last : full;
    const Array part = part_of(x, signal, i);
    if (y) {
      steps.push_back(api::Run{*group.kept, false, part, kept, own_of(signals, others, i), false});
      own_of(others, signals, i)
          .emplace_back(signal::kConjugatedArgument, api::shared<cl::Buffer>(kept()));
      steps.push_back(
          api::Run{*group.added, false, part_of(*y, other, i), sums, owned.back(), false});
    } else {
      steps.push_back(
          api::Run{*group.added, false, part, sums, own_of(signals, signals, i), false});
    }
  }
  const cl::Buffer fewer = added ? allocated(groups.left) : api::shared<cl::Buffer>(sums());
  const auto equal = api::one_argument(signal::kWeightsArgument, ones),
             mean = api::one_argument(signal::kWeightsArgument, shares);
  if (added) steps.push_back(api::Run{*added, false, sums, fewer, equal, false});
  steps.push_back(api::Run{*result, false, fewer, spectrum, mean, false});
  api::enqueue(queue, call, steps);
}

WelchPlan::WelchPlan(const cl::Context& context, const cl::Device& device, WelchTransform transform,
                     const Options& options) {
  if (!device()) base::invalid("device", "null", "give an OpenCL device");
  api::check_no_recipe(options);
  state_ = api::make_owned<const State>(context, device, std::move(transform), options);
}
WelchPlan::~WelchPlan() = default;
WelchPlan::WelchPlan(WelchPlan&&) noexcept = default;
WelchPlan& WelchPlan::operator=(WelchPlan&&) noexcept = default;

void WelchPlan::power(const cl::CommandQueue& queue, const Array& signal, const Array& spectrum,
                      const Call& call) const {
  const State& state = api::held(state_);
  if (state.description.cross) base::invalid("cross", "true", "call cross(), with two signals");
  state.enqueue(queue, signal, nullptr, spectrum, call);
}
void WelchPlan::cross(const cl::CommandQueue& queue, const Array& signal, const Array& other,
                      const Array& spectrum, const Call& call) const {
  const State& state = api::held(state_);
  if (!state.description.cross) base::invalid("cross", "false", "call power(), with one signal");
  state.enqueue(queue, signal, &other, spectrum, call);
}

const WelchTransform& WelchPlan::transform() const { return api::held(state_).description; }
std::size_t WelchPlan::frames() const { return api::held(state_).signal.frames; }
std::size_t WelchPlan::bins() const { return api::held(state_).bins; }
std::size_t WelchPlan::signal_bytes() const { return api::held(state_).signals.bytes(false); }
std::size_t WelchPlan::other_bytes() const { return api::held(state_).others.bytes(false); }
std::size_t WelchPlan::spectrum_bytes() const { return api::held(state_).result->spectrum_bytes(); }
std::size_t WelchPlan::sum_bytes() const { return api::held(state_).sum_bytes(); }
std::size_t WelchPlan::table_bytes() const { return api::held(state_).parts.table_bytes(); }
std::size_t WelchPlan::workspace_bytes() const { return api::held(state_).parts.workspace_bytes(); }
std::string WelchPlan::describe() const { return api::held(state_).parts.describe(); }
std::vector<KernelSource> WelchPlan::sources() const { return api::held(state_).parts.sources(); }
std::vector<KernelBuild> WelchPlan::builds() const { return api::held(state_).parts.builds(); }

}  // namespace imago
