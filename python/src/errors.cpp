// This file translates imago's exceptions to Python's.
#include <imago/error.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "bindings.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

PyObject* g_error = nullptr;  // NOLINT: the translator needs it; the module keeps it alive

/// Replaces values of C++'s enumerations by Python's arguments: Kind::real becomes kind='real'.
std::string in_python(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kArguments[] = {
      {"Kind::", "kind"},       {"Precision::", "dtype"},       {"F64::", "f64"},
      {"Storage::", "storage"}, {"Directions::", "directions"}, {"SparseMethod::", "method"}};
  for (const auto& [name, argument] : kArguments) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
      const auto begin = at + name.size();
      const auto end = std::min(text.find_first_of(" ,.;)", begin), text.size());
      std::string value = text.substr(begin, end - begin);
      if (argument == "dtype" && value[0] == 'f') value.replace(0, 1, "float");
      text.replace(at, end - at, std::string(argument) + "='" + value + "'");
    }
  }
  return text;
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InvalidArgument& e) {
    PyErr_SetString(PyExc_ValueError, in_python(e.what()).c_str());
  } catch (const Unsupported& e) {
    PyErr_SetString(PyExc_NotImplementedError, in_python(e.what()).c_str());
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
