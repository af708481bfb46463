// This file implements moves of whole arrays.
#include "host/moves.hpp"

#include <algorithm>

namespace imago::host {
namespace {

/// In the caller's memory.
cl::Buffer lying_there(const QueueSet& queues, cl_mem_flags flags, const HostBytes& memory) {
  if (memory.bytes == 0) return {};
  cl_int code = CL_SUCCESS;
  cl::Buffer made(
      clCreateBuffer(queues.context, CL_MEM_USE_HOST_PTR | flags, memory.bytes, memory.data, &code),
      false);
  runtime::check(code, "clCreateBuffer");
  return made;
}

/// Of what is read; in place it holds both sides.
HostBytes source(const Move& move) {
  return {move.from.data,
          move.in_place() ? std::max(move.from.bytes, move.to.bytes) : move.from.bytes};
}

/// Waits for a queue where an exception leaves commands in it: they use the caller's memory.
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

/// Several buffers may lie in memory that is only read: what OpenCL leaves undefined there is what
/// a device with memory of its own would see.
void in_callers_memory(const QueueSet& queues, const Move& move, const Pool::Work& work) {
  const bool one = move.in_place();
  const auto from = lying_there(queues, one ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY, source(move));
  const auto to = one ? from : lying_there(queues, CL_MEM_READ_WRITE, move.to);
  const Settled settled(queues);
  if (may_overwrite(move)) *move.overwritten = true;
  work(queues.queue(), from, to);
  // Reading a buffer to where it lies makes the host see what the device wrote, and copies nothing
  // where both are the same memory.
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
  if (may_overwrite(move)) {  // what fails before this is seen in time
    runtime::check(clFinish(queues.queue()()), "clFinish");
    *move.overwritten = true;
  }
  read(queues, to, move.to);
}

}  // namespace imago::host
