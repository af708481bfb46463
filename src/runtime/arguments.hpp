// This file sets the arguments of a kernel in order.
#pragma once

#include <cstddef>

#include "runtime/opencl.hpp"

namespace imago::runtime {

class Arguments {
 public:
  explicit Arguments(cl_kernel kernel, cl_uint first = 0) : kernel_(kernel), next_(first) {}
  template <class T>
  Arguments& value(const T& value) {
    check(clSetKernelArg(kernel_, next_++, sizeof value, &value), "clSetKernelArg");
    return *this;
  }
  /// Reserves local memory.
  Arguments& local(std::size_t bytes) {
    check(clSetKernelArg(kernel_, next_++, bytes, nullptr), "clSetKernelArg");
    return *this;
  }

 private:
  cl_kernel kernel_;
  cl_uint next_;
};

}  // namespace imago::runtime
