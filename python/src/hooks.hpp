// This file takes the dataclasses of imago/hooks.py as the hooks that they describe.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include <imago/hooks.hpp>

namespace imago::python {

/// Throws InvalidArgument, with `name` in its text, for an object that is no hook.
std::vector<Hook> hooks_of(nanobind::handle sequence, const std::string& name);

}  // namespace imago::python
