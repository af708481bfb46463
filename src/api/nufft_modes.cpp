// This file computes nonuniform transforms of types 1 and 2: it checks the arguments of a call, and
// enqueues the commands between points, grids and modes.
#include "api/nufft_modes.hpp"

#include <algorithm>
#include <complex>
#include <numeric>
#include <sstream>
#include <utility>

#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/precision.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "nufft/grid_transform.hpp"
#include "nufft_device/spreading.hpp"
#include "problem/words.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"

namespace imago::api {
namespace {

/// Returns the layout of an array without gaps.
problem::Side packed(std::size_t element_bytes, std::size_t elements) {
  problem::Side side;
  side.element_bytes = element_bytes;
  side.end = elements;
  return side;
}

}  // namespace

void check_count(std::size_t points) {
  constexpr std::size_t kMostPoints = (std::size_t{1} << 31) - 1;
  if (points > kMostPoints)
    base::unsupported(std::to_string(points) + " points are more than a part can have",
                      "give parts of less than 2^31 points, or add the results of type 1");
}

device::Facts nufft_facts(const cl::Device& device, const NufftTransform& transform,
                          const Options& options) {
  if (!device()) base::invalid("device", "null", "give an OpenCL device");
  nufft::check(transform);
  base::check_word(problem::kMappings, "options.parameters.mapping", options.parameters.mapping);
  check_no_recipe(options);
  auto facts = runtime::facts(device(), engine::disk_cache(options));
  if (transform.precision == Precision::f64 && !facts.f64.native)
    base::unsupported(
        "the device \"" + facts.name + "\" has no doubles, which nonuniform transforms in f64 need",
        "use Precision::f32 or another device");
  return facts;
}

std::vector<nufft_device::CoordinateArray> checked_coordinates(const Home& home,
                                                               const NufftPoints& points,
                                                               const NufftTransform& transform,
                                                               std::size_t axes, const char* name) {
  if (points.coordinates.size() != axes)
    base::invalid("the number of " + std::string(name), points.coordinates.size(),
                  "give an array for each of the " + std::to_string(axes) + " axes");
  check_count(points.count);
  const problem::Side side = packed(nufft::coordinate_bytes(transform.coordinates), points.count);
  std::vector<nufft_device::CoordinateArray> arrays;
  for (std::size_t axis = axes; axis-- > 0;) {
    const Array& array = points.coordinates[axis];
    if (points.count > 0)
      check_side(home,
                 {base::indexed(name, axis).c_str(), array, array.offset(), side, true, false});
    arrays.push_back({array.re(), array.offset()});
  }
  return arrays;
}

void wait_for(const Home& home, const cl::CommandQueue& queue, const Call& call) {
  const auto waits = check_waits(home, call.waits);
  if (waits.empty()) return;
  runtime::check(clFlush(queue()), "clFlush");  // the events may belong to this queue
  runtime::check(clWaitForEvents(static_cast<cl_uint>(waits.size()), waits.data()),
                 "clWaitForEvents");
}

NufftModes::NufftModes(const cl::Context& context, const cl::Device& device,
                       NufftTransform transform, const Options& options, nufft::Modes modes)
    : transform_(std::move(transform)),
      options_(options),
      facts_(nufft_facts(device, transform_, options_)),
      design_(nufft_design(transform_, facts_, options_, modes)),
      target_(engine::make_target(context(), device())),
      context_(shared<cl::Context>(context())),
      kernels_(setup()),
      members_(members_at_once(transform_, design_, facts_)),
      memory_(target_, grid_memory_bytes(transform_, design_, members_)) {
  options_.parameters = {};
  grids_ = make_execution(context_, device, nufft::grid_transform(transform_, design_, members_),
                          options_, {.signal = "modes", .spectrum = "grid"});
  parts_.add(grids_.get());
  if (!transform_.centred) {
    reordered_ = make_execution(context_, device, nufft::reordering(transform_, members_), options_,
                                {.signal = "modes", .spectrum = "modes"});
    parts_.add(reordered_.get());
  }
  for (std::size_t axis = 0; axis < transform_.modes.size(); ++axis) {
    const auto numbers = nufft::mode_factors(transform_, design_, axis);
    factors_.emplace_back(
        nufft::factors_name(axis),
        upload_factors(context_(), {numbers.begin(), numbers.end()}, transform_.precision, true));
  }
}

std::size_t NufftModes::complex_bytes() const { return 2 * base::bytes_of(transform_.precision); }
std::size_t NufftModes::modes() const { return number_of_modes(transform_); }

namespace {

/// Checks the numbers of points of the members. Throws InvalidArgument.
void check_counts(const NufftPoints& points, const NufftTransform& transform) {
  const std::vector<std::size_t>& counts = points.counts;
  if (!transform.points_per_member) {
    if (!counts.empty())
      base::invalid("the size of counts", counts.size(),
                    "it must be 0 without NufftTransform::points_per_member");
    return;
  }
  if (counts.size() != transform.batch)
    base::invalid("the size of counts", counts.size(),
                  "give a number of points for each of the " + std::to_string(transform.batch) +
                      " members of the batch");
  std::size_t left = points.count;
  for (const std::size_t count : counts) {
    if (count > left) left = points.count + 1;  // more than all
    if (left > points.count) break;
    left -= count;
  }
  if (left != 0)
    base::invalid("count", points.count, "with points_per_member it must be the sum of counts");
}

}  // namespace

void NufftModes::set_points(const cl::CommandQueue& queue, std::span<const NufftPoints> parts,
                            const Call& call) {
  check_queue(queue());
  const runtime::KnownQueue known(queue());
  check_queue(home(), known);
  std::vector<std::vector<nufft_device::CoordinateArray>> arrays;
  for (const NufftPoints& part : parts) {
    check_counts(part, transform_);
    arrays.push_back(
        checked_coordinates(home(), part, transform_, transform_.modes.size(), "coordinates"));
  }
  wait_for(home(), queue, call);
  has_points_ = false;
  // Earlier calls may still read the points.
  memory_.enqueue(queue, {.event = call.event}, [&](const Call& inner) {
    wait_for(home(), queue, inner);
    runtime::Sequence sequence(queue());
    points_.resize(parts.size() * sets());
    std::size_t before = 0;  // points of all parts
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const std::size_t part = i / sets(), first = i % sets() * members_;
      const auto kernels = kernels_.current();
      const nufft_device::Setup own{target_, facts_, transform_, kernels->design, options_};
      nufft_device::CoordinateArrays given{arrays[part], parts[part].count, before};
      if (transform_.points_per_member) {
        given.counts = std::span(parts[part].counts).subspan(first, members_);
        given.count = std::accumulate(given.counts.begin(), given.counts.end(), std::size_t{0});
      }
      points_[i].before = first == 0 ? 0 : points_[i - 1].before + points_[i - 1].count;
      nufft_device::sort_points(own, kernels->programs, sequence, given, points_[i]);
      for (auto& axis : arrays[part]) axis.offset += given.count;  // for the next set
      before += given.count;
      if (!compensated_ && nufft_device::needs_compensation(setup(), points_[i]))
        compensated_.emplace(compensated_kernels(setup()));
      if (transform_.types != NufftTypes::type2)
        nufft_device::allocate_tiles(setup(), points_[i],
                                     transform_.points_per_member ? 1 : members_);
    }
    return cl::Event(sequence.mark().take(), false);
  });
  has_points_ = true;
}

