// This file is imago._core, as thin as it can be: what arguments mean is decided in Python.
#include "bindings.hpp"

NB_MODULE(_core, m) {
  m.doc() = "What imago's Python package calls in the C++ library.";
  imago::python::add_errors(m);
  imago::python::add_process(m);
  imago::python::add_devices(m);
  imago::python::add_session(m);
  imago::python::add_plan(m);
  imago::python::add_convolution(m);
  imago::python::add_sparse(m);
}
