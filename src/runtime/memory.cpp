// This file allocates device memory.
#include "runtime/memory.hpp"

#include <utility>
#include <vector>

#include "runtime/queue.hpp"

namespace imago::runtime {
namespace {

Handle<cl_mem> allocate_filled(cl_context context, cl_mem_flags access, std::size_t bytes,
                               const void* data) {
  cl_int code = CL_SUCCESS;
  Handle<cl_mem> buffer(clCreateBuffer(context, access | CL_MEM_COPY_HOST_PTR, bytes,
                                       const_cast<void*>(data), &code));
  check(code, "clCreateBuffer");
  return buffer;
}

}  // namespace

Handle<cl_mem> allocate(cl_context context, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  Handle<cl_mem> buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code));
  check(code, "clCreateBuffer");
  return buffer;
}

Handle<cl_mem> allocate_copy(cl_context context, std::size_t bytes, const void* data) {
  return allocate_filled(context, CL_MEM_READ_ONLY, bytes, data);
}

Handle<cl_mem> allocate_zeros(cl_context context, std::size_t bytes) {
  const std::vector<char> zeros(bytes);
  return allocate_filled(context, CL_MEM_READ_WRITE, bytes, zeros.data());
}

std::size_t pattern_of_zeros(cl_device_id device, std::size_t offset, std::size_t bytes) {
  const auto type =
      info<cl_device_type>(clGetDeviceInfo, "clGetDeviceInfo", device, CL_DEVICE_TYPE);
  if (type & CL_DEVICE_TYPE_CPU) return 1;
  const std::size_t both = offset | bytes | kLargestPattern;
  return both & (~both + 1);  // the largest power of two that divides them
}

HostMemory::HostMemory(cl_context context, cl_device_id device, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  queue_ = make_queue(context, device);
  buffer_ = Handle(
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code));
  check(code, "clCreateBuffer");
  data_ = clEnqueueMapBuffer(queue_.get(), buffer_.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                             bytes, 0, nullptr, nullptr, &code);
  check(code, "clEnqueueMapBuffer");
}

HostMemory::HostMemory(HostMemory&& other) noexcept
    : queue_(std::move(other.queue_)),
      buffer_(std::move(other.buffer_)),
      data_(std::exchange(other.data_, nullptr)) {}

HostMemory& HostMemory::operator=(HostMemory&& other) noexcept {
  std::swap(queue_, other.queue_);
  std::swap(buffer_, other.buffer_);
  std::swap(data_, other.data_);
  return *this;
}

HostMemory::~HostMemory() {
  if (!data_) return;
  clEnqueueUnmapMemObject(queue_.get(), buffer_.get(), data_, 0, nullptr, nullptr);
  clFinish(queue_.get());
}

}  // namespace imago::runtime
