// This file builds hand-written kernels.
#include "runtime/stage_kernels.hpp"

#include <algorithm>

namespace imago::runtime {

namespace {

/// Returns the programs of kernels. Kernels of one program have it once.
std::vector<KernelCode> codes_of(const Target& target, const std::vector<kernel::Handmade>& kernels,
                                 const Rehearsal& rehearse) {
  std::vector<KernelCode> codes;
  for (const auto& kernel : kernels) {
    if (!kernel.entry.empty() && std::any_of(codes.begin(), codes.end(), [&](const auto& code) {
          return code.name == kernel.name;
        }))
      continue;
    codes.push_back({.name = kernel.name,
                     .options = kernel.options,
                     .text = kernel.text,
                     .entry = kernel.entry,
                     .kept = !kernel.is_shared || !is_pocl(target.device)});
    if (rehearse) codes.back().rehearse = [&](cl_kernel compiled) { rehearse(kernel, compiled); };
  }
  return codes;
}

}  // namespace

std::vector<BuiltHandmade> build_handmade(const Target& target,
                                          std::vector<kernel::Handmade> kernels,
                                          const DiskCache& disk, const Rehearsal& rehearse) {
  const auto programs = build(target, codes_of(target, kernels, rehearse), disk);
  std::vector<BuiltHandmade> built;
  for (auto& kernel : kernels) {
    const auto program = *std::find_if(programs.begin(), programs.end(), [&](const auto& other) {
      return other->name() == kernel.name;
    });
    // Building it again, even from PoCL's cache, takes longer than the rest of a plan.
    if (kernel.is_shared && is_pocl(target.device)) hold(program);
    auto made = program->make_kernel(kernel.kernel_name());
    built.push_back({std::move(kernel), program, std::move(made)});
  }
  return built;
}

bool are_built(const Target& target, const std::vector<kernel::Handmade>& kernels,
               const DiskCache& disk) {
  return are_built(target, codes_of(target, kernels, {}), disk);
}

}  // namespace imago::runtime
