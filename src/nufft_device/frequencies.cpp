// This file relates the points and frequencies of a type 3 to a grid, on the device.
#include "nufft_device/frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "kernels/text.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"

namespace imago::nufft_device {
namespace {

const char* const kFrequencyNames[] = {"nufft_extent", "nufft_rescale", "nufft_factors",
                                       "nufft_multiply", "nufft_multiply_real"};
constexpr std::size_t kItems = 64;

}  // namespace

FrequencyPrograms::FrequencyPrograms(const runtime::Target& target, const device::Facts& facts,
                                     const NufftTransform& transform, const Options& options)
    : context_(target.context), complex_bytes_(2 * base::bytes_of(transform.precision)) {
  std::vector<runtime::KernelCode> codes;
  for (const char* const name : kFrequencyNames) {
    if (name == kFrequencyNames[static_cast<std::size_t>(Stage::multiply_real)] && !transform.real)
      continue;
    const auto flag = [](const char* macro, bool value) {
      return std::string(" -D") + macro + (value ? "=1" : "=0");
    };
    runtime::KernelCode code{
        name,
        engine::kBuildOptions + engine::item_options(facts) + " -DBUILD_" + name +
            flag("IMAGO_DOUBLE", transform.precision == Precision::f64) +
            flag("IMAGO_DOUBLE_COORDINATES", transform.coordinates == Coordinates::radians_f64) +
            " -DIMAGO_ITEMS=" + std::to_string(kItems),
        {},
        {}};
    code.generate = [] { return std::string(kernels::text("nufft_type3.cl")); };
    codes.push_back(std::move(code));
  }
  programs_ = runtime::build(target, codes, engine::disk_cache(options));
}

runtime::Handle<cl_kernel> FrequencyPrograms::kernel(Stage stage) const {
  return programs_[static_cast<std::size_t>(stage)]->make_kernel();
}

void FrequencyPrograms::launch(runtime::Sequence& sequence, Stage stage, cl_kernel kernel,
                               std::size_t points) const {
  sequence.launch({kernel, kFrequencyNames[static_cast<std::size_t>(stage)],
                   base::ceil_divide(points, kItems), kItems});
}

std::vector<Extent> FrequencyPrograms::extents(runtime::Sequence& sequence,
                                               const CoordinateArrays& arrays,
                                               const char* name) const {
  std::vector<Extent> extents(arrays.axes.size());
  if (arrays.count == 0) return extents;
  constexpr std::size_t kMostGroups = 512, kOfGroup = 3;
  const std::size_t groups = std::min(kMostGroups, base::ceil_divide(arrays.count, kItems));
  std::vector<double> found(kOfGroup * groups);
  const auto memory = runtime::allocate(context_, found.size() * sizeof(double));
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const auto own = kernel(Stage::extent);
    runtime::Arguments(own.get())
        .value(static_cast<cl_uint>(arrays.count))
        .value(arrays.axes[axis].memory)
        .value(cl_ulong{arrays.axes[axis].offset})
        .value(memory.get());
    launch(sequence, Stage::extent, own.get(), groups * kItems);
    sequence.read(memory.get(), 0, found.size() * sizeof(double), found.data());
    double least = found[0], largest = found[1];
    for (std::size_t group = 0; group < groups; ++group) {
      least = std::min(least, found[kOfGroup * group]);
      largest = std::max(largest, found[kOfGroup * group + 1]);
      if (found[kOfGroup * group + 2] != 0)
        base::invalid("an element of " + base::indexed(name, extents.size() - 1 - axis),
                      "not finite", "give finite numbers");
    }
    extents[axis] = {least / 2 + largest / 2, largest / 2 - least / 2};
  }
  return extents;
}

runtime::Handle<cl_mem> FrequencyPrograms::fractions(runtime::Sequence& sequence,
                                                     const CoordinateArray& array,
                                                     std::size_t count, double middle, double scale,
                                                     double shift) const {
  auto fractions = runtime::allocate(context_, std::max<std::size_t>(1, count) * sizeof(cl_ulong));
  if (count == 0) return fractions;
  const auto own = kernel(Stage::rescale);
  runtime::Arguments(own.get())
      .value(static_cast<cl_uint>(count))
      .value(array.memory)
      .value(cl_ulong{array.offset})
      .value(cl_double{middle})
      .value(cl_double{scale})
      .value(static_cast<cl_ulong>(std::ldexp(shift, 64)))
      .value(fractions.get());
  launch(sequence, Stage::rescale, own.get(), count);
  return fractions;
}

runtime::Handle<cl_mem> FrequencyPrograms::factors(runtime::Sequence& sequence,
                                                   const CoordinateArrays& arrays,
                                                   const PointFactors& wanted) const {
  auto factors =
      runtime::allocate(context_, std::max<std::size_t>(1, arrays.count) * complex_bytes_);
  if (arrays.count == 0) return factors;
  std::vector<double> series = {0};
  if (wanted.kernel)
    series.assign(wanted.kernel->transform_series().begin(),
                  wanted.kernel->transform_series().end());
  const auto uploaded =
      runtime::allocate_copy(context_, series.size() * sizeof(double), series.data());
  cl_double4 slopes = {}, middles = {}, reaches = {};
  for (std::size_t axis = 0; axis < arrays.axes.size(); ++axis) {
    slopes.s[axis] = wanted.slopes[axis];
    middles.s[axis] = wanted.extents[axis].middle;
    reaches.s[axis] = wanted.extents[axis].reach;
  }
  const auto own = kernel(Stage::factors);
  const auto at = [&](std::size_t axis) {
    return arrays.axes[axis < arrays.axes.size() ? axis : 0];
  };
  runtime::Arguments arguments(own.get());
  arguments.value(static_cast<cl_uint>(arrays.count))
      .value(static_cast<cl_uint>(arrays.axes.size()));
  for (std::size_t axis = 0; axis < 3; ++axis) arguments.value(at(axis).memory);
  for (std::size_t axis = 0; axis < 3; ++axis) arguments.value(cl_ulong{at(axis).offset});
  arguments.value(slopes)
      .value(middles)
      .value(reaches)
      .value(static_cast<cl_uint>(wanted.kernel ? series.size() : 0))
      .value(uploaded.get())
      .value(factors.get());
  launch(sequence, Stage::factors, own.get(), arrays.count);
  return factors;
}

runtime::OwnLaunch FrequencyPrograms::multiply(const Product& product) const {
  const Stage stage = product.real ? Stage::multiply_real : Stage::multiply;
  auto own = kernel(stage);
  runtime::Arguments(own.get())
      .value(static_cast<cl_uint>(product.points))
      .value(cl_ulong{product.count})
      .value(product.factors)
      .value(product.from)
      .value(cl_ulong{product.from_offset})
      .value(product.to)
      .value(cl_ulong{product.to_offset});
  return {std::make_shared<const runtime::Handle<cl_kernel>>(std::move(own)),
          kFrequencyNames[static_cast<std::size_t>(stage)],
          base::ceil_divide(product.count, kItems), kItems};
}

}  // namespace imago::nufft_device