void NufftModes::check_arrays(bool type1, std::span<const Array> numbers,
                              const Array& modes) const {
  const char* const name = type1 ? "strengths" : "values";
  const std::size_t parts = points_.size() / sets();
  if (numbers.size() != parts)
    base::invalid(
        "the number of " + std::string(name), numbers.size(),
        "give an array for each of the " + std::to_string(parts) + " parts of the points");
  const problem::Side of_modes = packed(complex_bytes(), transform_.batch * this->modes());
  const Side second{"modes", modes, modes.offset(), of_modes, !type1, type1};
  check_side(home(), second);
  std::vector<problem::Side> sides;
  for (std::size_t i = 0; i < parts; ++i)
    sides.push_back(packed(nufft::number_bytes(transform_),
                           (transform_.points_per_member ? 1 : transform_.batch) * count_of(i)));
  const auto side_of = [&](std::size_t i) {
    return Side{name, numbers[i], numbers[i].offset(), sides[i], type1, !type1};
  };
  for (std::size_t i = 0; i < parts; ++i) {
    if (count_of(i) == 0) continue;
    check_side(home(), side_of(i));
    check_apart(side_of(i), second);
    for (std::size_t other = 0; other < i && !type1; ++other) {
      if (count_of(other) > 0) check_apart(side_of(other), side_of(i));
    }
  }
}

bool NufftModes::ready() const {
  return parts_.ready() && kernels_.ready() && (!compensated_ || compensated_->ready());
}

bool NufftModes::wait(std::chrono::milliseconds most) const {
  return wait_in_turn(most, {[&](auto left) { return parts_.wait(left); },
                             [&](auto left) { return kernels_.wait(left); },
                             [&](auto left) { return !compensated_ || compensated_->wait(left); }});
}

