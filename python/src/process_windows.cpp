// This file is for Windows, whose processes are not forked: a driver is never lost.
#include <nanobind/nanobind.h>

#include "bindings.hpp"
#include "gil.hpp"
#include "process.hpp"

namespace imago::python {

bool driver_is_lost() { return false; }

void use_driver() {}

void call_at_exit(void (*)()) {}  // Windows ends the threads before

void add_process(nanobind::module_& m) {
  find_main_thread();
  m.def("use_driver", &use_driver);
  m.def("after_fork", [](bool) {});
}

}  // namespace imago::python
