// This file translates imago's exceptions to Python's.
#include <imago/error.hpp>

#include "bindings.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

PyObject* g_error = nullptr;  // NOLINT: the translator needs it; the module keeps it alive

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InvalidArgument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const Unsupported& e) {
    PyErr_SetString(PyExc_NotImplementedError, e.what());
  } catch (const DeviceError& e) {
    std::string text = e.what();
    if (!e.build_log().empty()) text += "\n" + e.build_log();
    PyErr_SetString(g_error, text.c_str());
  } catch (const Error& e) {
    PyErr_SetString(g_error, e.what());
  }
}

}  // namespace

void add_errors(nb::module_& m) {
  g_error = PyErr_NewExceptionWithDoc("imago.Error",
                                      "Raised if OpenCL fails or a device computes wrong results.",
                                      PyExc_RuntimeError, nullptr);
  m.attr("Error") = nb::steal(g_error);
  nb::register_exception_translator(translate);
}

}  // namespace imago::python
