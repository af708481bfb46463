// This file converts the arguments of hooks, which a Python call passes in addition to its arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include <imago/plan.hpp>

#include "session.hpp"

namespace imago::python {

/// Converts a dictionary from names to numbers and contiguous host arrays. The arrays are copied to
/// the device.
std::vector<Argument> host_arguments(const Session& session, const nanobind::dict& values);
/// Converts a dictionary from names to numbers and pairs of a buffer's address and an offset in
/// elements.
std::vector<Argument> device_arguments(const nanobind::dict& values);

}  // namespace imago::python
