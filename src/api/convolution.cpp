// This file implements Convolution: a plan that computes the kernels' spectra, and a filter that
// multiplies with them. For several channels there are three plans: one computes the channels'
// spectra, and an inverse transform starts from their sums.
#include <imago/convolution.hpp>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "api/arguments.hpp"
#include "api/commands.hpp"
#include "api/execution.hpp"
#include "api/owned.hpp"
#include "api/parts.hpp"
#include "api/used_memory.hpp"
#include "api/workspace.hpp"
#include "base/errors.hpp"
#include "base/integers.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "lines/largest.hpp"
#include "lines/mapping.hpp"
#include "plan/convolution_lengths.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "runtime/facts.hpp"
#include "signal/convolution.hpp"

namespace imago {
namespace {

using signal::ConvolutionParts, signal::ConvolutionWay;

/// Chooses lengths by predicted time.
class Chooser {
 public:
  Chooser(const ConvolutionShape& shape, const device::Facts& facts, const Options& options)
      : shape_(shape), facts_(facts), options_(options) {}

  ConvolutionParts choose() {
    std::vector<std::size_t> points;
    for (std::size_t d = 0; d < shape_.signal.size(); ++d) points.push_back(first_choice(d));
    consider(points, ConvolutionWay::whole, seconds_of(points, ConvolutionWay::whole));
    if (points.size() == 1) compare(starts(points[0]));
    return signal::convolution_parts(shape_, points_, way_);
  }

 private:
  bool is_padded(std::size_t axis) const {
    return shape_.kernel[axis] > 1 && shape_.extent != Extent::circular;
  }

  /// Returns the most points that one kernel computes at a right angle.
  std::size_t largest_half() const {
    return lines::largest_single(lines::mapping_of(options_.parameters.mapping, facts_),
                                 shape_.precision, facts_);
  }

  /// The least length of a way to compute one axis.
  struct Start {
    std::size_t least = 0;
    ConvolutionWay way = ConvolutionWay::whole;
    double seconds = 0;  ///< predicted for the length with the fewest operations
  };

  /// Returns the ways to compute one axis, which takes `whole` points in one piece.
  std::vector<Start> starts(std::size_t whole) const {
    std::vector<Start> found;
    if (is_padded(0)) found.push_back({signal::least_points(shape_, 0)});
    if (!signal::takes_blocks(shape_)) return found;
    const std::size_t half = signal::least_at_right_angle(shape_);
    if (half != 0 && half <= largest_half()) found.push_back({half, ConvolutionWay::right_angle});
    // Two blocks of real numbers are the real and imaginary parts of one complex transform.
    const std::size_t wanted = signal::result_lengths(shape_)[0];
    for (std::size_t blocks = 2; blocks <= 8 && !shape_.complex; blocks *= 2) {
      const std::size_t least = base::ceil_divide(wanted, blocks) + shape_.kernel[0] - 1;
      if (least < whole) found.push_back({least, ConvolutionWay::blocks});
    }
    for (std::size_t times = 2; times <= 32; times *= 2) {
      const std::size_t least = times * (shape_.kernel[0] - 1);
      if (least >= whole) break;
      found.push_back({least, ConvolutionWay::blocks});
    }
    return found;
  }

  /// Considers the fastest of a few lengths of a single axis: several for the ways whose first
  /// lengths are the fastest, because each length is planned.
  void compare(std::vector<Start> found) {
    constexpr std::size_t kCompared = 3;
    for (Start& start : found) {
      const std::size_t first = plan::convolution_lengths(start.least).front();
      start.seconds = seconds_of({first}, start.way);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Start& a, const Start& b) { return a.seconds < b.seconds; });
    found.resize(std::min(found.size(), kCompared));
    for (const Start& start : found) {
      const auto [length, seconds] = api::fastest_length(
          start.least, [&](std::size_t tried) { return seconds_of({tried}, start.way); });
      consider({length}, start.way, seconds);
    }
  }

  /// Returns the fastest length by operation count. It is even for real arrays, whose last axis is
  /// halved.
  std::size_t first_choice(std::size_t axis) const {
    const std::size_t least = signal::least_points(shape_, axis);
    if (!is_padded(axis)) return least;
    const auto found = plan::convolution_lengths(least);
    const auto even = std::find_if(found.begin(), found.end(), [](auto n) { return n % 2 == 0; });
    return shape_.complex ? found.front() : *even;
  }

  void consider(const std::vector<std::size_t>& points, ConvolutionWay way, double seconds) {
    if (!points_.empty() && seconds >= seconds_) return;
    seconds_ = seconds, points_ = points, way_ = way;
  }

  /// Returns the predicted time with these lengths, which is computed once.
  double seconds_of(const std::vector<std::size_t>& points, ConvolutionWay way) {
    double& known = known_[{points, way}];
    return known > 0 ? known : known = predicted(points, way);
  }

