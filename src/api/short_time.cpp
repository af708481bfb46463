// This file implements ShortTimePlan: a plan with overlapping frames, and plans that add frames to
// the signal, which is set to zero before. A kernel copies signals that need a border.
#include <imago/short_time.hpp>

#include <utility>

#include "api/arguments.hpp"
#include "api/commands.hpp"
#include "api/execution.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "problem/make_problem.hpp"
#include "runtime/memory.hpp"
#include "signal/short_time.hpp"

namespace imago {
namespace {

using Factors = std::vector<std::complex<double>>;

ShortTimeTransform with_dual(ShortTimeTransform description) {
  signal::check_short_time(description);
  if (description.dual.empty() && description.directions != Directions::forward)
    description.dual = signal::dual_of(description.window, description.hop);
  return description;
}

/// The computations of a plan.
struct ShortTimeParts {
  ShortTimeParts(const ShortTimeTransform& complete, const signal::Framing& framing,
                 const problem::Problem& signals);

  /// `extend` is empty without a border. `first` overwrites the signal, if phase 0 covers it; else
  /// the signal is set to zero before, by `clear` if memory lies between the samples. `inverse`
  /// and `fewer` add the other phases, those with as many frames as phase 0 and those with fewer.
  std::optional<signal::SignalCopy> extend, clear;
  std::optional<problem::Computation> forward, first, inverse, fewer;
  std::size_t with_most = 0, with_fewer = 0;  ///< phases that `inverse` and `fewer` add
};

/// Returns true if no memory lies between the samples.
bool is_gapless(const problem::Problem& signals) {
  std::uint64_t samples = signals.batch;
  for (const std::uint64_t length : signals.lengths) samples *= length;
  return signals.spectrum.end - signals.spectrum.offset == samples;
}

ShortTimeParts::ShortTimeParts(const ShortTimeTransform& complete, const signal::Framing& framing,
                               const problem::Problem& signals) {
  if (complete.directions != Directions::inverse) {
    forward = signal::forward_frames(complete);
    if (signal::is_extended(complete)) extend = signal::extended_signal(complete);
  }
  if (complete.directions == Directions::forward) return;
  const std::size_t most = framing.frames_of(0), least = framing.frames_of(framing.phases() - 1);
  if (framing.first_covers())
    first = signal::inverse_frames(complete, most, false);
  else if (!is_gapless(signals))
    clear = signal::cleared_signal(complete);
  for (std::size_t phase = first ? 1 : 0; phase < framing.phases(); ++phase)
    ++(framing.frames_of(phase) == most ? with_most : with_fewer);
  if (with_most > 0) inverse = signal::inverse_frames(complete, most, true);
  if (least < most) fewer = signal::inverse_frames(complete, least, true);
}

std::size_t spectrum_bytes_of(const ShortTimeTransform& complete, const signal::Framing& framing) {
  if (complete.directions != Directions::inverse)
    return problem::make_problem(signal::forward_frames(complete)).bytes(true);
  // The last frame of all is not in the first phase.
  const auto first =
      problem::make_problem(signal::inverse_frames(complete, framing.frames_of(0), true));
  const std::size_t behind = (framing.frames - 1) % framing.phases(),
                    apart = signal::spectrum_layout(complete, framing).strides[framing.axis];
  return first.bytes(true) + behind * apart * first.memory(true, false).element_bytes;
}

}  // namespace

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] ShortTimePlan::State {
  State(const cl::Context& own_context, const cl::Device& own_device, ShortTimeTransform given,
        const Options& options)
      : description(std::move(given)),
        complete(with_dual(description)),
        framing(signal::check_short_time(complete)),
        signals(signal::signals_of(complete)),
        context(api::shared<cl::Context>(own_context())),
        device(own_device()) {
    const ShortTimeParts made(complete, framing, signals);
    const auto make = [&](const std::optional<problem::Computation>& computation) {
      return computation ? api::make_execution(context, device, *computation, options,
                                               {.spectrum = "spectra"})
                         : nullptr;
    };
    const auto target = engine::make_target(context(), device());
    if (made.extend) extend.emplace(target, *made.extend, options);
    if (made.clear) clear.emplace(target, *made.clear, options);
    forward = make(made.forward);
    first = make(made.first), inverse = make(made.inverse), fewer = make(made.fewer);
    const auto upload = [&](const Factors& factors) {
      return api::upload_window(context(), factors, framing.factors(), complete.precision);
    };
    if (complete.directions != Directions::inverse) window = upload(complete.window);
    if (complete.directions != Directions::forward) dual = upload(complete.dual);
    for (const auto* copier : {&extend, &clear}) {
      if (*copier) parts.add(&**copier);
    }
    for (const auto* execution : {&forward, &first, &inverse, &fewer}) parts.add(execution->get());
  }

  api::Home home() const { return {context(), device()}; }
  /// Returns the execution of a direction.
  const api::Execution& of(bool is_inverse) const {
    const auto& execution = !is_inverse ? forward : first ? first : inverse;
    api::check_compiled(execution, is_inverse);
    return *execution;
  }
  ShortTimeTransform description;  ///< the caller's
  ShortTimeTransform complete;     ///< with the dual window, if inverse() needs it
  signal::Framing framing;
  problem::Problem signals;  ///< its spectrum is the signal
  cl::Context context;
  cl::Device device;
  /// The copies and executions of ShortTimeParts, which may be null.
  std::optional<api::SignalCopier> extend, clear;
  std::unique_ptr<const api::Execution> forward, first, inverse, fewer;
  api::Parts parts;
  cl::Buffer window, dual;
};

