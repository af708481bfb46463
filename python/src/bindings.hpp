// This file lists the parts of imago._core. Each function adds its names to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace imago::python {

void add_errors(nanobind::module_& m);
void add_process(nanobind::module_& m);
void add_devices(nanobind::module_& m);
void add_session(nanobind::module_& m);
void add_small(nanobind::module_& m);
void add_plan(nanobind::module_& m);
void add_convolution(nanobind::module_& m);
void add_sparse(nanobind::module_& m);
void add_stream(nanobind::module_& m);
void add_nufft(nanobind::module_& m);
void add_cuda(nanobind::module_& m);
void add_exact(nanobind::module_& m);

}  // namespace imago::python
