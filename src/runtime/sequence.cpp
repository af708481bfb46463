// This file enqueues commands that run one after another.
#include "runtime/sequence.hpp"

#include <utility>

#include "runtime/memory.hpp"

namespace imago::runtime {

Sequence::Sequence(const KnownQueue& queue, bool waits_after_error, std::span<const cl_event> waits,
                   std::vector<Traced>* trace)
    : queue_(queue.get()),
      device_(queue.device()),
      // Drivers let a failed event fail later commands only through wait lists.
      in_order_(queue.in_order() && waits.empty()),
      waits_after_error_(waits_after_error),
      waits_(waits.begin(), waits.end()),
      trace_(trace) {}
Sequence::Sequence(cl_command_queue queue, std::vector<Traced>* trace)
    : Sequence(KnownQueue(queue), true, {}, trace) {}
Sequence::Sequence(const KnownQueue& queue, std::span<const cl_event> waits)
    : Sequence(queue, false, waits, nullptr) {}

void Sequence::record(const char* name, Handle<cl_event> event) {
  ++commands_;
  wants_event_ = false;
  waits_.clear();
  held_.clear();
  last_ = std::move(event);
  if (last_ && !in_order_) waits_.push_back(last_.get());
  if (trace_) trace_->push_back({name, last()});
}

void Sequence::wait_after_error() const {
  if (waits_after_error_ && commands_ > 0) clFinish(queue_);
}

template <class Enqueue>
void Sequence::next(const char* call, const char* kernel, Enqueue enqueue) {
  cl_event event = nullptr;
  const cl_int code =
      enqueue(static_cast<cl_uint>(waits_.size()), waits_.empty() ? nullptr : waits_.data(),
              makes_event() ? &event : nullptr);
  if (code != CL_SUCCESS) wait_after_error();
  check(code, call, kernel);
  record(*kernel ? kernel : call, Handle(event));
}

void Sequence::launch(const KernelLaunch& launch) {
  const std::size_t items = launch.groups * launch.group_size;
  next("clEnqueueNDRangeKernel", launch.name,
       [&](cl_uint count, const cl_event* events, cl_event* event) {
         return clEnqueueNDRangeKernel(queue_, launch.kernel, 1, nullptr, &items,
                                       &launch.group_size, count, events, event);
       });
}

void Sequence::clear(const Clear& part) {
  const char zeros[kLargestPattern] = {};
  const std::size_t pattern = pattern_of_zeros(device_, part.offset, part.bytes);
  next("clEnqueueFillBuffer", "", [&](cl_uint count, const cl_event* events, cl_event* event) {
    return clEnqueueFillBuffer(queue_, part.memory, zeros, pattern, part.offset, part.bytes, count,
                               events, event);
  });
}

void Sequence::copy(const Copy& parts) {
  next("clEnqueueCopyBuffer", "", [&](cl_uint count, const cl_event* events, cl_event* event) {
    return clEnqueueCopyBuffer(queue_, parts.from, parts.to, parts.from_offset, parts.to_offset,
                               parts.bytes, count, events, event);
  });
}

void Sequence::run(const Executable& executable, Call call) {
  run([&](std::span<const cl_event> waits, bool wants_event) {
    call.queue = queue_;
    call.in_order = in_order_;
    call.waits = waits;
    call.wants_event = wants_event;
    return executable.enqueue(call);
  });
}

void Sequence::run(
    const std::function<Handle<cl_event>(std::span<const cl_event>, bool)>& enqueue) {
  try {
    record("program", enqueue(waits_, makes_event()));
  } catch (...) {
    wait_after_error();
    throw;
  }
}

void Sequence::wait_for(Handle<cl_event> event) {
  waits_.push_back(event.get());
  held_.push_back(std::move(event));
}

Handle<cl_event> Sequence::last() const { return Handle<cl_event>::shared(last_.get()); }

Handle<cl_event> Sequence::marker() {
  want_event();
  next("clEnqueueMarkerWithWaitList", "",
       [&](cl_uint count, const cl_event* events, cl_event* event) {
         return clEnqueueMarkerWithWaitList(queue_, count, events, event);
       });
  return last();
}

Handle<cl_event> Sequence::mark() {
  auto event = marker();
  check(clFlush(queue_), "clFlush");
  return event;
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
