// This file implements moves of whole arrays.
#include "host/moves.hpp"

#include <algorithm>

namespace imago::host {
namespace {

cl::Buffer buffer(cl_context context, cl_mem_flags flags, std::size_t bytes, void* host) {
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(context, flags, bytes, host, &code), false);
  runtime::check(code, "clCreateBuffer");
  return made;
}

/// Waits for a queue where an exception leaves commands in it: they use the caller's memory.
class Settled {
 public:
  explicit Settled(const Lane& lane) : lane_(lane) {}
  ~Settled() { lane_.settle(); }
  Settled(const Settled&) = delete;
  Settled& operator=(const Settled&) = delete;

 private:
  const Lane& lane_;
};

void read(const Lane& lane, const cl::Buffer& from, const Move& move) {
  runtime::check(
      clEnqueueReadBuffer(lane.queue.get(), from(), CL_TRUE, move.to_begin,
                          move.to.bytes - move.to_begin,
                          static_cast<char*>(move.to.data) + move.to_begin, 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
}

void write(const Lane& lane, const cl::Buffer& to, const HostBytes& from) {
  runtime::check(clEnqueueWriteBuffer(lane.queue.get(), to(), CL_FALSE, 0, from.bytes, from.data, 0,
                                      nullptr, nullptr),
                 "clEnqueueWriteBuffer");
}

}  // namespace

/// Several buffers may lie in memory that is only read: what OpenCL leaves undefined there is what
/// a device with memory of its own would see.
void in_callers_memory(const Lane& lane, const Move& move, const Pool::Work& work) {
  const bool one = move.from.data == move.to.data;
  const cl_mem_flags flags = CL_MEM_USE_HOST_PTR | (one ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY);
  const std::size_t bytes = one ? std::max(move.from.bytes, move.to.bytes) : move.from.bytes;
  const auto from = buffer(lane.context, flags, bytes, move.from.data);
  const auto to = one ? from
                      : buffer(lane.context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE, move.to.bytes,
                               move.to.data);
  const Settled settled(lane);
  work(cl::CommandQueue(lane.queue.get(), true), from, to);
  // Reading a buffer to where it lies makes the host see what the device wrote, and copies nothing
  // where both are the same memory.
  read(lane, to, {move.from, move.to});
}

void by_copies(Lane& lane, const Move& move, const Pool::Work& work) {
  const bool one = move.from.data == move.to.data;
  const std::size_t bytes = one ? std::max(move.from.bytes, move.to.bytes) : move.from.bytes;
  const auto from = buffer(lane.context, CL_MEM_READ_WRITE, bytes, nullptr);
  const auto to = one ? from : buffer(lane.context, CL_MEM_READ_WRITE, move.to.bytes, nullptr);
  const Settled settled(lane);
  write(lane, from, {move.from.data, bytes});
  if (move.to_has_gaps && !one) write(lane, to, move.to);
  work(cl::CommandQueue(lane.queue.get(), true), from, to);
  read(lane, to, move);
}

}  // namespace imago::host
