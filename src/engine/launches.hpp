// This file decides whether the kernels of a plan are launched one after the other or as one
// (kernel::Program::one_launch).
#pragma once

#include <optional>
#include <vector>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "kernel/program.hpp"
#include "lines/request.hpp"

namespace imago::engine {

/// Whether all launches of the program may be one on the device.
bool may_be_one_launch(const kernel::Program& several, const device::Facts& facts);
/// Whether they are to be one: as is wished, else where the model predicts
/// that it pays. Throws InvalidArgument or Unsupported for a wish for one that cannot be.
bool wants_one_launch(const kernel::Program& several, Launches wish, const device::Facts& facts);

/// Predicted seconds, with the launches that are chosen where nothing is wished.
double predicted_seconds(const kernel::Program& program, const device::Facts& facts);

/// The model's parameters for lines whose kernels are to be one launch; none where several launches
/// are predicted to be as fast, or there is one line only, whose choice knows it anyway.
std::optional<std::vector<Parameters>> choose_for_one_launch(
    const std::vector<lines::Request>& lines, const device::Facts& facts);

}  // namespace imago::engine
