// This file implements Workspace.
#include "api/workspace.hpp"

#include <vector>

#include "base/errors.hpp"
#include "engine/engine.hpp"

namespace imago {

Workspace::State::State(cl_context of, cl_device_id device, std::size_t size) : bytes(size) {
  engine::make_target(of, device);  // checks both
  context = runtime::Handle<cl_context>::shared(of);
  if (bytes == 0) return;
  const auto most = runtime::info<cl_ulong>(clGetDeviceInfo, "clGetDeviceInfo", device,
                                            CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  if (bytes > most) {
    base::unsupported("a workspace of " + std::to_string(bytes) +
                          " bytes is more than the device gives (" + std::to_string(most) + ")",
                      "use a smaller batch or length");
  }
  cl_int code = CL_SUCCESS;
  memory = runtime::Handle(clCreateBuffer(of, CL_MEM_READ_WRITE, bytes, nullptr, &code));
  runtime::check(code, "clCreateBuffer");
}

runtime::Handle<cl_event> Workspace::State::enqueue(const runtime::Executable& executable,
                                                    runtime::Call call) {
  const std::lock_guard lock(mutex_);
  const bool same_queue = last_queue_.get() == call.queue;
  std::vector<cl_event> waits;
  if (last_use_ && !(same_queue && call.in_order)) {
    waits.assign(call.waits.begin(), call.waits.end());
    waits.push_back(last_use_.get());
    call.waits = waits;
  }
  // An event of another queue may be waited for only once that queue was flushed.
  if (last_use_ && !same_queue) runtime::check(clFlush(last_queue_.get()), "clFlush");
  call.scratch = memory.get();
  auto event = executable.enqueue(call);
  if (!same_queue) last_queue_ = runtime::Handle<cl_command_queue>::shared(call.queue);
  last_use_ = runtime::Handle<cl_event>::shared(event.get());
  return event;
}

Workspace::Workspace(const cl::Context& context, const cl::Device& device, std::size_t bytes)
    : state_(std::make_shared<State>(context(), device(), bytes)) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
std::size_t Workspace::bytes() const noexcept { return state_ ? state_->bytes : 0; }

}  // namespace imago
