// This file converts the dataclasses of imago/hooks.py to hooks.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include <imago/hooks.hpp>

namespace imago::python {

/// Throws InvalidArgument, with `name` in its text, for an object that is not a hook.
std::vector<Hook> hooks_of(nanobind::handle sequence, const std::string& name);

}  // namespace imago::python
