// This file relates the points and frequencies of a type 3 to a grid, on the device.
#include "nufft_device/frequencies.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "engine/engine.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"

namespace imago::nufft_device {
namespace {

/// Returns the coordinate of a key of kernels/nufft_type3.cl, whose order is that of coordinates.
template <class Coordinate, class Bits>
double coordinate_of(std::uint64_t key) {
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  const Bits bits = static_cast<Bits>(key);
  return double{std::bit_cast<Coordinate>((bits & kSign) != 0 ? static_cast<Bits>(bits ^ kSign)
                                                              : static_cast<Bits>(~bits))};
}

template <class Real>
runtime::Handle<cl_mem> uploaded_as(cl_context context, std::span<const long double> numbers) {
  std::vector<Real> rounded;
  for (const long double number : numbers) rounded.push_back(static_cast<Real>(number));
  return runtime::allocate_copy(context, rounded.size() * sizeof(Real), rounded.data());
}

/// Returns the argument of a kernel.
cl_ulong8 words_of(const nufft::Angle& angle) {
  return {{angle.middle_high, angle.middle_low, angle.whole, angle.part, angle.negative,
           static_cast<cl_ulong>(angle.unit), angle.per_reach, 0}};
}

}  // namespace

FrequencyPrograms::FrequencyPrograms(const runtime::Target& target, const device::Facts& facts,
                                     const NufftTransform& transform, const Options& options,
                                     bool together)
    : context_(target.context),
      precision_(transform.precision),
      doubles_(transform.coordinates == Coordinates::radians_f64),
      kernels_(target, frequency_kernels(transform, facts, together), engine::disk_cache(options)) {
}

void FrequencyPrograms::launch(runtime::Sequence& sequence, FrequencyStage stage, cl_kernel kernel,
                               std::size_t points) const {
  sequence.launch(
      kernels_.launch(stage, kernel, base::ceil_divide(points, kernels_.code(stage).items)));
}

std::vector<CoordinateRange> FrequencyPrograms::extents(runtime::Sequence& sequence,
                                                        const CoordinateArrays& arrays,
                                                        const char* name) const {
  std::vector<CoordinateRange> extents(arrays.axes.size());
  if (arrays.count == 0) return extents;
  constexpr std::size_t kMostGroups = 512, kOfGroup = 3;
  const std::size_t items = kernels_.code(FrequencyStage::extent).items;
  const std::size_t groups = std::min(kMostGroups, base::ceil_divide(arrays.count, items));
  std::vector<std::uint64_t> found(kOfGroup * groups);
  const auto memory = runtime::allocate(context_, found.size() * sizeof(std::uint64_t));
  const auto coordinate =
      doubles_ ? coordinate_of<double, std::uint64_t> : coordinate_of<float, std::uint32_t>;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const auto own = kernels_.own(FrequencyStage::extent);
    runtime::Arguments(own.get())
        .value(static_cast<cl_uint>(arrays.count))
        .value(arrays.axes[axis].memory)
        .value(cl_ulong{arrays.axes[axis].offset})
        .value(memory.get());
    launch(sequence, FrequencyStage::extent, own.get(), groups * items);
    sequence.read(memory.get(), 0, found.size() * sizeof(std::uint64_t), found.data());
    std::uint64_t first = found[0], last = found[1];
    for (std::size_t group = 0; group < groups; ++group) {
      first = std::min(first, found[kOfGroup * group]);
      last = std::max(last, found[kOfGroup * group + 1]);
      if (found[kOfGroup * group + 2] != 0)
        base::invalid("an element of " + base::indexed(name, extents.size() - 1 - axis),
                      "not finite", "give finite numbers");
    }
    const double least = coordinate(first), largest = coordinate(last);
    extents[axis] = {least / 2 + largest / 2, largest / 2 - least / 2};
  }
  return extents;
}

runtime::Handle<cl_mem> FrequencyPrograms::fractions(runtime::Sequence& sequence,
                                                     const CoordinateArray& array,
                                                     std::size_t count, const nufft::Angle& angle,
                                                     double shift) const {
  auto fractions = runtime::allocate(context_, std::max<std::size_t>(1, count) * sizeof(cl_ulong));
  if (count == 0) return fractions;
  const auto own = kernels_.own(FrequencyStage::rescale);
  runtime::Arguments(own.get())
      .value(static_cast<cl_uint>(count))
      .value(array.memory)
      .value(cl_ulong{array.offset})
      .value(words_of(angle))
      .value(static_cast<cl_ulong>(std::ldexp(shift, 64)))
      .value(fractions.get());
  launch(sequence, FrequencyStage::rescale, own.get(), count);
  return fractions;
}

runtime::Handle<cl_mem> FrequencyPrograms::factors(runtime::Sequence& sequence,
                                                   const CoordinateArrays& arrays,
                                                   const PointFactors& wanted) const {
  const std::size_t complex_bytes = 2 * base::bytes_of(precision_);
  auto factors =
      runtime::allocate(context_, std::max<std::size_t>(1, arrays.count) * complex_bytes);
  if (arrays.count == 0) return factors;
  const std::vector<long double> series =
      wanted.window ? wanted.window->transform_series() : std::vector<long double>{0};
  const auto uploaded = precision_ == Precision::f64 ? uploaded_as<double>(context_, series)
                                                     : uploaded_as<float>(context_, series);
  const auto own = kernels_.own(FrequencyStage::factors);
  const auto at = [&](std::size_t axis) {
    return arrays.axes[axis < arrays.axes.size() ? axis : 0];
  };
  runtime::Arguments arguments(own.get());
  arguments.value(static_cast<cl_uint>(arrays.count))
      .value(static_cast<cl_uint>(arrays.axes.size()));
  for (std::size_t axis = 0; axis < 3; ++axis) arguments.value(at(axis).memory);
  for (std::size_t axis = 0; axis < 3; ++axis) arguments.value(cl_ulong{at(axis).offset});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& [middle, reach] = wanted.extents[axis];
    arguments.value(words_of(nufft::angle_of(wanted.slopes[axis], middle, reach)));
  }
  arguments.value(static_cast<cl_uint>(wanted.window ? series.size() : 0)).value(uploaded.get());
  const long double scale = std::exp(-static_cast<long double>(arrays.axes.size()) * series[0]);
  if (precision_ == Precision::f64)
    arguments.value(static_cast<cl_double>(scale));
  else
    arguments.value(static_cast<cl_float>(scale));
  arguments.value(factors.get());
  launch(sequence, FrequencyStage::factors, own.get(), arrays.count);
  return factors;
}

runtime::KernelLaunch FrequencyPrograms::multiply(const Product& product) const {
  const FrequencyStage stage =
      product.real ? FrequencyStage::multiply_real : FrequencyStage::multiply;
  auto own = kernels_.own(stage);
  runtime::Arguments(own.get())
      .value(static_cast<cl_uint>(product.points))
      .value(cl_ulong{product.count})
      .value(product.factors)
      .value(product.from)
      .value(cl_ulong{product.from_offset})
      .value(product.to)
      .value(cl_ulong{product.to_offset});
  return kernels_.launch(stage, std::move(own),
                         base::ceil_divide(product.count, kernels_.code(stage).items));
}

}  // namespace imago::nufft_device
