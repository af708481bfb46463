// This file implements NufftPlan: it checks the arguments of a call, and enqueues the steps between
// points, grids and modes.
#include <imago/nufft.hpp>

#include <algorithm>
#include <complex>
#include <sstream>
#include <utility>

#include "api/arguments.hpp"
#include "api/execution.hpp"
#include "api/parts.hpp"
#include "api/steps.hpp"
#include "api/workspace.hpp"
#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/precision.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "nufft/design.hpp"
#include "nufft_device/points.hpp"
#include "nufft_device/programs.hpp"
#include "nufft_device/spreading.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"

namespace imago {
namespace {

device::Facts facts_of(const cl::Device& device, const NufftTransform& transform,
                       const Options& options) {
  if (!device()) base::invalid("device", "null", "give an OpenCL device");
  nufft::check(transform);
  api::check_no_recipe(options);
  auto facts = runtime::facts(device(), engine::disk_cache(options));
  if (transform.precision == Precision::f64 && !facts.f64.native)
    base::unsupported("the device \"" + facts.name + "\" has no doubles, which nonuniform "
                      "transforms in f64 need",
                      "use Precision::f32 or another device");
  return facts;
}

/// Returns the number of members of the batch that are computed at a time.
std::size_t members_at_once(std::size_t batch, std::size_t grid_bytes,
                            const device::Facts& facts) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 28;
  const std::size_t most = std::min(kMostBytes, facts.memory.largest_buffer) / grid_bytes;
  for (std::size_t members = std::min(batch, most); members > 1; --members) {
    if (batch % members == 0) return members;
  }
  return 1;
}

std::size_t coordinate_bytes(Coordinates coordinates) {
  return coordinates == Coordinates::radians_f32 || coordinates == Coordinates::fractions_i32 ? 4
                                                                                              : 8;
}

std::size_t product(const std::vector<std::size_t>& numbers) {
  std::size_t result = 1;
  for (const std::size_t n : numbers) result *= n;
  return result;
}

}  // namespace

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] NufftPlan::State {
  State(const cl::Context& own_context, const cl::Device& own_device, NufftTransform given,
        const Options& given_options)
      : transform(std::move(given)),
        options(given_options),
        facts(facts_of(own_device, transform, options)),
        design(nufft::design(transform, facts, options.parameters.mapping)),
        target(engine::make_target(own_context(), own_device())),
        context(api::shared<cl::Context>(own_context())),
        programs({target, facts, transform, design, options}),
        members(members_at_once(transform.batch, design.cells() * complex_bytes(), facts)),
        memory(target.context, target.device, memory_bytes()) {
    options.parameters = {};
    grids = api::make_execution(context, own_device,
                                nufft::grid_transform(transform, design, members), options,
                                {.signal = "modes", .spectrum = "grid"});
    parts.add(grids.get());
    if (!transform.centred) {
      reordered = api::make_execution(context, own_device, reordering(), options,
                                      {.signal = "modes", .spectrum = "modes"});
      parts.add(reordered.get());
    }
    for (std::size_t axis = 0; axis < transform.modes.size(); ++axis) {
      const auto numbers = nufft::mode_factors(transform, design, axis);
      factors.emplace_back(
          nufft::factors_name(axis),
          api::upload_factors(context(), {numbers.begin(), numbers.end()}, transform.precision,
                              true));
    }
  }

  std::size_t complex_bytes() const { return 2 * base::bytes_of(transform.precision); }
  std::size_t modes() const { return product(transform.modes); }
  std::size_t grid_bytes() const { return members * design.cells() * complex_bytes(); }
  std::size_t memory_bytes() const {
    return grid_bytes() + (transform.centred ? 0 : members * modes() * complex_bytes());
  }
  api::Home home() const { return {target.context, target.device}; }
  const nufft_device::Setup setup() const { return {target, facts, transform, design, options}; }
  /// Returns the copy between centred modes and those in the order of a Fourier transform:
  /// forward() to centred ones, inverse() back.
  Transform reordering() const {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < transform.modes.size(); ++axis) axes.push_back(axis);
    Transform copy;
    copy.axes.assign(axes.size(), Kind::identity);
    copy.precision = transform.precision;
    copy.lengths = transform.modes;
    copy.batch = members;
    copy.norm = Norm::none;
    copy.on_forward.store = {hook::shift(axes)};
    copy.on_inverse.store = {hook::shift_back(axes)};
    return copy;
  }
  const nufft_device::SortedPoints& checked_points() const {
    if (!has_points) base::invalid("the points", "not set", "call set_points() first");
    return points;
  }
  void check_arrays(const Array& numbers, const char* name, bool type1, const Array& given) const;
  void enqueue(const cl::CommandQueue& queue, const Array& numbers, const char* name, bool type1,
               const Array& given, const Call& call);
  std::vector<api::Step> steps(const Array& numbers, bool type1, const Array& given) const;

  NufftTransform transform;
  Options options;
  device::Facts facts;
  nufft::Design design;
  runtime::Target target;
  cl::Context context;
  nufft_device::Programs programs;
  std::size_t members;  ///< members of the batch that are computed at a time
  Workspace::State memory;  ///< grids, then centred modes if the caller's are not
  std::unique_ptr<const api::Execution> grids, reordered;
  api::Parts parts;
  std::vector<Argument> factors;
  nufft_device::SortedPoints points;
  bool has_points = false;
};

