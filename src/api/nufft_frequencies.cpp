// This file computes nonuniform transforms of type 3.
#include "api/nufft_frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/errors.hpp"
#include "base/precision.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "nufft_device/spreading.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"

namespace imago::api {
namespace {

/// Returns the description of a part of a type 3.
NufftTransform part_of(NufftTransform transform, const nufft::SpreadingWindow& window,
                       nufft::PartOfType3 part) {
  transform.tolerance = nufft::part_tolerance(transform, window, part);
  transform.coordinates = Coordinates::fractions_i64;
  transform.centred = true;
  transform.axes = 0;
  transform.points = 0;
  transform.real = false;  // factors make the strengths complex
  return transform;
}

/// Extents whose product is at least 1, because a grid's spacing is relative to them. The larger
/// one is at least 1, so that the other is finite.
void widen(nufft_device::CoordinateRange& points, nufft_device::CoordinateRange& frequencies) {
  if (points.reach * frequencies.reach >= 1) return;
  double &larger = points.reach < frequencies.reach ? frequencies.reach : points.reach,
         &other = &larger == &points.reach ? frequencies.reach : points.reach;
  larger = std::max(larger, 1.0);
  other = 1 / larger;
}

}  // namespace

NufftFrequencies::NufftFrequencies(const cl::Context& context, const cl::Device& device,
                                   NufftTransform transform, const Options& options)
    : transform_(std::move(transform)),
      options_(options),
      facts_(nufft_facts(device, transform_, options_)),
      target_(engine::make_target(context(), device())),
      context_(shared<cl::Context>(context())),
      device_(device),
      window_(nufft::window_for_frequencies(transform_)),
      programs_(target_, facts_, transform_, options_,
                first_call_of(options_) != FirstCall::compile) {}

std::size_t NufftFrequencies::complex_bytes() const {
  return 2 * base::bytes_of(transform_.precision);
}

double NufftFrequencies::predicted_error(NufftPromise promise) const {
  if (promise == NufftPromise::norm || transform_.promise == promise) return transform_.tolerance;
  const auto axes = static_cast<double>(transform_.axes);
  return axes * window_.worst_error() +
         std::pow(window_.worst_amplification(), axes) *
             nufft::part_tolerance(transform_, window_, nufft::PartOfType3::inner);
}

/// The coordinates of both are relative to the grid: the points fill the middle of its period, and
/// its cells are the modes of the type 2, so that cell 0 is in the middle, too.
NufftFrequencies::Scaled NufftFrequencies::scaled(runtime::Sequence& sequence,
                                                  const nufft_device::CoordinateArrays& points,
                                                  const nufft_device::CoordinateArrays& targets) {
  auto extents = programs_.extents(sequence, points, "coordinates"),
       bands = programs_.extents(sequence, targets, "frequencies");
  Scaled scaled;
  scaled.spreading = part_of(transform_, window_, nufft::PartOfType3::spreading);
  scaled.spreading.types = NufftTypes::type1;
  scaled.spreading.sign = 1;
  nufft_device::PointFactors before, after;
  after.window = &window_;
  const auto sign = static_cast<double>(transform_.sign);
  for (std::size_t axis = 0; axis < transform_.axes; ++axis) {
    widen(extents[axis], bands[axis]);
    const double angle = (std::abs(extents[axis].middle) + extents[axis].reach) *
                         (std::abs(bands[axis].middle) + bands[axis].reach);
    if (!(angle <= nufft::kLargestAngle))
      base::invalid("the largest coordinate times the largest frequency", angle,
                    "it is an angle, and must be at most 2^65 radians: give numbers closer to 0");
    const double band = bands[axis].reach, upsampling = window_.upsampling();
    const std::size_t cells = nufft::frequency_cells(window_, extents[axis].reach * band);
    scaled.spreading.modes.insert(scaled.spreading.modes.begin(), cells);
    const auto [middle, reach] = extents[axis];
    const auto place = nufft::angle_of(2 * upsampling * band / static_cast<double>(cells), middle,
                                       reach),
               frequency = nufft::angle_of(sign * std::numbers::pi / (upsampling * band),
                                           bands[axis].middle, band);
    scaled.places.push_back(
        programs_.fractions(sequence, points.axes[axis], points.count, place, 0.5));
    scaled.angles.push_back(
        programs_.fractions(sequence, targets.axes[axis], targets.count, frequency, 0));
    // s x is the sum of (s - band's middle) (x - middle), which the grid has, and of these two.
    before.slopes[axis] = sign * bands[axis].middle;
    before.extents[axis] = {0, std::abs(middle) + reach};
    after.slopes[axis] = sign * middle;
    after.extents[axis] = bands[axis];
  }
  scaled.before = programs_.factors(sequence, points, before);
  scaled.after = programs_.factors(sequence, targets, after);
  return scaled;
}

/// Makes the type 2 between the grid and the frequencies.
std::unique_ptr<NufftModes> NufftFrequencies::inner(const cl::CommandQueue& queue,
                                                    const Scaled& scaled, std::size_t frequencies,
                                                    const cl::Event& done) const {
  NufftTransform type2 = part_of(transform_, window_, nufft::PartOfType3::inner);
  type2.types = NufftTypes::type2;
  type2.sign = -1;
  type2.modes = scaled.spreading.modes;
  type2.points = frequencies;
  auto modes = std::make_unique<NufftModes>(context_, device_, type2, options_, nufft::Modes::few);
  NufftPoints at{{}, frequencies};
  std::vector<cl::Buffer> buffers;
  for (const auto& angle : scaled.angles) buffers.push_back(shared<cl::Buffer>(angle.get()));
  for (std::size_t axis = transform_.axes; axis-- > 0;) at.coordinates.emplace_back(buffers[axis]);
  Call call;
  call.waits.push_back(shared<cl::Event>(done()));
  modes->set_points(queue, {&at, 1}, call);
  return modes;
}

void NufftFrequencies::set_points(const cl::CommandQueue& queue, const NufftPoints& points,
                                  const NufftPoints& frequencies, const Call& call) {
  check_queue(queue());
  const runtime::KnownQueue known(queue());
  check_queue(home(), known);
  const auto from = checked_coordinates(home(), points, transform_, transform_.axes, "coordinates"),
             to = checked_coordinates(home(), frequencies, transform_, transform_.axes,
                                      "frequencies");
  wait_for(home(), queue, call);
  set_.reset();
  runtime::Sequence sequence(queue());
  Scaled own = scaled(sequence, {from, points.count}, {to, frequencies.count});
  nufft::check_grid(own.spreading.modes, facts_);
  const auto design =
      nufft::spreading_design(own.spreading, window_, facts_, options_.parameters.mapping);
  const nufft_device::Setup setup{target_, facts_, own.spreading, design, options_};
  NufftKernels kernels(setup);
  const auto current = kernels.current();
  std::vector<nufft_device::CoordinateArray> places;
  for (const auto& place : own.places) places.push_back({place.get(), 0});
  nufft_device::SortedPoints sorted;
  nufft_device::sort_points({target_, facts_, own.spreading, current->design, options_},
                            current->programs, sequence, {places, points.count}, sorted);
  nufft_device::allocate_tiles(setup, sorted, transform_.batch);
  if (nufft_device::needs_compensation(setup, sorted)) kernels = compensated_kernels(setup);
  const cl::Event done(sequence.mark().take(), false);
  auto modes = inner(queue, own, frequencies.count, done);
  const std::size_t strengths = transform_.batch * points.count * complex_bytes(),
                    grids = transform_.batch * design.cells() * complex_bytes();
  auto memory = std::make_unique<UsedMemory>(target_, strengths + grids);
  set_.emplace(Set{std::move(own), std::move(kernels), std::move(sorted), frequencies.count,
                   std::move(modes), std::move(memory)});
  if (call.event) *call.event = shared<cl::Event>(done());
}

void NufftFrequencies::check_arrays(const Array& strengths, const Array& values) const {
  const auto side_of = [&](std::size_t bytes, std::size_t count) {
    problem::Side side;
    side.element_bytes = bytes;
    side.end = transform_.batch * count;
    return side;
  };
  const problem::Side from = side_of(nufft::number_bytes(transform_), set_->points.count),
                      to = side_of(complex_bytes(), set_->frequencies);
  const Side read{"strengths", strengths, strengths.offset(), from, true, false},
      written{"values", values, values.offset(), to, false, true};
  if (set_->points.count > 0) check_side(home(), read);
  if (set_->frequencies > 0) check_side(home(), written);
  if (set_->points.count > 0 && set_->frequencies > 0) check_apart(read, written);
}

void NufftFrequencies::enqueue(const cl::CommandQueue& queue, const Array& strengths,
                               const Array& values, const Call& call) {
  if (!set_) base::invalid("the plan", "without points", "call set_points() first");
  check_queue(queue());
  check_queue(home(), runtime::KnownQueue(queue()));
  check_arrays(strengths, values);
  Set& set = *set_;
  set.kernels.count_call();
  const auto kernels = set.kernels.current();
  const std::size_t batch = transform_.batch, points = set.points.count,
                    frequencies = set.frequencies, cells = kernels->design.cells();
  const cl_mem memory = set.memory->memory();
  // A grid begins at a whole number of elements after the strengths.
  std::vector<Command> commands;
  commands.emplace_back(runtime::Clear{memory, strength_bytes(), batch * cells * complex_bytes()});
  if (points > 0) {
    commands.emplace_back(
        programs_.multiply({points, batch * points, set.scaled.before.get(), strengths.re(),
                            strengths.offset(), memory, 0, transform_.real}));
    for (auto& launch : nufft_device::spread(kernels->design, kernels->programs, set.points,
                                             {memory, 0, memory, batch, batch * points}))
      commands.emplace_back(std::move(launch));
  }
  const Array grid(shared<cl::Buffer>(memory), batch * points);
  commands.emplace_back(Calls{[&](const Call& inner) {
    set.modes->enqueue(queue, false, {&values, 1}, grid, inner);
  }});
  if (frequencies > 0)
    commands.emplace_back(
        programs_.multiply({frequencies, batch * frequencies, set.scaled.after.get(), values.re(),
                            values.offset(), values.re(), values.offset()}));
  set.memory->enqueue(queue, call,
                      [&](const Call& inner) { return api::enqueue(queue, inner, commands); });
}

bool NufftFrequencies::wait(std::chrono::milliseconds most) const {
  return !set_ || wait_in_turn(most, {[&](auto left) { return set_->modes->wait(left); },
                                      [&](auto left) { return set_->kernels.wait(left); }});
}

std::size_t NufftFrequencies::workspace_bytes() const {
  if (!set_) return 0;
  const std::size_t factors = (set_->points.count + set_->frequencies) * complex_bytes();
  return set_->memory->bytes() + set_->points.bytes() + factors + set_->modes->workspace_bytes();
}

std::string NufftFrequencies::describe() const {
  const std::string own = "nonuniform transform of type 3: each point over " +
                          std::to_string(window_.width()) + " cells along each axis of a grid";
  if (!set_) return own + " that depends on the points\n";
  return own + ", which a type 2 relates to the frequencies:\n" + set_->modes->describe();
}

}  // namespace imago::api
