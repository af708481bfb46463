// This file builds the kernels of nonuniform transforms.
#include "nufft_device/programs.hpp"

#include "base/errors.hpp"
#include "base/precision.hpp"
#include "engine/engine.hpp"

namespace imago::nufft_device {

Programs::Programs(const Setup& setup)
    : StageKernels(setup.target, kernels_of(setup.transform, setup.design, setup.facts),
                   engine::disk_cache(setup.options)),
      complex_bytes_(2 * base::bytes_of(setup.transform.precision)) {}

runtime::Handle<cl_kernel> Programs::kernel(Stage stage) const {
  if (!has(stage))
    base::invalid("types", stage == Stage::interpolate ? "type1" : "type2",
                  "the kernels of the other type were not compiled: use both");
  return own(stage);
}

}  // namespace imago::nufft_device
