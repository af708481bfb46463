// This file builds the kernels of nonuniform transforms.
#include "nufft_device/programs.hpp"

#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/precision.hpp"
#include "engine/engine.hpp"
#include "runtime/memory.hpp"

namespace imago::nufft_device {
namespace {

/// Returns a buffer of numbers in a precision.
runtime::Handle<cl_mem> uploaded(cl_context context, const std::vector<double>& numbers,
                                 Precision precision) {
  if (precision == Precision::f64)
    return runtime::allocate_copy(context, numbers.size() * sizeof(double), numbers.data());
  const std::vector<float> rounded(numbers.begin(), numbers.end());
  return runtime::allocate_copy(context, rounded.size() * sizeof(float), rounded.data());
}

}  // namespace

Programs::Programs(const Setup& setup)
    : StageKernels(setup.target, kernels_of(setup.transform, setup.design, setup.facts),
                   engine::disk_cache(setup.options)),
      complex_bytes_(2 * base::bytes_of(setup.transform.precision)),
      constants_(constants_of(setup.transform, setup.design)) {
  if (setup.design.groups.generic)
    polynomials_ =
        uploaded(setup.target.context, polynomial_table(setup.design), setup.transform.precision);
}

bool Programs::are_built(const Setup& setup) {
  std::vector<kernel::Handmade> kernels;
  for (auto& [_, kernel] : kernels_of(setup.transform, setup.design, setup.facts))
    kernels.push_back(std::move(kernel));
  return runtime::are_built(setup.target, kernels, engine::disk_cache(setup.options));
}

runtime::Handle<cl_kernel> Programs::kernel(Stage stage) const {
  if (!has(stage))
    base::invalid("types", stage == Stage::interpolate ? "type1" : "type2",
                  "the kernels of the other type were not compiled: use both");
  return own(stage);
}

}  // namespace imago::nufft_device