  double predicted(const std::vector<std::size_t>& points, ConvolutionWay way) const {
    ConvolutionShape shape = shape_;
    // Other numbers of points change the last bits, so the choice is that of a single signal.
    if (options_.deterministic) shape.batch = 1;
    const auto parts = signal::convolution_parts(shape, points, way);
    const auto run = engine::decide(parts.run, facts_, options_);
    if (!parts.spectra) return run.forward->seconds;
    return run.inverse->seconds + engine::decide(*parts.spectra, facts_, options_).forward->seconds;
  }

  const ConvolutionShape& shape_;
  const device::Facts& facts_;
  const Options& options_;
  std::map<std::pair<std::vector<std::size_t>, ConvolutionWay>, double> known_;
  double seconds_ = 0;
  std::vector<std::size_t> points_;
  ConvolutionWay way_ = ConvolutionWay::whole;
};

ConvolutionParts parts_of(const cl::Device& device, const ConvolutionShape& shape,
                          const Options& options) {
  api::check_start(device, options);
  signal::check_convolution(shape);
  const auto facts = runtime::facts(device(), engine::disk_cache(options));
  return Chooser(shape, facts, options).choose();
}

}  // namespace

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] Convolution::State {
  State(const cl::Context& context, const cl::Device& device, ConvolutionShape s,
        const ConvolutionParts& parts, const Options& options)
      : shape(std::move(s)),
        result(signal::result_lengths(shape)),
        points(parts.points),
        between(memory_between(context, device, parts)),
        prepare(api::make_execution(context, device, parts.prepare, options)),
        run(api::make_execution(context, device, parts.run, options, {.spectrum = "result"})),
        home{context(), device()},
        sides(parts) {
    if (parts.spectra) spectra = api::make_execution(context, device, *parts.spectra, options);
    for (api::Parts* const list : {&all, &applied}) {
      if (list == &all) list->add(prepare.get());
      list->add(spectra.get());
      list->add(run.get());
    }
    if (!parts.spectra) return;
    for (const auto& argument : problem::make_problem(*parts.spectra).arguments(false))
      names_at_load.insert(argument.name);
    for (const auto& argument : problem::make_problem(parts.run).arguments(true))
      names_behind.insert(argument.name);
  }

  static std::unique_ptr<api::UsedMemory> memory_between(
      const cl::Context& context, const cl::Device& device, const ConvolutionParts& parts) {
    if (!parts.spectra) return nullptr;
    return std::make_unique<api::UsedMemory>(engine::make_target(context(), device()),
                                             problem::make_problem(*parts.spectra).bytes(true));
  }

  /// The arguments of one call.
  struct Use {
    const cl::CommandQueue& queue;
    const Array& signal;
    const Array& result;
    const Call& call;  ///< includes the kernels' spectra as an argument
  };
  void run_channels(const Use& use) const;
  /// Calls `enqueue`. Errors name arrays as this class does, not as its plans do. The last array is
  /// written.
  template <class Enqueue>
  void in_own_names(std::initializer_list<api::Side> arrays, const Call& call, Enqueue enqueue)
      const;

  /// Layouts of the arrays in memory.
  struct Sides {
    explicit Sides(const ConvolutionParts& parts) {
      const auto preparing = problem::make_problem(parts.prepare),
                 running = problem::make_problem(parts.run);
      kernels = preparing.memory(false, false), spectrum = preparing.memory(false, true);
      signal = running.memory(false, false);
      result = running.memory(parts.spectra.has_value(), true);
      if (parts.spectra) signal = problem::make_problem(*parts.spectra).memory(false, false);
    }
    problem::Side kernels, spectrum, signal, result;
  };

  ConvolutionShape shape;
  std::vector<std::size_t> result, points;
  /// Memory for the spectra of several channels. It is allocated first, because it may be larger
  /// than the device allows.
  std::unique_ptr<api::UsedMemory> between;
  std::unique_ptr<const api::Execution> prepare, run;
  api::Home home;
  Sides sides;
  std::unique_ptr<const api::Execution> spectra;  ///< plan for several channels; else null
  api::Parts all, applied;                        ///< all plans; those of apply()
  std::set<std::string> names_at_load, names_behind;
};

using api::copy_of, api::shared;

template <class Enqueue>
void Convolution::State::in_own_names(std::initializer_list<api::Side> arrays, const Call& call,
                                      Enqueue enqueue) const {
  try {
    enqueue();
  } catch (const InvalidArgument&) {
    for (const api::Side& array : arrays) api::check_side(home, array);
    const bool signal_is_read_before = spectra && arrays.size() == 3;
    for (auto array = arrays.begin() + (signal_is_read_before ? 1 : 0); array + 1 < arrays.end();
         ++array)
      api::check_apart(*array, *(arrays.end() - 1));
    if (const auto* scratch = call.workspace ? call.workspace->state_.get() : nullptr;
        scratch && scratch->is_callers)
      api::check_apart({scratch->memory.get(), all.workspace_bytes()}, std::span(arrays));
    throw;
  }
}

