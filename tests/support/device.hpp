// This file gives a test a device, a context and queues, and moves data to and from it.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include <imago/host.hpp>

namespace imago::test {

struct Device {
  cl::Device device = find_device();
  cl::Context context = cl::Context(device);
  cl::CommandQueue queue = cl::CommandQueue(context, device);

  cl::CommandQueue out_of_order() const {
    return cl::CommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  }
  template <class T>
  cl::Buffer upload(const std::vector<T>& values) const {
    cl::Buffer buffer(context, CL_MEM_READ_WRITE, values.size() * sizeof(T));
    queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
    return buffer;
  }
  /// Waits for `event`, then reads.
  template <class T>
  std::vector<T> download(const cl::Buffer& buffer, std::size_t count,
                          const cl::Event& event) const {
    std::vector<T> values(count);
    event.wait();
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), values.data());
    return values;
  }
};

}  // namespace imago::test
