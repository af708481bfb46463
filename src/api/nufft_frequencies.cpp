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

/// Returns the description of both of its transforms: their errors add up.
NufftTransform part_of(NufftTransform transform) {
  transform.tolerance *= 0.5;
  transform.coordinates = Coordinates::fractions_i64;
  transform.centred = true;
  transform.axes = 0;
  transform.points = 0;
  return transform;
}

/// Extents whose product is at least 1, because a grid's spacing is relative to them. The larger
/// one is at least 1, so that the other is finite.
void widen(nufft_device::Extent& points, nufft_device::Extent& frequencies) {
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
      kernel_(nufft::kernel_for_frequencies(transform_)),
      programs_(target_, facts_, transform_, options_) {}

std::size_t NufftFrequencies::complex_bytes() const {
  return 2 * base::bytes_of(transform_.precision);
}

void NufftFrequencies::set_points(const cl::CommandQueue& queue, const NufftPoints& points,
                                  const NufftPoints& frequencies, const Call& call) {
  check_queue(queue());
  const runtime::KnownQueue known(queue());
  check_queue(home(), known);
  const std::size_t axes = transform_.axes;
  const auto from = checked_coordinates(home(), points, transform_, axes, "coordinates"),
             to = checked_coordinates(home(), frequencies, transform_, axes, "frequencies");
  wait_for(home(), queue, call);
  set_.reset();
  runtime::Sequence sequence(queue(), known.in_order());
  const nufft_device::CoordinateArrays sources{from, points.count}, targets{to, frequencies.count};
  auto extents = programs_.extents(sequence, sources, "coordinates"),
       reaches = programs_.extents(sequence, targets, "frequencies");
  NufftTransform spreading = part_of(transform_);
  spreading.types = NufftTypes::type1;
  spreading.sign = 1;
  nufft_device::PointFactors before, after;
  after.kernel = &kernel_;
  std::vector<runtime::Handle<cl_mem>> places, angles;
  const auto sign = static_cast<double>(transform_.sign);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    widen(extents[axis], reaches[axis]);
    const double reach = extents[axis].reach, band = reaches[axis].reach,
                 upsampling = kernel_.upsampling();
    const std::size_t cells = nufft::frequency_cells(kernel_, reach * band);
    spreading.modes.insert(spreading.modes.begin(), cells);
    // The points fill the middle of the period. Cells are modes of the type 2, so that cell 0 is in
    // the middle, too.
    places.push_back(programs_.fractions(
        sequence, from[axis], points.count, extents[axis].middle,
        upsampling * band / (std::numbers::pi * static_cast<double>(cells)), 0.5));
    angles.push_back(programs_.fractions(sequence, to[axis], frequencies.count,
                                         reaches[axis].middle, sign / (2 * upsampling * band), 0));
    before.slopes[axis] = sign * reaches[axis].middle;
    after.slopes[axis] = sign * extents[axis].middle;
    after.extents[axis] = reaches[axis];
  }
  nufft::check_grid(spreading.modes, facts_);
  auto design = nufft::spreading_design(spreading, kernel_, facts_, options_.parameters.mapping);
  nufft_device::Programs programs({target_, facts_, spreading, design, options_});
  set_.emplace(Set{spreading, std::move(design), std::move(programs)});
  try {
    std::vector<nufft_device::CoordinateArray> arrays;
    for (const auto& place : places) arrays.push_back({place.get(), 0});
    const nufft_device::Setup setup{target_, facts_, set_->spreading, set_->design, options_};
    nufft_device::sort_points(setup, set_->programs, sequence, {arrays, points.count},
                              set_->points);
    nufft_device::allocate_tiles(setup, set_->points, transform_.batch);
    NufftTransform inner = part_of(transform_);
    inner.types = NufftTypes::type2;
    inner.sign = -1;
    inner.modes = set_->spreading.modes;
    inner.points = frequencies.count;
    set_->modes = std::make_unique<NufftModes>(context_, device_, inner, options_);
    NufftPoints at{{}, frequencies.count};
    std::vector<cl::Buffer> buffers;
    for (auto& angle : angles) buffers.push_back(shared<cl::Buffer>(angle.get()));
    for (std::size_t axis = axes; axis-- > 0;) at.coordinates.emplace_back(buffers[axis]);
    set_->before = programs_.factors(sequence, sources, before);
    set_->after = programs_.factors(sequence, targets, after);
    const auto done = sequence.mark();
    Call next;
    next.waits.push_back(shared<cl::Event>(done.get()));
    set_->modes->set_points(queue, at, next);
    set_->frequencies = frequencies.count;
    set_->memory = std::make_unique<UsedMemory>(
        target_,
        std::max<std::size_t>(1, strength_bytes() + transform_.batch * set_->design.cells() *
                                                        complex_bytes()));
  } catch (...) {
    set_.reset();
    throw;
  }
  if (call.event) hand_over(sequence.mark(), call.event);
}

