// This file enqueues commands that run one after another.
#include "runtime/sequence.hpp"

#include <utility>

namespace imago::runtime {

Sequence::Sequence(cl_command_queue queue, bool in_order, std::vector<Traced>* trace)
    : queue_(queue), in_order_(in_order), trace_(trace) {}

void Sequence::chain(const char* name, Handle<cl_event> event) {
  ++commands_;
  waits_.clear();
  held_.clear();
  last_ = std::move(event);
  if (last_ && !in_order_) waits_.push_back(last_.get());
  if (trace_) trace_->push_back({name, Handle<cl_event>::shared(last_.get())});
}

template <class Enqueue>
void Sequence::next(const char* call, const char* kernel, Enqueue enqueue, bool wants_event) {
  cl_event event = nullptr;
  const cl_int code =
      enqueue(static_cast<cl_uint>(waits_.size()), waits_.empty() ? nullptr : waits_.data(),
              in_order_ && !trace_ && !wants_event ? nullptr : &event);
  if (code != CL_SUCCESS && commands_ > 0) clFinish(queue_);
  check(code, call, kernel);
  chain(*kernel ? kernel : call, Handle(event));
}

void Sequence::launch(const KernelLaunch& launch) {
  const std::size_t items = launch.groups * launch.group_size;
  next("clEnqueueNDRangeKernel", launch.name,
       [&](cl_uint count, const cl_event* events, cl_event* event) {
         return clEnqueueNDRangeKernel(queue_, launch.kernel, 1, nullptr, &items,
                                       &launch.group_size, count, events, event);
       });
}

void Sequence::run(const Executable& executable, Call call) {
  call.queue = queue_;
  call.in_order = in_order_;
  call.waits = waits_;
  call.wants_event = trace_ != nullptr;
  try {
    chain("program", executable.enqueue(call));
  } catch (...) {
    if (commands_ > 0) clFinish(queue_);
    throw;
  }
}

void Sequence::wait_for(Handle<cl_event> event) {
  waits_.push_back(event.get());
  held_.push_back(std::move(event));
}

Handle<cl_event> Sequence::mark() {
  next(
      "clEnqueueMarkerWithWaitList", "",
      [&](cl_uint count, const cl_event* events, cl_event* event) {
        return clEnqueueMarkerWithWaitList(queue_, count, events, event);
      },
      true);
  check(clFlush(queue_), "clFlush");
  return Handle<cl_event>::shared(last_.get());
}

void Sequence::write(cl_mem memory, std::size_t offset, std::size_t bytes, const void* data) {
  next("clEnqueueWriteBuffer", "", [&](cl_uint count, const cl_event* events, cl_event* event) {
    return clEnqueueWriteBuffer(queue_, memory, CL_FALSE, offset, bytes, data, count, events,
                                event);
  });
}

void Sequence::read(cl_mem memory, std::size_t offset, std::size_t bytes, void* data) {
  next("clEnqueueReadBuffer", "", [&](cl_uint count, const cl_event* events, cl_event* event) {
    return clEnqueueReadBuffer(queue_, memory, CL_TRUE, offset, bytes, data, count, events, event);
  });
}

}  // namespace imago::runtime