ShortTimePlan::ShortTimePlan(const cl::Context& context, const cl::Device& device,
                             ShortTimeTransform transform, const Options& options) {
  api::check_start(device, options);
  state_ = api::make_owned<const State>(context, device, std::move(transform), options);
}
Estimate ShortTimePlan::estimate(const cl::Device& device, const ShortTimeTransform& transform,
                                 const Options& options) {
  api::check_start(device, options);
  const ShortTimeTransform complete = with_dual(transform);
  const signal::Framing framing = signal::check_short_time(complete);
  const auto signals = signal::signals_of(complete);
  const ShortTimeParts parts(complete, framing, signals);
  const std::size_t there = parts.forward ? 1 : 0, back = 1 - there;
  Estimate sum;
  sum.signal_bytes = signals.bytes(true);
  sum.spectrum_bytes = spectrum_bytes_of(complete, framing);
  if (parts.extend) api::add(sum, api::estimate(device, *parts.extend, options), there);
  if (parts.clear) api::add(sum, api::estimate(device, *parts.clear, options), back);
  for (const auto& [computation, runs] :
       {std::pair(&parts.forward, there), std::pair(&parts.first, back),
        std::pair(&parts.inverse, back * parts.with_most),
        std::pair(&parts.fewer, back * parts.with_fewer)}) {
    if (*computation) api::add(sum, api::estimate(device, **computation, options), runs);
  }
  return sum;
}
ShortTimePlan::~ShortTimePlan() = default;
ShortTimePlan::ShortTimePlan(ShortTimePlan&&) noexcept = default;
ShortTimePlan& ShortTimePlan::operator=(ShortTimePlan&&) noexcept = default;

void ShortTimePlan::forward(const cl::CommandQueue& queue, const Array& signal,
                            const Array& spectra, const Call& call) const {
  const State& state = api::held(state_);
  const api::Execution& forward = state.of(false);
  const auto own = api::one_argument(signal::kWindowArgument, state.window);
  if (!state.extend)
    return forward.enqueue(false, {queue(), signal, spectra, Placement::out_of_place, call, own});
  api::check_side(state.home(), {"signal", signal, signal.offset(),
                                 state.signals.memory(false, true), true, false});
  // OpenCL keeps the memory until its commands have run.
  const std::size_t bytes = signal::extended_bytes(state.complete);
  const cl::Buffer extended(runtime::allocate(state.context(), bytes).take(), false);
  std::vector<api::Command> commands;
  if (state.complete.border == Border::zeros)
    commands.push_back(runtime::Clear{extended(), 0, bytes});
  for (auto& launch : state.extend->launches(signal, extended))
    commands.push_back(std::move(launch));
  commands.push_back(api::Run{forward, false, extended, spectra, own});
  api::enqueue(queue, call, commands);
}

