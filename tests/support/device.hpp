// This file gives the tests a device: the one of IMAGO_DEVICE, else the default. With
// IMAGO_TEST_CUDA, it is the GPU of CUDA's driver, so that any test runs on CUDA's memory and
// streams. Its queues and buffers throw if OpenCL fails, so that a test needs no checks.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <imago/cuda.hpp>
#include <imago/imago.hpp>

#include "runtime/queue.hpp"

namespace imago::test {

inline void check_call(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed: " + std::to_string(code));
}

inline cl::Device device_under_test() {
  return std::getenv("IMAGO_TEST_CUDA") ? CudaScope().device() : find_device();
}

class Device {
 public:
  Device() : device(device_under_test()) {
    cl_int code = CL_SUCCESS;
    context = cl::Context(device, nullptr, nullptr, nullptr, &code);
    check_call(code, "clCreateContext");
    queue = make_queue();
  }

  cl::CommandQueue make_queue(cl_command_queue_properties properties = 0) const {
    // With OpenCL 1.2, because Wine's loader has no later functions.
    return cl::CommandQueue(runtime::make_queue(context(), device(), properties).take());
  }
  cl::CommandQueue out_of_order() const {
    return make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  }
  cl::Buffer allocate(std::size_t bytes) const {
    cl_int code = CL_SUCCESS;
    cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    check_call(code, "clCreateBuffer");
    return buffer;
  }
  template <class T>
  cl::Buffer upload(const std::vector<T>& data) const {
    const auto buffer = allocate(data.size() * sizeof(T));
    check_call(queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, data.size() * sizeof(T), data.data()),
               "clEnqueueWriteBuffer");
    return buffer;
  }
  /// Reads after everything in `queue`.
  template <class T>
  std::vector<T> download(const cl::Buffer& buffer, std::size_t count) const {
    std::vector<T> data(count);
    check_call(queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), data.data()),
               "clEnqueueReadBuffer");
    return data;
  }
  /// Waits for `event`, then reads.
  template <class T>
  std::vector<T> download(const cl::Buffer& buffer, std::size_t count,
                          const cl::Event& event) const {
    check_call(event.wait(), "clWaitForEvents");
    return download<T>(buffer, count);
  }
  bool f64() const { return device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0; }

  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

inline const Device& default_device() {
  static const Device device;
  return device;
}

}  // namespace imago::test
