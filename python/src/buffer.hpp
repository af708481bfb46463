// This file accesses a Python object as an array in host memory, by Python's buffer protocol.
#pragma once

#include <Python.h>

#include <cstddef>
#include <span>

namespace imago::python {

/// The element type, the shape and the strides of an array.
struct View {
  std::span<const Py_ssize_t> extents, strides;  ///< strides in bytes
  bool complex = false, doubles = false;
  bool aligned = true;

  std::size_t element_bytes() const {
    return (doubles ? sizeof(double) : sizeof(float)) * (complex ? 2 : 1);
  }
};

/// An array in host memory. It holds the object's memory. Construct and destroy it with the GIL.
class HostArray {
 public:
  /// Throws InvalidArgument, with `name` in its text, unless the elements are float, double or
  /// complex pairs of these in native byte order. Throws Python's error if `written` is true and
  /// the array is read-only.
  HostArray(PyObject* object, const char* name, bool written);
  ~HostArray() { PyBuffer_Release(&view_); }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;

  void* data() const { return view_.buf; }
  View view() const;

 private:
  Py_buffer view_{};
  bool complex_ = false, doubles_ = false;
};

/// Contiguous memory of any elements. It holds the object's memory. Construct and destroy it with
/// the GIL.
class HostBytes {
 public:
  /// Throws InvalidArgument, with `name` in its text, for an array that is not C-contiguous, and
  /// for a read-only array if `written` is true.
  HostBytes(PyObject* object, const char* name, bool written);
  ~HostBytes() { PyBuffer_Release(&view_); }
  HostBytes(const HostBytes&) = delete;
  HostBytes& operator=(const HostBytes&) = delete;

  void* data() const { return view_.buf; }
  std::size_t bytes() const { return static_cast<std::size_t>(view_.len); }

 private:
  Py_buffer view_{};
};

}  // namespace imago::python