void ShortTimePlan::inverse(const cl::CommandQueue& queue, const Array& spectra,
                            const Array& signal, const Call& call) const {
  const State& state = api::held(state_);
  state.of(true);
  const signal::Framing& framing = state.framing;
  const std::size_t apart = spectrum_layout().strides[framing.axis];
  std::vector<api::Command> commands;
  if (state.clear) {
    api::check_side(state.home(), {"signal", signal, signal.offset(),
                                   state.signals.memory(false, true), false, true});
    for (auto& launch : state.clear->launches(signal, signal))
      commands.push_back(std::move(launch));
  }
  if (!state.clear && !state.first) {
    const problem::Side side = state.signals.memory(false, true);
    for (const cl_mem memory : {signal.re(), signal.im()}) {
      if (memory)
        commands.push_back(runtime::Clear{memory,
                                          (signal.offset() + side.offset) * side.element_bytes,
                                          (side.end - side.offset) * side.element_bytes});
    }
  }
  std::vector<std::vector<Argument>> own;
  for (std::size_t phase = 0; phase < framing.phases(); ++phase) {
    own.push_back(api::one_argument(signal::kDualArgument, state.dual));
    own.back().emplace_back(signal::kPhaseArgument, static_cast<double>(phase));
    const bool all = framing.frames_of(phase) == framing.frames_of(0);
    commands.push_back(api::Run{phase == 0 && state.first ? *state.first
                                : all                     ? *state.inverse
                                                          : *state.fewer,
                                true, api::later(spectra, phase * apart), signal, own.back()});
  }
  api::enqueue(queue, call, commands);
}

const ShortTimeTransform& ShortTimePlan::transform() const { return api::held(state_).description; }
std::size_t ShortTimePlan::frames() const { return api::held(state_).framing.frames; }
std::size_t ShortTimePlan::bins() const {
  const State& state = api::held(state_);
  return state.framing.bins(state.complete.kind);
}
std::size_t ShortTimePlan::before() const { return api::held(state_).framing.before; }
const std::vector<std::complex<double>>& ShortTimePlan::dual() const {
  return api::held(state_).complete.dual;
}
std::size_t ShortTimePlan::signal_bytes() const { return api::held(state_).signals.bytes(true); }
std::size_t ShortTimePlan::spectrum_bytes() const {
  const State& state = api::held(state_);
  return spectrum_bytes_of(state.complete, state.framing);
}
Layout ShortTimePlan::signal_layout() const {
  const ShortTimeTransform& complete = api::held(state_).complete;
  return api::reported(signal::signal_layout(complete), complete.batch);
}
Layout ShortTimePlan::spectrum_layout() const {
  const State& state = api::held(state_);
  return api::reported(signal::spectrum_layout(state.complete, state.framing),
                       state.complete.batch);
}
std::size_t ShortTimePlan::table_bytes() const { return api::held(state_).parts.table_bytes(); }
std::size_t ShortTimePlan::workspace_bytes() const {
  return api::held(state_).parts.workspace_bytes();
}
bool ShortTimePlan::ready() const { return api::held(state_).parts.ready(); }
bool ShortTimePlan::wait(std::chrono::milliseconds most) const {
  return api::held(state_).parts.wait(most);
}
std::string ShortTimePlan::describe() const { return api::held(state_).parts.describe(); }
std::vector<KernelSource> ShortTimePlan::sources() const {
  return api::held(state_).parts.sources();
}
std::vector<KernelBuild> ShortTimePlan::builds() const { return api::held(state_).parts.builds(); }

std::vector<std::complex<double>> dual_window(const std::vector<std::complex<double>>& window,
                                              std::size_t hop) {
  return signal::dual_of(window, hop);
}

}  // namespace imago