void NufftPlan::State::check_arrays(const Array& numbers, const char* name, bool type1,
                                    const Array& given) const {
  problem::Side of_points, of_modes;
  of_points.element_bytes = of_modes.element_bytes = complex_bytes();
  of_points.end = transform.batch * points.count;
  of_modes.end = transform.batch * modes();
  const api::Side first{name, numbers, numbers.offset(), of_points, type1, !type1},
      second{"modes", given, given.offset(), of_modes, !type1, type1};
  if (points.count > 0) {
    api::check_side(home(), first);
    api::check_apart(first, second);
  }
  api::check_side(home(), second);
}

std::vector<api::Step> NufftPlan::State::steps(const Array& numbers, bool type1,
                                               const Array& given) const {
  const cl::Buffer grid = api::shared<cl::Buffer>(memory.memory.get());
  const Array centred(grid, grid_bytes() / complex_bytes());
  std::vector<api::Step> steps;
  const auto add = [&](std::vector<runtime::OwnLaunch> launches) {
    for (auto& launch : launches) steps.emplace_back(std::move(launch));
  };
  const auto own = [&] {
    std::vector<Argument> copies;
    for (const Argument& factor : factors) copies.push_back(api::copy_of(factor));
    return copies;
  };
  for (std::size_t first = 0; first < transform.batch; first += members) {
    const nufft_device::Exchange exchange{numbers.re(), numbers.offset() + first * points.count,
                                          memory.memory.get(), members};
    const Array modes_of = api::later(given, first * modes());
    const Array& inner = transform.centred ? modes_of : centred;
    if (type1) {
      steps.emplace_back(api::Clear{memory.memory.get(), 0, grid_bytes()});
      add(nufft_device::spread(design, programs, points, exchange));
      steps.emplace_back(api::Run{*grids, true, grid, inner, own()});
      if (reordered) steps.emplace_back(api::Run{*reordered, true, centred, modes_of, {}, false});
    } else {
      if (reordered) steps.emplace_back(api::Run{*reordered, false, modes_of, centred, {}, false});
      steps.emplace_back(api::Run{*grids, false, inner, grid, own()});
      add(nufft_device::interpolate(design, programs, points, exchange));
    }
  }
  return steps;
}

/// The grid is used by one call at a time.
void NufftPlan::State::enqueue(const cl::CommandQueue& queue, const Array& numbers,
                               const char* name, bool type1, const Array& given,
                               const Call& call) {
  checked_points();
  api::check_queue(queue());
  const runtime::KnownQueue known(queue());
  api::check_queue(home(), known);
  check_arrays(numbers, name, type1, given);
  const auto all = steps(numbers, type1, given);
  runtime::Call outer;
  outer.queue = queue();
  outer.in_order = known.in_order();
  outer.waits = api::check_waits(home(), call.waits);
  outer.wants_event = call.event != nullptr;
  const auto use = [&](const runtime::Call& chained, runtime::Enqueued& enqueued) {
    Call inner;
    for (const cl_event wait : chained.waits) inner.waits.push_back(api::shared<cl::Event>(wait));
    inner.workspace = call.workspace;
    for (const Argument& argument : call.arguments)
      inner.arguments.push_back(api::copy_of(argument));
    cl::Event done;
    if (chained.wants_event) inner.event = &done;
    enqueued.commands = all.size();
    const cl::Event last = api::enqueue(queue, inner, all);
    if (last()) enqueued.last = runtime::Handle<cl_event>::shared(last());
  };
  api::hand_over(memory.enqueue(outer, use), call.event);
}

NufftPlan::NufftPlan(const cl::Context& context, const cl::Device& device,
                     NufftTransform transform, const Options& options)
    : state_(std::make_unique<State>(context, device, std::move(transform), options)) {}
NufftPlan::~NufftPlan() = default;
NufftPlan::NufftPlan(NufftPlan&&) noexcept = default;
NufftPlan& NufftPlan::operator=(NufftPlan&&) noexcept = default;

