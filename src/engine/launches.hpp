// This file chooses if the kernels of a plan are launched one after the other or as one kernel
// (kernel::Program::one_launch).
#pragma once

#include <optional>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "kernel/program.hpp"
#include "lines/request.hpp"

namespace imago::engine {

/// True if the device can run all launches of the program as one.
bool may_be_one_launch(const kernel::Program& several, const device::Facts& facts);
/// True if the program's launches cost less than the waiting of work-groups in one launch, also if
/// a profile says otherwise: its times are those of OpenCL's launches.
bool has_cheap_launches(const kernel::Program& several, const device::Facts& facts);
/// True if the program should use one launch: by `wish`, or if the cost model predicts that one is
/// faster. Throws InvalidArgument or Unsupported if `wish` is one launch and that is not possible.
bool wants_one_launch(const kernel::Program& several, Launches wish, const device::Facts& facts);

/// Returns the predicted seconds, with the launches that Launches::automatic chooses.
double predicted_seconds(const kernel::Program& program, const device::Facts& facts);

/// Returns the cost model's parameters for lines with kernels in one launch. Returns nothing if
/// several launches are predicted to be as fast. Returns nothing for a single line, for which the
/// choice of parameters already considers one launch.
std::optional<std::vector<Parameters>> choose_for_one_launch(
    const std::vector<lines::Request>& lines, const device::Facts& facts);

}  // namespace imago::engine
