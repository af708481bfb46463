// This file implements WelchPlan: plans that add frames to sums, group after group, and those that
// add the sums.
#include <imago/welch.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
#include <utility>

#include "api/arguments.hpp"
#include "api/commands.hpp"
#include "api/execution.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "problem/layout.hpp"
#include "problem/make_problem.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"
#include "signal/short_time.hpp"
#include "signal/welch.hpp"

namespace imago {
namespace welch {

/// Returns the number of rows whose sums remain in the device's cache.
std::size_t most_rows(device::Type type, std::size_t row_bytes) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  const std::size_t bytes = (type == device::Type::cpu ? 4 : 16) * kMebibyte;
  return std::max<std::size_t>(1, bytes / row_bytes);
}

/// The computations of a plan, which adds frames in groups. A group has a frame for each row of
/// sums, and takes one launch, or two for two signals.
struct Parts {
  Parts(const WelchTransform& description, const device::Facts& facts);
  std::size_t groups() const { return base::ceil_divide(signal.frames, rows); }

  ShortTimeTransform signal, other;
  std::size_t points = 0, bins = 0;
  std::size_t row_bytes = 0;           ///< bytes of the sums of a row
  std::size_t rows = 0;                ///< frames of a group
  std::size_t left = 1;                ///< number of sums after the first addition
  problem::Computation added, result;  ///< for a group of frames, and for the sums that are left
  /// `kept` is empty for one signal, `last_kept` and `last_added` if the last group is no smaller,
  /// and `sums`, the first addition, if one is enough.
  std::optional<problem::Computation> kept, last_kept, last_added, sums;
};

Parts::Parts(const WelchTransform& d, const device::Facts& facts)
    : signal(signal::all_frames(d)),
      other(signal::all_frames(d, true)),
      added(Transform()),
      result(Transform()) {
  const signal::Framing framing = signal::check_short_time(signal);
  points = framing.points, bins = framing.bins(signal.kind);
  row_bytes = d.batch * bins * (d.cross ? 2 : 1) * base::bytes_of(d.precision);
  for (std::size_t i = 0; i < d.lengths.size(); ++i) {
    if (i != framing.axis) row_bytes *= d.lengths[i];
  }
  const std::size_t frames = signal.frames;
  rows = base::ceil_divide(frames, base::ceil_divide(frames, most_rows(facts.type, row_bytes)));
  constexpr std::size_t kAtOnce = 64;  // sums that a work-item adds without loss of time
  if (rows > kAtOnce) {
    left = static_cast<std::size_t>(std::sqrt(static_cast<double>(rows)));
    rows = base::ceil_divide(rows, left) * left;
  }
  added = signal::added_frames(d, rows, rows);
  if (d.cross) kept = signal::kept_frames(d, rows);
  const std::size_t last = frames - (groups() - 1) * rows;
  if (last < rows) last_added = signal::added_frames(d, last, rows);
  if (last < rows && d.cross) last_kept = signal::kept_frames(d, last);
  if (left > 1) sums = signal::added_sums(d, rows / left, left);
  result = signal::added_sums(d, sums ? left : rows, 1);
}

Parts parts_of(const cl::Device& device, const WelchTransform& description,
               const Options& options) {
  api::check_start(device, options);
  return {description, runtime::reported_facts(device())};
}

}  // namespace welch