/// Enqueues the forward transforms, then the inverse one. Calls use the memory in between one after
/// the other.
void Convolution::State::run_channels(const Use& use) const {
  api::check_queue(use.queue());
  const auto arguments = [&](auto wanted) {
    std::vector<Argument> copies;
    for (const Argument& argument : use.call.arguments) {
      if (wanted(argument.name())) copies.push_back(copy_of(argument));
    }
    return copies;
  };
  const auto is_at_load = [&](const std::string& name) { return names_at_load.count(name) != 0; };
  // The inverse transform reports names that neither transform knows.
  const auto is_behind = [&](const std::string& name) {
    return names_behind.count(name) != 0 || !is_at_load(name);
  };
  const Array memory(shared<cl::Buffer>(between->memory()));
  std::vector<api::Command> commands;
  const auto at_load = arguments(is_at_load), behind = arguments(is_behind);
  commands.emplace_back(api::Run{*spectra, false, use.signal, memory, at_load, false});
  commands.emplace_back(api::Run{*run, true, memory, use.result, behind, false});
  between->enqueue(use.queue, use.call,
                   [&](const Call& inner) { return api::enqueue(use.queue, inner, commands); });
}

Convolution::Convolution(const cl::Context& context, const cl::Device& device,
                         ConvolutionShape shape, const Options& options) {
  const auto parts = parts_of(device, shape, options);
  state_ = api::make_owned<const State>(context, device, std::move(shape), parts, options);
}
Estimate Convolution::estimate(const cl::Device& device, const ConvolutionShape& shape,
                               const Options& options) {
  const auto parts = parts_of(device, shape, options);
  const Estimate run = api::estimate(device, parts.run, options);
  Estimate sum;
  sum.signal_bytes = run.signal_bytes, sum.spectrum_bytes = run.spectrum_bytes;
  api::add(sum, run);
  api::add(sum, api::estimate(device, parts.prepare, options), 0);
  if (!parts.spectra) return sum;
  const Estimate spectra = api::estimate(device, *parts.spectra, options);
  api::add(sum, spectra);
  // The inverse transform writes what is its signal.
  sum.signal_bytes = spectra.signal_bytes, sum.spectrum_bytes = run.signal_bytes;
  return sum;
}
Convolution::~Convolution() = default;
Convolution::Convolution(Convolution&&) noexcept = default;
Convolution& Convolution::operator=(Convolution&&) noexcept = default;

void Convolution::prepare(const cl::CommandQueue& queue, const Array& kernels,
                          const Array& spectrum, const Call& call) const {
  api::check_whole_batch(call);
  const State& state = api::held(state_);
  state.in_own_names(
      {{"kernels", kernels, kernels.offset(), state.sides.kernels, true, false},
       {"spectrum", spectrum, spectrum.offset(), state.sides.spectrum, false, true}},
      call, [&] {
        state.prepare->enqueue(false, {queue(), kernels, spectrum, Placement::out_of_place, call});
      });
}

void Convolution::apply(const cl::CommandQueue& queue, const Array& signal,
                        const cl::Buffer& spectrum, const Array& result, const Call& call) const {
  const State& state = api::held(state_);
  api::check_whole_batch(call);
  Call own{.event = call.event, .workspace = call.workspace, .events = call.events};
  for (const cl::Event& event : call.waits) own.waits.push_back(shared<cl::Event>(event()));
  for (const Argument& argument : call.arguments) own.arguments.push_back(copy_of(argument));
  own.arguments.emplace_back(signal::kSpectrumArgument, shared<cl::Buffer>(spectrum()));
  const Array spectra(spectrum);
  state.in_own_names(
      {{"signal", signal, signal.offset(), state.sides.signal, true, false},
       {"spectrum", spectra, 0, state.sides.spectrum, true, false},
       {"result", result, result.offset(), state.sides.result, false, true}},
      call, [&] {
        if (state.spectra) return state.run_channels({queue, signal, result, own});
        state.run->enqueue(false, {queue(), signal, result, Placement::out_of_place, own});
      });
}

const ConvolutionShape& Convolution::shape() const { return api::held(state_).shape; }
const std::vector<std::size_t>& Convolution::result() const { return api::held(state_).result; }
const std::vector<std::size_t>& Convolution::points() const { return api::held(state_).points; }
std::size_t Convolution::signal_bytes() const {
  const State& state = api::held(state_);
  return (state.spectra ? state.spectra : state.run)->signal_bytes();
}
std::size_t Convolution::kernel_bytes() const { return api::held(state_).prepare->signal_bytes(); }
std::size_t Convolution::spectrum_bytes() const {
  return api::held(state_).prepare->spectrum_bytes();
}
std::size_t Convolution::result_bytes() const {
  const State& state = api::held(state_);
  return state.spectra ? state.run->signal_bytes() : state.run->spectrum_bytes();
}
std::size_t Convolution::workspace_bytes() const { return api::held(state_).all.workspace_bytes(); }
std::size_t Convolution::table_bytes() const { return api::held(state_).all.table_bytes(); }
bool Convolution::ready() const { return api::held(state_).all.ready(); }
bool Convolution::wait(std::chrono::milliseconds most) const {
  return api::held(state_).all.wait(most);
}
std::string Convolution::describe() const { return api::held(state_).applied.describe(); }
std::vector<KernelSource> Convolution::sources() const { return api::held(state_).all.sources(); }
std::vector<KernelBuild> Convolution::builds() const { return api::held(state_).all.builds(); }

}  // namespace imago
