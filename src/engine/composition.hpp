// This file is the composition root: it turns a Transform or a filter into programs and the
// sources of their kernels. Nothing here touches a device but its facts.
#pragma once

#include <functional>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "engine/blueprint.hpp"
#include "problem/computation.hpp"

namespace imago::engine {

/// For clBuildProgram, of every kernel whose work-groups do not wait for each other. No option may
/// let the compiler change results.
inline constexpr const char* kBuildOptions = "-cl-std=CL1.2";

/// More of them, with the space before: of kernels with barriers for devices that do not keep
/// loads, whose work-items' indices are volatile; none for others. Where the text says so, too, it
/// keeps binaries apart: options are a part of their keys in caches, the text is not.
std::string item_options(const device::Facts& facts);

/// The option of kernels whose products and sums the compiler may not fuse, with the space before:
/// the text says so, and this keeps binaries apart.
inline constexpr const char* kAsWrittenOption = " -DIMAGO_AS_WRITTEN";

/// Decides. Throws as Plan's constructor. Nothing that a profile holds makes it throw.
Blueprint decide(const problem::Computation& computation, const device::Facts& facts,
                 const Options& options);
/// Decides and has it built. Where `build` throws an Error for what a profile chose, the device
/// refuses those parameters: this logs one reason and does both again without them.
void decide_and_build(const problem::Computation& computation, const device::Facts& facts,
                      const Options& options, const std::function<void(Blueprint)>& build);
/// Generates the code of a kernel: the same for the same steps.
KernelSource generate(const Kernel& kernel);
/// Its source under a name that says nothing: steps may differ in what leaves no trace in the code.
std::string anonymous_source(const Kernel& kernel);

}  // namespace imago::engine
