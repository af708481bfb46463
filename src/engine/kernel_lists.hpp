// This file lists the hand-written kernels of a plan for its caller.
#pragma once

#include <vector>

#include <imago/plan.hpp>

#include "runtime/stage_kernels.hpp"

namespace imago::engine {

template <class Stage>
void append(std::vector<KernelSource>& sources, const runtime::StageKernels<Stage>& kernels) {
  kernels.each([&](const runtime::BuiltHandmade& built) {
    sources.push_back({built.code.name, built.code.text, built.code.options});
  });
}
template <class Stage>
void append(std::vector<KernelBuild>& builds, const runtime::StageKernels<Stage>& kernels) {
  kernels.each([&](const runtime::BuiltHandmade& built) {
    const runtime::Made made = built.program->made();
    builds.push_back({built.code.name, made.compiled, made.seconds});
  });
}

}  // namespace imago::engine
