// This file is imago._core, a thin layer: the Python modules interpret the arguments.
#include "bindings.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The functions of the C++ library for imago's Python package.";
  imago::python::add_errors(m);
  imago::python::add_process(m);
  imago::python::add_devices(m);
  imago::python::add_session(m);
  imago::python::add_small(m);
  imago::python::add_plan(m);
  imago::python::add_convolution(m);
  imago::python::add_sparse(m);
  imago::python::add_stream(m);
  imago::python::add_nufft(m);
  imago::python::add_cuda(m);
  imago::python::add_exact(m);
}
