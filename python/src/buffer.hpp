// This file sees a Python object as an array in host memory, by Python's buffer protocol.
#pragma once

#include <Python.h>

#include <cstddef>
#include <span>

namespace imago::python {

/// What an array's elements are, and where they lie.
struct View {
  std::span<const Py_ssize_t> extents, strides;  ///< strides in bytes
  bool complex = false, doubles = false;
  bool aligned = true;

  std::size_t element_bytes() const {
    return (doubles ? sizeof(double) : sizeof(float)) * (complex ? 2 : 1);
  }
};

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
  View view() const;

 private:
  Py_buffer view_{};
  bool complex_ = false, doubles_ = false;
};

/// Contiguous memory of any elements, held while it lives. Made and destroyed with the GIL.
class HostBytes {
 public:
  /// Throws InvalidArgument, with `name` in its text, for an array that is not contiguous in C's
  /// order, and for one that cannot be written if it must.
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