NufftModes::Current NufftModes::current() const {
  return {kernels_.current(), compensated_ ? compensated_->current() : nullptr};
}

/// Returns true if the launches that spread members from `first` on also clear their grids: each
/// has one bin with points of its own.
bool NufftModes::clears_grids(std::size_t first) const {
  return design_.grid.bins_of_member == 1 && !points_.empty() &&
         points_[first / members_].count > 0;
}

/// Returns the launches that spread, or interpolate, members from `first` on.
std::vector<runtime::KernelLaunch> NufftModes::launches(const Current& kernels, bool type1,
                                                        std::span<const Array> numbers,
                                                        std::size_t first) const {
  std::vector<runtime::KernelLaunch> all;
  const bool own = transform_.points_per_member;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const nufft_device::SortedPoints& part = points_[i * sets() + (own ? first / members_ : 0)];
    const nufft_device::PointsAndGrids exchange{
        numbers[i].re(),
        numbers[i].offset() + (own ? part.before : first * part.count),
        memory_.memory(),
        members_,
        0,
        i == 0 && clears_grids(first)};
    const bool compensated =
        type1 && kernels.compensated && nufft_device::needs_compensation(setup(), part);
    const auto& [design, programs] = compensated ? *kernels.compensated : *kernels.plain;
    for (auto& launch : type1 ? nufft_device::spread(design, programs, part, exchange)
                              : nufft_device::interpolate(design, programs, part, exchange))
      all.push_back(std::move(launch));
  }
  return all;
}

std::vector<Command> NufftModes::commands(const Current& kernels, bool type1,
                                          std::span<const Array> numbers,
                                          const Array& modes) const {
  const cl::Buffer grid = shared<cl::Buffer>(memory_.memory());
  const Array centred(grid, grid_bytes() / complex_bytes());
  std::vector<Command> commands;
  const auto add = [&](std::vector<runtime::KernelLaunch> launches) {
    for (auto& launch : launches) commands.emplace_back(std::move(launch));
  };
  for (std::size_t first = 0; first < transform_.batch; first += members_) {
    const Array given = later(modes, first * this->modes());
    const Array& inner = transform_.centred ? given : centred;
    if (type1) {
      if (!clears_grids(first))
        commands.emplace_back(runtime::Clear{memory_.memory(), 0, grid_bytes()});
      add(launches(kernels, true, numbers, first));
      commands.emplace_back(Run{*grids_, true, grid, inner, factors_});
      if (reordered_) commands.emplace_back(Run{*reordered_, true, centred, given, {}, false});
    } else {
      if (reordered_) commands.emplace_back(Run{*reordered_, false, given, centred, {}, false});
      commands.emplace_back(Run{*grids_, false, inner, grid, factors_});
      add(launches(kernels, false, numbers, first));
    }
  }
  return commands;
}

/// The grid is used by one call at a time.
void NufftModes::enqueue(const cl::CommandQueue& queue, bool type1, std::span<const Array> numbers,
                         const Array& modes, const Call& call) {
  if (!has_points_) base::invalid("the plan", "without points", "call set_points() first");
  check_queue(queue());
  check_queue(home(), runtime::KnownQueue(queue()));
  check_arrays(type1, numbers, modes);
  kernels_.count_call();
  if (compensated_) compensated_->count_call();
  const Current kernels = current();
  const auto all = commands(kernels, type1, numbers, modes);
  memory_.enqueue(queue, call, [&](const Call& inner) { return api::enqueue(queue, inner, all); });
}

std::size_t NufftModes::count_of(std::size_t part) const {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < sets(); ++i) sum += points_[part * sets() + i].count;
  return sum;
}

std::size_t NufftModes::points() const {
  std::size_t sum = 0;
  for (const auto& part : points_) sum += part.count;
  return sum;
}

std::size_t NufftModes::workspace_bytes() const {
  std::size_t sum = memory_.bytes() + parts_.workspace_bytes();
  for (const auto& part : points_) sum += part.bytes();
  return sum;
}

std::vector<PointsUse> NufftModes::points_use() const {
  std::vector<PointsUse> uses;
  for (const auto& part : points_) uses.push_back({part.count, part.slots});
  return uses;
}

std::string NufftModes::describe() const {
  const auto points = has_points_ ? points_use() : evenly_spread(transform_, design_, members_);
  NufftEstimate estimate = nufft_estimate({transform_, design_, facts_, options_}, points);
  if (has_points_) estimate.workspace_bytes = workspace_bytes();
  return text_of(estimate, transform_) + parts_.describe();
}

}  // namespace imago::api
