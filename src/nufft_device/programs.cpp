// This file builds the kernels of nonuniform transforms.
#include "nufft_device/programs.hpp"

#include <utility>
#include <vector>

#include "base/errors.hpp"
#include "base/precision.hpp"
#include "engine/engine.hpp"

namespace imago::nufft_device {

Programs::Programs(const Setup& setup)
    : complex_bytes_(2 * base::bytes_of(setup.transform.precision)),
      kernels_(kernels_of(setup.transform, setup.design, setup.facts)) {
  std::vector<runtime::KernelCode> codes;
  for (const auto& [_, kernel] : kernels_) codes.push_back(runtime::code_of(kernel));
  auto built = runtime::build(setup.target, codes, engine::disk_cache(setup.options));
  auto next = built.begin();
  for (const auto& [stage, _] : kernels_) programs_[stage] = std::move(*next++);
}

runtime::Handle<cl_kernel> Programs::kernel(Stage stage) const {
  const auto found = programs_.find(stage);
  if (found == programs_.end())
    base::invalid("types", stage == Stage::interpolate ? "type1" : "type2",
                  "the kernels of the other type were not compiled: use both");
  return found->second->make_kernel();
}

}  // namespace imago::nufft_device
