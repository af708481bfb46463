// This file implements the functions of fields.hpp that are not templates.
#include "fields.hpp"

namespace nb = nanobind;

namespace imago::python {

std::string described(nb::handle value, const std::string& name) {
  return name + " is " + nb::repr(value).c_str();
}

void throw_type_error(nb::handle value, const std::string& name, const std::string& allowed) {
  throw nb::type_error((described(value, name) + "; it must be " + allowed).c_str());
}

nb::object whole_of(nb::handle value, const std::string& name, const char* range) {
  // nanobind alone would truncate fractions of NumPy numbers, and parse the digits of strings.
  PyObject* const whole = PyNumber_Index(value.ptr());
  if (!whole) {
    PyErr_Clear();
    throw_type_error(value, name, std::string("a whole number from ") + range);
  }
  return nb::steal(whole);
}

std::vector<nb::object> elements_of(nb::handle value, const std::string& name,
                                    const char* allowed) {
  PyObject* const list = PySequence_List(value.ptr());
  if (!list) {
    PyErr_Clear();
    throw_type_error(value, name, allowed);
  }
  std::vector<nb::object> elements;
  for (const nb::handle element : nb::steal<nb::list>(list))
    elements.push_back(nb::borrow(element));
  return elements;
}

}  // namespace imago::python