namespace {

bool has_argument(const problem::Problem& problem, const std::string& name) {
  const auto arguments = problem.arguments(false);
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const auto& argument) { return argument.name == name; });
}

}  // namespace

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] WelchPlan::State {
  State(const cl::Context& own_context, const cl::Device& device, WelchTransform given,
        const Options& options)
      : description(std::move(given)),
        laid(welch::parts_of(device, description, options)),
        signals(problem::make_problem(signal::forward_frames(laid.signal))),
        others(problem::make_problem(signal::forward_frames(laid.other))),
        context(api::shared<cl::Context>(own_context())) {
    const auto made = [&](const std::optional<problem::Computation>& computation) {
      auto execution =
          computation ? api::make_execution(context, device, *computation, options) : nullptr;
      parts.add(execution.get());
      return execution;
    };
    full = {made(laid.kept), made(laid.added)};
    last = {made(laid.last_kept), made(laid.last_added)};
    added = made(laid.sums), result = made(laid.result);
    const auto weights = [&](std::size_t number, double weight) {
      return api::upload_factors(context(), std::vector<std::complex<double>>(number, weight),
                                 description.precision, true);
    };
    ones = weights(laid.rows / laid.left, 1);
    shares = weights(added ? laid.left : laid.rows, 1 / static_cast<double>(laid.signal.frames));
    window = api::upload_window(context(), laid.signal.window, laid.points, description.precision);
  }

  std::size_t sum_bytes() const {
    const std::size_t kept = description.cross ? laid.rows : 0, further = added ? laid.left : 0;
    return (laid.rows + kept + further) * laid.row_bytes;
  }
  void enqueue(const cl::CommandQueue& queue, const Array& x, const Array* y, const Array& spectrum,
               const Call& call) const;

  /// The transforms of a group.
  struct Group {
    std::unique_ptr<const api::Execution> kept;  ///< null for one signal
    std::unique_ptr<const api::Execution> added;
  };

  WelchTransform description;
  welch::Parts laid;
  problem::Problem signals, others;
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
    return cl::Buffer(runtime::allocate(context(), rows * laid.row_bytes).take(), false);
  };
  const cl::Buffer sums = allocated(laid.rows);
  const cl::Buffer kept = y ? allocated(laid.rows) : cl::Buffer();
  const std::size_t axis = signal::check_short_time(laid.signal).axis;
  const auto part_of = [&](const Array& array, const ShortTimeTransform& frames, std::size_t i) {
    return api::later(array,
                      i * laid.rows * frames.hop * signal::signal_layout(frames).strides[axis]);
  };
  // The two signals may have different arguments. Checks reject those of neither.
  std::vector<std::vector<Argument>> owned;
  const auto own_of = [&](const problem::Problem& own, const problem::Problem& another,
                          std::size_t i) -> std::vector<Argument>& {
    auto& arguments = owned.emplace_back(api::one_argument(signal::kWindowArgument, window));
    if (has_argument(own, signal::kFirstFrameArgument))
      arguments.emplace_back(signal::kFirstFrameArgument, static_cast<double>(i * laid.rows));
    for (const Argument& given : call.arguments) {
      if (has_argument(own, given.name()) || !has_argument(another, given.name()))
        arguments.push_back(api::copy_of(given));
    }
    return arguments;
  };
  std::vector<api::Command> commands{runtime::Clear{sums(), 0, laid.rows * laid.row_bytes}};
  for (std::size_t i = 0; i < laid.groups(); ++i) {
    const Group& group = i + 1 == laid.groups() && last.added ? last : full;
    const Array part = part_of(x, laid.signal, i);
    if (y) {
      commands.push_back(
          api::Run{*group.kept, false, part, kept, own_of(signals, others, i), false});
      own_of(others, signals, i)
          .emplace_back(signal::kConjugatedArgument, api::shared<cl::Buffer>(kept()));
      commands.push_back(
          api::Run{*group.added, false, part_of(*y, laid.other, i), sums, owned.back(), false});
    } else {
      commands.push_back(
          api::Run{*group.added, false, part, sums, own_of(signals, signals, i), false});
    }
  }
  const cl::Buffer fewer = added ? allocated(laid.left) : api::shared<cl::Buffer>(sums());
  const auto equal = api::one_argument(signal::kWeightsArgument, ones),
             mean = api::one_argument(signal::kWeightsArgument, shares);
  if (added) commands.push_back(api::Run{*added, false, sums, fewer, equal, false});
  commands.push_back(api::Run{*result, false, fewer, spectrum, mean, false});
  api::enqueue(queue, call, commands);
}

WelchPlan::WelchPlan(const cl::Context& context, const cl::Device& device, WelchTransform transform,
                     const Options& options) {
  state_ = api::make_owned<const State>(context, device, std::move(transform), options);
}
Estimate WelchPlan::estimate(const cl::Device& device, const WelchTransform& transform,
                             const Options& options) {
  const welch::Parts laid = welch::parts_of(device, transform, options);
  Estimate sum;
  sum.signal_bytes = problem::make_problem(signal::forward_frames(laid.signal)).bytes(false);
  sum.spectrum_bytes = problem::make_problem(laid.result).bytes(true);
  const std::size_t full = laid.groups() - (laid.last_added ? 1 : 0);
  const auto add = [&](const std::optional<problem::Computation>& part, std::size_t runs) {
    if (part) api::add(sum, api::estimate(device, *part, options), runs);
  };
  add(laid.kept, full), add(laid.added, full);
  for (const auto* part : {&laid.last_kept, &laid.last_added, &laid.sums}) add(*part, 1);
  add(laid.result, 1);
  return sum;
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
std::size_t WelchPlan::frames() const { return api::held(state_).laid.signal.frames; }
std::size_t WelchPlan::bins() const { return api::held(state_).laid.bins; }
std::size_t WelchPlan::signal_bytes() const { return api::held(state_).signals.bytes(false); }
std::size_t WelchPlan::other_bytes() const { return api::held(state_).others.bytes(false); }
std::size_t WelchPlan::spectrum_bytes() const { return api::held(state_).result->spectrum_bytes(); }
Layout WelchPlan::signal_layout() const {
  const State& state = api::held(state_);
  return api::reported(signal::signal_layout(state.laid.signal), state.description.batch);
}
Layout WelchPlan::other_layout() const {
  const State& state = api::held(state_);
  return api::reported(signal::signal_layout(state.laid.other), state.description.batch);
}
Layout WelchPlan::spectrum_layout() const {
  const WelchTransform& description = api::held(state_).description;
  return api::reported(signal::result_layout(description), description.batch);
}
std::size_t WelchPlan::sum_bytes() const { return api::held(state_).sum_bytes(); }
std::size_t WelchPlan::table_bytes() const { return api::held(state_).parts.table_bytes(); }
std::size_t WelchPlan::workspace_bytes() const { return api::held(state_).parts.workspace_bytes(); }
bool WelchPlan::ready() const { return api::held(state_).parts.ready(); }
bool WelchPlan::wait(std::chrono::milliseconds most) const {
  return api::held(state_).parts.wait(most);
}
std::string WelchPlan::describe() const { return api::held(state_).parts.describe(); }
std::vector<KernelSource> WelchPlan::sources() const { return api::held(state_).parts.sources(); }
std::vector<KernelBuild> WelchPlan::builds() const { return api::held(state_).parts.builds(); }

}  // namespace imago
