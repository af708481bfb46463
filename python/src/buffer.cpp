// This file implements HostArray.
#include "buffer.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <string_view>

#include <imago/error.hpp>

namespace imago::python {

HostArray::HostArray(PyObject* object, const char* name, bool written) {
  const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (written ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(object, &view_, flags) != 0) throw nanobind::python_error();
  std::string_view format = view_.format ? view_.format : "B";
  // NumPy's marks of native byte order, and of elements that may have any alignment.
  if (format.starts_with('@') || format.starts_with('=') || format.starts_with('^'))
    format.remove_prefix(1);
  complex_ = format.starts_with('Z');
  const std::string_view number = format.substr(complex_ ? 1 : 0);
  doubles_ = number == "d";
  if (!doubles_ && number != "f") {
    const std::string text(format);
    PyBuffer_Release(&view_);
    throw InvalidArgument(std::string(name) + " has elements of type '" + text +
                          "'; they must be float32, float64, complex64 or complex128 in native "
                          "byte order");
  }
}

View HostArray::view() const {
  const auto dimensions = static_cast<std::size_t>(view_.ndim);
  View seen{{view_.shape, dimensions}, {view_.strides, dimensions}, complex_, doubles_, true};
  seen.aligned = reinterpret_cast<std::uintptr_t>(view_.buf) % seen.element_bytes() == 0;
  return seen;
}

HostBytes::HostBytes(PyObject* object, const char* name, bool written) {
  if (PyObject_GetBuffer(object, &view_, PyBUF_C_CONTIGUOUS | (written ? PyBUF_WRITABLE : 0)) !=
      0) {
    PyErr_Clear();
    if (written && PyObject_GetBuffer(object, &view_, PyBUF_C_CONTIGUOUS) == 0) {
      PyBuffer_Release(&view_);
      throw InvalidArgument(std::string(name) + " is read-only; it must be writable");
    }
    PyErr_Clear();
    throw InvalidArgument(std::string(name) +
                          " is not C-contiguous; give a contiguous array, such as a copy");
  }
}

}  // namespace imago::python
