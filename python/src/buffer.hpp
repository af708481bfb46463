// This file sees a Python object as an array in host memory, by Python's buffer protocol.
#pragma once

#include <Python.h>

#include <cstddef>
#include <span>

namespace imago::python {

/// Holds the object's memory while it lives. Made and destroyed with the GIL.
class HostArray {
 public:
  /// Throws InvalidArgument, with `name` in its text, for anything but an array of float or double
  /// numbers or pairs of them in native byte order, and for one that cannot be written if it must.
  HostArray(PyObject* object, const char* name, bool written);
  ~HostArray() { PyBuffer_Release(&view_); }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;

  void* data() const { return view_.buf; }
  std::size_t element_bytes() const { return static_cast<std::size_t>(view_.itemsize); }
  bool is_complex() const { return complex_; }
  bool is_double() const { return double_; }
  /// Along each dimension: the number of elements, and bytes from one to the next.
  std::span<const Py_ssize_t> extents() const { return {view_.shape, dimensions()}; }
  std::span<const Py_ssize_t> strides() const { return {view_.strides, dimensions()}; }
  std::size_t dimensions() const { return static_cast<std::size_t>(view_.ndim); }

 private:
  Py_buffer view_{};
  bool complex_ = false, double_ = false;
};

}  // namespace imago::python
