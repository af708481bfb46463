// This file lays out the steps of the work-group mapping.
#pragma once

#include <cstdint>
#include <string>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "kernel/step.hpp"
#include "lines/request.hpp"

namespace imago::plan {

void lay_out_work_group(kernel::Step& step, const lines::Request& request,
                        const Parameters& parameters, std::size_t kernel,
                        const device::Facts& facts);
std::uint64_t tiles_of_work_group(const kernel::Step& step, std::uint64_t batch);
std::string describe_work_group(const kernel::Step& step);

}  // namespace imago::plan
