// This file takes what a call of Python's brings along beside its arrays: the arguments of hooks.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include <imago/plan.hpp>

#include "session.hpp"

namespace imago::python {

/// Of a dictionary from names to numbers and contiguous host arrays, which are copied.
std::vector<Argument> host_arguments(const Session& session, const nanobind::dict& values);
/// Of one to numbers and pairs: a buffer's address and the elements before the first.
std::vector<Argument> device_arguments(const nanobind::dict& values);

}  // namespace imago::python
