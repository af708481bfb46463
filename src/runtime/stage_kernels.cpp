// This file builds hand-written kernels.
#include "runtime/stage_kernels.hpp"

namespace imago::runtime {

std::vector<BuiltHandmade> build_handmade(const Target& target,
                                          std::vector<kernel::Handmade> kernels,
                                          const DiskCache& disk, const Rehearsal& rehearse) {
  std::vector<KernelCode> codes;
  for (const auto& kernel : kernels) {
    codes.push_back({.name = kernel.name, .options = kernel.options, .text = kernel.text});
    if (rehearse) codes.back().rehearse = [&](cl_kernel compiled) { rehearse(kernel, compiled); };
  }
  const auto programs = build(target, codes, disk);
  std::vector<BuiltHandmade> built;
  for (std::size_t i = 0; i < programs.size(); ++i)
    built.push_back({std::move(kernels[i]), programs[i], programs[i]->make_kernel()});
  return built;
}

}  // namespace imago::runtime
