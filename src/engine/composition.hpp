// This file is the composition root: it turns a Transform or a filter into programs and the sources
// of their kernels. It uses no device, only a device's properties.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "engine/blueprint.hpp"
#include "problem/computation.hpp"
#include "problem/rows.hpp"

namespace imago::engine {

/// Returns a device's facts as a plan with these options sees them: with or without pairs, or with
/// a ring. The environment variable IMAGO_F64 replaces an automatic choice.
device::Facts facts_for(device::Facts facts, const Options& options,
                        base::Ring ring = base::Ring::none);

/// Returns Options::reproducible, or true if the environment variable IMAGO_REPRODUCIBLE is 1.
bool is_reproducible(const Options& options);

/// Throws Unsupported if is_reproducible(): `what` computes more than plans do.
void refuse_reproducible(const Options& options, const std::string& what);

/// Options for clBuildProgram of every kernel without synchronization of work-groups. No option may
/// let the compiler change results.
inline constexpr const char* kBuildOptions = "-cl-std=CL1.2";

/// Returns additional options, with a leading space, for devices that repeat loads instead of
/// keeping the values in registers; otherwise an empty string. Kernels for these devices have
/// volatile indices of work-items. The options repeat what the source already contains because
/// cache keys hold the options, not the source.
std::string item_options(const device::Facts& facts);

/// Option, with a leading space, of kernels whose products and sums the compiler may not fuse. The
/// source contains this too; the option makes cache keys differ.
inline constexpr const char* kAsWrittenOption = " -DIMAGO_AS_WRITTEN";

/// Returns all choices for a plan. Throws as Plan's constructor, but never because of a profile.
Blueprint decide(const problem::Computation& computation, const device::Facts& facts,
                 const Options& options);
/// Returns a blueprint of generic kernels (kernel/generic.hpp) for both directions; empty if they
/// cannot compute it, or if options ask for what they do not have (imago::FirstCall).
std::optional<Blueprint> decide_generic(const problem::Computation& computation,
                                        const device::Facts& facts, const Options& options);
/// Returns a blueprint of rows of different lengths, which have only generic kernels. Throws as
/// RaggedPlan's constructor.
Blueprint decide(const problem::RowBatch& rows, const device::Facts& facts, const Options& options);
/// Makes all choices and calls `build` with them. If `build` throws an Error and a profile defined
/// parameters, makes the choices again without profiles, calls `build` again, and logs the reason.
void decide_and_build(const problem::Computation& computation, const device::Facts& facts,
                      const Options& options, const std::function<void(Blueprint)>& build);
/// Generates the code of a kernel. The result depends only on the kernel's steps.
KernelSource generate(const Kernel& kernel);
/// Returns the source with a neutral name, so that steps that generate equal code compare equal.
std::string anonymous_source(const Kernel& kernel);

}  // namespace imago::engine
