// This file lays out a Program: kernels that together are one large Stockham transform.
#pragma once

#include <cstdint>
#include <vector>

#include "device/facts.hpp"
#include "kernel/program.hpp"
#include "lines/request.hpp"

namespace imago::plan {

/// Returns the program that computes `request` with complete parameters.
kernel::Program make_program(const lines::Request& request, const device::Facts& facts,
                             const Parameters& parameters);

/// Returns the sizes of a program's launches if only the first `members` of its `batch` batch
/// elements are computed. The problem must vary (Problem::varies), and each launch must cover the
/// whole batch.
std::vector<kernel::LaunchSize> part_of(const kernel::Program& program, std::uint64_t batch,
                                        std::uint64_t members);

}  // namespace imago::plan
