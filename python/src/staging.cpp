// This file implements Staging.
#include "staging.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "opencl.hpp"

namespace imago::python {
namespace {

constexpr std::size_t kHalfBytes = std::size_t{32} << 20;
// One thread does not fill the bus of a GPU, and it meets each page of new memory alone.
constexpr unsigned kMostThreads = 8;
constexpr std::size_t kLeastBytesOfThread = std::size_t{1} << 20;

void copy(void* to, const void* from, std::size_t bytes) {
  const std::size_t threads =
      std::clamp<std::size_t>(bytes / kLeastBytesOfThread, 1,
                              std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads));
  const std::size_t share = (bytes + threads - 1) / threads;
  const auto part = [&](std::size_t i) {
    const std::size_t begin = std::min(bytes, i * share), end = std::min(bytes, begin + share);
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                end - begin);
  };
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(part, i);
  part(0);
}

}  // namespace

Staging::~Staging() {
  for (Half& half : halves_) {
    if (half.host) clEnqueueUnmapMemObject(queue_(), half.pinned(), half.host, 0, nullptr, nullptr);
  }
  if (queue_()) clFinish(queue_());
}

void Staging::prepare() {
  for (Half& half : halves_) {
    if (half.host) continue;
    cl_int code = CL_SUCCESS;
    half.pinned = cl::Buffer(clCreateBuffer(context_(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                            kHalfBytes, nullptr, &code),
                             false);
    check(code, "clCreateBuffer");
    half.host = clEnqueueMapBuffer(queue_(), half.pinned(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                   kHalfBytes, 0, nullptr, nullptr, &code);
    check(code, "clEnqueueMapBuffer");
  }
}

void Staging::wait(Half& half) {
  if (!half.used()) return;
  const cl_event event = half.used();
  check(clWaitForEvents(1, &event), "clWaitForEvents");
  half.used = {};
}

void Staging::write(const cl::Buffer& to, const void* from, std::size_t bytes) {
  prepare();
  for (std::size_t begin = 0, i = 0; begin < bytes; begin += kHalfBytes, ++i) {
    Half& half = halves_[i % 2];
    const std::size_t size = std::min(kHalfBytes, bytes - begin);
    wait(half);
    copy(half.host, static_cast<const char*>(from) + begin, size);
    cl_event event = nullptr;
    check(
        clEnqueueWriteBuffer(queue_(), to(), CL_FALSE, begin, size, half.host, 0, nullptr, &event),
        "clEnqueueWriteBuffer");
    half.used = cl::Event(event, false);
    check(clFlush(queue_()), "clFlush");
  }
}

void Staging::read(const cl::Buffer& from, void* to, std::size_t bytes) {
  prepare();
  const auto enqueue = [&](std::size_t begin) {
    Half& half = halves_[begin / kHalfBytes % 2];
    cl_event event = nullptr;
    check(clEnqueueReadBuffer(queue_(), from(), CL_FALSE, begin,
                              std::min(kHalfBytes, bytes - begin), half.host, 0, nullptr, &event),
          "clEnqueueReadBuffer");
    half.used = cl::Event(event, false);
    check(clFlush(queue_()), "clFlush");
  };
  if (bytes > 0) enqueue(0);
  for (std::size_t begin = 0; begin < bytes; begin += kHalfBytes) {
    if (bytes - begin > kHalfBytes) enqueue(begin + kHalfBytes);
    Half& half = halves_[begin / kHalfBytes % 2];
    wait(half);
    copy(static_cast<char*>(to) + begin, half.host, std::min(kHalfBytes, bytes - begin));
  }
}

}  // namespace imago::python