void NufftPlan::set_points(const cl::CommandQueue& queue, const NufftPoints& points,
                           const Call& call) {
  State& state = api::held(state_);
  api::check_queue(queue());
  const runtime::KnownQueue known(queue());
  api::check_queue(state.home(), known);
  const std::size_t axes = state.transform.modes.size();
  if (points.coordinates.size() != axes)
    base::invalid("the size of coordinates", points.coordinates.size(),
                  "give an array for each of the " + std::to_string(axes) + " axes");
  constexpr std::size_t kMostPoints = (std::size_t{1} << 31) - 1;
  if (points.count > kMostPoints)
    base::invalid("count", points.count,
                  "it must be below 2^31. Divide the points, and add the results of type 1");
  problem::Side side;
  side.element_bytes = coordinate_bytes(state.transform.coordinates);
  side.end = points.count;
  std::vector<nufft_device::CoordinateArray> arrays;
  for (std::size_t axis = axes; axis-- > 0;) {
    const Array& array = points.coordinates[axis];
    if (points.count > 0)
      api::check_side(state.home(), {base::indexed("coordinates", axis).c_str(), array,
                                     array.offset(), side, true, false});
    arrays.push_back({array.re(), array.offset()});
  }
  const auto waits = api::check_waits(state.home(), call.waits);
  if (!waits.empty()) {
    runtime::check(clFlush(queue()), "clFlush");  // the events may belong to this queue
    runtime::check(clWaitForEvents(static_cast<cl_uint>(waits.size()), waits.data()),
                   "clWaitForEvents");
  }
  state.has_points = false;
  runtime::Sequence sequence(queue(), known.in_order());
  state.points = nufft_device::sort_points(state.setup(), state.programs, sequence, arrays,
                                           points.count);
  if (state.points.slots > 0 && state.transform.types != NufftTypes::type2) {
    const std::size_t bytes = state.points.slots * state.members * state.design.grid.tile_cells *
                              state.complex_bytes();
    state.points.tiles = runtime::allocate(state.target.context, bytes);
    state.points.bytes += bytes;
  }
  state.has_points = true;
  if (call.event) api::hand_over(sequence.mark(), call.event);
}

void NufftPlan::type1(const cl::CommandQueue& queue, const Array& strengths, const Array& modes,
                      const Call& call) const {
  api::held(state_).enqueue(queue, strengths, "strengths", true, modes, call);
}
void NufftPlan::type2(const cl::CommandQueue& queue, const Array& modes, const Array& values,
                      const Call& call) const {
  api::held(state_).enqueue(queue, values, "values", false, modes, call);
}

const NufftTransform& NufftPlan::transform() const { return api::held(state_).transform; }
std::vector<std::size_t> NufftPlan::grid() const { return api::held(state_).design.lengths; }
std::size_t NufftPlan::width() const { return api::held(state_).design.kernel.width(); }
double NufftPlan::predicted_error() const { return api::held(state_).design.error; }
std::size_t NufftPlan::points() const { return api::held(state_).points.count; }
std::size_t NufftPlan::points_bytes() const {
  const State& state = api::held(state_);
  return state.transform.batch * state.points.count * state.complex_bytes();
}
std::size_t NufftPlan::modes_bytes() const {
  const State& state = api::held(state_);
  return state.transform.batch * state.modes() * state.complex_bytes();
}
std::size_t NufftPlan::workspace_bytes() const {
  const State& state = api::held(state_);
  return state.memory.bytes + state.points.bytes + state.parts.workspace_bytes();
}
std::string NufftPlan::describe() const {
  const State& state = api::held(state_);
  const nufft::NufftGrid& grid = state.design.grid;
  std::ostringstream text;
  text << "nonuniform transform: each point over " << state.design.kernel.width()
       << " cells along each axis of a grid " << state.design.kernel.upsampling()
       << " times as fine, error of the kernel " << state.design.error << "\n"
       << "points in " << state.design.bins() << " bins, with tiles of " << grid.tile[0];
  for (std::size_t axis = 1; axis < state.transform.modes.size(); ++axis)
    text << " x " << grid.tile[axis];
  text << " cells (" << (state.design.groups.vectors ? "vectors" : "work-groups") << ")\n"
       << state.parts.describe();
  return text.str();
}
std::vector<KernelSource> NufftPlan::sources() const { return api::held(state_).parts.sources(); }
std::vector<KernelBuild> NufftPlan::builds() const { return api::held(state_).parts.builds(); }

double least_tolerance(const NufftTransform& transform) {
  NufftTransform checked = transform;
  checked.tolerance = 0.5;
  nufft::check(checked);
  return nufft::least_tolerance(checked);
}

}  // namespace imago