void NufftFrequencies::check_arrays(const Array& strengths, const Array& values) const {
  const auto side_of = [&](std::size_t count) {
    problem::Side side;
    side.element_bytes = complex_bytes();
    side.end = transform_.batch * count;
    return side;
  };
  const problem::Side from = side_of(set_->points.count), to = side_of(set_->frequencies);
  const Side read{"strengths", strengths, strengths.offset(), from, true, false},
      written{"values", values, values.offset(), to, false, true};
  if (set_->points.count > 0) check_side(home(), read);
  if (set_->frequencies > 0) check_side(home(), written);
  if (set_->points.count > 0 && set_->frequencies > 0) check_apart(read, written);
}

void NufftFrequencies::enqueue(const cl::CommandQueue& queue, const Array& strengths,
                               const Array& values, const Call& call) {
  if (!set_) base::invalid("the points", "not set", "call set_points() first");
  check_queue(queue());
  check_queue(home(), runtime::KnownQueue(queue()));
  check_arrays(strengths, values);
  Set& set = *set_;
  const std::size_t batch = transform_.batch, points = set.points.count,
                    frequencies = set.frequencies, cells = set.design.cells();
  const cl_mem memory = set.memory->memory();
  // A grid begins at a whole number of elements after the strengths.
  std::vector<Step> first, last;
  first.emplace_back(Clear{memory, strength_bytes(), batch * cells * complex_bytes()});
  if (points > 0) {
    first.emplace_back(programs_.multiply({points, batch * points, set.before.get(),
                                           strengths.re(), strengths.offset(), memory, 0}));
    for (auto& launch : nufft_device::spread(set.design, set.programs, set.points,
                                             {memory, 0, memory, batch, batch * points}))
      first.emplace_back(std::move(launch));
  }
  if (frequencies > 0)
    last.emplace_back(programs_.multiply({frequencies, batch * frequencies, set.after.get(),
                                          values.re(), values.offset(), values.re(),
                                          values.offset()}));
  const cl::Buffer grid = shared<cl::Buffer>(memory);
  set.memory->enqueue(queue, call, [&](const Call& inner) {
    cl::Event spread, interpolated;
    Call begin, middle, end;
    for (const cl::Event& wait : inner.waits) begin.waits.push_back(shared<cl::Event>(wait()));
    begin.event = &spread;
    api::enqueue(queue, begin, first);
    middle.waits.push_back(shared<cl::Event>(spread()));
    middle.event = &interpolated;
    set.modes->enqueue(queue, false, values, Array(grid, batch * points), middle);
    end.waits.push_back(shared<cl::Event>(interpolated()));
    cl::Event done;
    end.event = &done;
    api::enqueue(queue, end, last);
    return done;
  });
}

std::size_t NufftFrequencies::workspace_bytes() const {
  if (!set_) return 0;
  const std::size_t factors = (set_->points.count + set_->frequencies) * complex_bytes();
  return set_->memory->bytes() + set_->points.bytes() + factors + set_->modes->workspace_bytes();
}

std::string NufftFrequencies::describe() const {
  const std::string own = "nonuniform transform of type 3: each point over " +
                          std::to_string(kernel_.width()) + " cells along each axis of a grid";
  if (!set_) return own + " that depends on the points\n";
  return own + ", which a type 2 relates to the frequencies:\n" + set_->modes->describe();
}

}  // namespace imago::api
