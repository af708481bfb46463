// This file gives the tests of the clFFT replacement a device, and plans that are destroyed at the
// end. The tests include clFFT.h and OpenCL but nothing of imago, like clients.
#pragma once

#include <clFFT.h>

#include <complex>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace imago::test::clfft {

inline void must(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(call) + ": " + std::to_string(code));
}

/// The first device of the first platform (or another device of it), with a context and a queue.
class Bench {
 public:
  explicit Bench(cl_command_queue_properties properties = 0) {
    cl_platform_id platform = nullptr;
    must(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    cl_uint count = 0;
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), "clGetDeviceIDs");
    devices.resize(count);
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr),
         "clGetDeviceIDs");
    cl_int code = CL_SUCCESS;
    context = clCreateContext(nullptr, count, devices.data(), nullptr, nullptr, &code);
    must(code, "clCreateContext");
    queue = make_queue(0, properties);
  }
  ~Bench() {
    for (cl_mem memory : memories_) clReleaseMemObject(memory);
    for (cl_command_queue made : queues_) clReleaseCommandQueue(made);
    clReleaseContext(context);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  cl_command_queue make_queue(std::size_t device, cl_command_queue_properties properties = 0) {
    cl_int code = CL_SUCCESS;
    // The function of OpenCL 1.2, which every loader has.
    queues_.push_back(clCreateCommandQueue(context, devices.at(device), properties, &code));
    must(code, "clCreateCommandQueue");
    return queues_.back();
  }
  cl_mem allocate(std::size_t bytes) {
    cl_int code = CL_SUCCESS;
    memories_.push_back(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code));
    must(code, "clCreateBuffer");
    return memories_.back();
  }
  template <class T>
  cl_mem upload(const std::vector<T>& data) {
    const cl_mem memory = allocate(data.size() * sizeof(T));
    must(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, data.size() * sizeof(T), data.data(), 0,
                              nullptr, nullptr),
         "clEnqueueWriteBuffer");
    return memory;
  }
  template <class T>
  std::vector<T> download(cl_mem memory, std::size_t count) {
    std::vector<T> data(count);
    must(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, count * sizeof(T), data.data(), 0, nullptr,
                             nullptr),
         "clEnqueueReadBuffer");
    return data;
  }

  std::vector<cl_device_id> devices;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

 private:
  std::vector<cl_mem> memories_;
  std::vector<cl_command_queue> queues_;
};

/// A plan of packed complex numbers in place, as clFFT creates it.
class ClientPlan {
 public:
  ClientPlan(const Bench& bench, const std::vector<std::size_t>& lengths) {
    REQUIRE(clfftCreateDefaultPlan(&handle, bench.context, static_cast<clfftDim>(lengths.size()),
                                   lengths.data()) == CLFFT_SUCCESS);
  }
  ~ClientPlan() {
    if (handle != 0) clfftDestroyPlan(&handle);
  }
  ClientPlan(const ClientPlan&) = delete;
  ClientPlan& operator=(const ClientPlan&) = delete;

  clfftStatus bake(cl_command_queue queue) {
    return clfftBakePlan(handle, 1, &queue, nullptr, nullptr);
  }
  /// Runs in order, without events.
  clfftStatus run(cl_command_queue queue, clfftDirection direction, cl_mem in, cl_mem out = nullptr,
                  cl_mem temporary = nullptr) {
    return clfftEnqueueTransform(handle, direction, 1, &queue, 0, nullptr, nullptr, &in,
                                 out ? &out : nullptr, temporary);
  }

  clfftPlanHandle handle = 0;
};

}  // namespace imago::test::clfft
