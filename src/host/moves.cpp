// This file implements moves of whole arrays.
#include "host/moves.hpp"

#include <algorithm>

namespace imago::host {
namespace {

/// Makes a buffer in the caller's memory.
cl::Buffer lying_there(const QueueSet& queues, cl_mem_flags flags, const HostBytes& memory) {
  if (memory.bytes == 0) return {};
  cl_int code = CL_SUCCESS;
  cl::Buffer made(
      clCreateBuffer(queues.context, CL_MEM_USE_HOST_PTR | flags, memory.bytes, memory.data, &code),
      false);
  runtime::check(code, "clCreateBuffer");
  return made;
}

/// Returns the input memory; in place it holds input and output.
HostBytes source(const Move& move) {
  return {move.from.data,
          move.in_place() ? std::max(move.from.bytes, move.to.bytes) : move.from.bytes};
}

/// Waits for a queue if an exception leaves commands in it, because they use the caller's memory.
class Settled {
 public:
  explicit Settled(const QueueSet& queues) : queues_(queues) {}
  ~Settled() { queues_.settle(); }
  Settled(const Settled&) = delete;
  Settled& operator=(const Settled&) = delete;

 private:
  const QueueSet& queues_;
};

bool may_overwrite(const Move& move) { return move.overwritten && move.in_place(); }

void read(const QueueSet& queues, const cl::Buffer& from, const HostBytes& to) {
  if (to.bytes == 0) return;
  runtime::check(clEnqueueReadBuffer(queues.queue()(), from(), CL_TRUE, 0, to.bytes, to.data, 0,
                                     nullptr, nullptr),
                 "clEnqueueReadBuffer");
}

void write(const QueueSet& queues, const cl::Buffer& to, const HostBytes& from) {
  runtime::check(clEnqueueWriteBuffer(queues.queue()(), to(), CL_FALSE, 0, from.bytes, from.data, 0,
                                      nullptr, nullptr),
                 "clEnqueueWriteBuffer");
}

}  // namespace

/// Allows several buffers in the same memory if it is only read. OpenCL leaves that undefined, but
/// a device with separate memory would see the same data.
void in_callers_memory(const QueueSet& queues, const Move& move, const Pool::Work& work) {
  const bool one = move.in_place();
  const auto from = lying_there(queues, one ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY, source(move));
  const auto to = one ? from : lying_there(queues, CL_MEM_READ_WRITE, move.to);
  const Settled settled(queues);
  if (may_overwrite(move)) *move.overwritten = true;
  work(queues.queue(), from, to);
  // Reading a buffer to its own memory makes the device's writes visible to the host. It copies
  // nothing if both are the same memory.
  read(queues, to, move.to);
}

void by_copies(QueueSet& queues, const Move& move, const Pool::Work& work, std::size_t most) {
  const bool one = move.in_place();
  const HostBytes all = source(move);
  const Slot& slot = queues.slots(1, {all.bytes, one ? 0 : move.to.bytes}, most).front();
  const cl::Buffer none;
  const cl::Buffer& from = all.bytes == 0 ? none : slot.from.buffer();
  const cl::Buffer& to = one ? from : move.to.bytes == 0 ? none : slot.to.buffer();
  const Settled settled(queues);
  if (all.bytes > 0) write(queues, from, all);
  if (move.has_gaps && !one) write(queues, to, move.to);
  work(queues.queue(), from, to);
  if (may_overwrite(move)) {  // a failure before this leaves the input intact
    runtime::check(clFinish(queues.queue()()), "clFinish");
    *move.overwritten = true;
  }
  read(queues, to, move.to);
}

}  // namespace imago::host
