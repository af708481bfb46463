// This file implements Workspace.
#include "api/workspace.hpp"

#include <functional>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "api/owned.hpp"
#include "base/errors.hpp"
#include "base/pages.hpp"
#include "cuda/objects.hpp"
#include "engine/engine.hpp"
#include "runtime/memory.hpp"
#include "runtime/memory_facts.hpp"

namespace imago {
namespace {

constexpr std::align_val_t kHugeAlignment{base::kHugePage};

/// Returns a buffer on huge pages for a device that computes in the host's memory; none if the
/// driver takes no memory of the host.
runtime::Handle<cl_mem> on_huge_pages(cl_context context, std::size_t bytes) {
  const std::size_t whole = (bytes + base::kHugePage - 1) / base::kHugePage * base::kHugePage;
  const auto release = [](void* memory) { ::operator delete(memory, kHugeAlignment); };
  std::unique_ptr<void, decltype(release)> memory(::operator new(whole, kHugeAlignment), release);
  base::use_huge_pages(memory.get(), whole);
  cl_int code = CL_SUCCESS;
  runtime::Handle buffer(
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory.get(), &code));
  if (code != CL_SUCCESS) return {};
  // Commands may use the buffer after its last owner released it.
  code = clSetMemObjectDestructorCallback(
      buffer.get(), [](cl_mem, void* used) { ::operator delete(used, kHugeAlignment); },
      memory.get());
  runtime::check(code, "clSetMemObjectDestructorCallback");
  memory.release();
  return buffer;
}

}  // namespace

Workspace::State::State(cl_context of, cl_device_id device, std::size_t size) : bytes(size) {
  engine::make_target(of, device);  // checks both handles
  context = runtime::Handle<cl_context>::shared(of);
  counters = runtime::allocate_zeros(of, kernel::kCounterBytes);
  if (bytes == 0) return;
  const auto most = runtime::info<cl_ulong>(clGetDeviceInfo, "clGetDeviceInfo", device,
                                            CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  if (bytes > most) {
    base::unsupported("a workspace of " + std::to_string(bytes) +
                          " bytes is larger than the device's largest buffer (" +
                          std::to_string(most) + ")",
                      "use a smaller batch or length");
  }
  const auto type =
      runtime::info<cl_device_type>(clGetDeviceInfo, "clGetDeviceInfo", device, CL_DEVICE_TYPE);
  if ((type & CL_DEVICE_TYPE_CPU) != 0 && bytes >= 2 * base::kHugePage) {
    memory = on_huge_pages(of, bytes);
    if (memory) return;
  }
  cl_int code = CL_SUCCESS;
  memory = runtime::Handle(clCreateBuffer(of, CL_MEM_READ_WRITE, bytes, nullptr, &code));
  runtime::check(code, "clCreateBuffer");
}

Workspace::State::State(cl_mem shared) {
  if (!shared) base::invalid("memory", "null", "give a buffer");
  const auto facts = runtime::facts_of(shared);
  if (!facts.is_buffer)
    base::invalid("memory", "not a buffer", "give a buffer, not an image or a pipe");
  if (facts.flags & (CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY))
    base::invalid("memory", "a buffer that is only read or only written",
                  "create it with CL_MEM_READ_WRITE");
  context = runtime::Handle<cl_context>::shared(facts.context);
  bytes = facts.bytes;
  memory = runtime::Handle<cl_mem>::shared(shared);
  is_callers = true;
  counters = runtime::allocate_zeros(facts.context, kernel::kCounterBytes);
}

Workspace::State::~State() {
  // Large memory of CUDA is released at once, for which CUDA's driver may or may not wait.
  const cl_event last = last_use_.get();
  if (last && cuda::is_context(context.get())) clWaitForEvents(1, &last);
}

bool api::has_failed(cl_event event) {
  return runtime::info<cl_int>(clGetEventInfo, "clGetEventInfo", event,
                               CL_EVENT_COMMAND_EXECUTION_STATUS) < 0;
}

/// Makes the call wait for the last use. In one in-order queue there is nothing to do. If the call
/// is in another queue and the last use created no event, a marker in the old queue replaces it.
void Workspace::State::wait_for_last_use(runtime::Call& call, std::vector<cl_event>& waits) {
  const bool same_queue = last_queue_.get() == call.queue;
  if (!last_queue_ || (same_queue && call.in_order)) return;
  if (last_use_ && api::has_failed(last_use_.get())) return;
  if (!last_use_) {
    cl_event marker = nullptr;
    runtime::check(clEnqueueMarkerWithWaitList(last_queue_.get(), 0, nullptr, &marker),
                   "clEnqueueMarkerWithWaitList");
    last_use_ = runtime::Handle(marker);
  }
  waits.assign(call.waits.begin(), call.waits.end());
  waits.push_back(last_use_.get());
  call.waits = waits;
  // A queue must be flushed before another queue waits for its events.
  if (!same_queue) runtime::check(clFlush(last_queue_.get()), "clFlush");
}

runtime::Handle<cl_event> Workspace::State::enqueue(const runtime::Executable& executable,
                                                    runtime::Call call,
                                                    runtime::Executable::Lease& lease) {
  const auto use = [&](const runtime::Call& ordered, runtime::Enqueued& enqueued) {
    runtime::Call own = ordered;
    own.scratch = {memory.get(), counters.get()};
    executable.enqueue(own, lease, enqueued);
  };
  return enqueue(call, std::ref(use));  // a copy would allocate memory
}

runtime::Handle<cl_event> Workspace::State::enqueue(runtime::Call call, const Use& use) {
  const std::lock_guard lock(mutex_);
  std::vector<cl_event> waits;
  wait_for_last_use(call, waits);
  // A stream of CUDA may be destroyed before the next use could make a marker in it.
  if (cuda::is_context(context.get())) call.wants_event = true;
  runtime::Enqueued enqueued;
  // Needed also if the call throws, because commands that it enqueued use this memory.
  const auto remember = [&] {
    if (enqueued.commands == 0) return;
    // The commands run when the graph is launched, and those of the last use may still run.
    if (cuda::was_captured(enqueued.last.get())) return;
    if (last_queue_.get() != call.queue)
      last_queue_ = runtime::Handle<cl_command_queue>::shared(call.queue);
    last_use_ = runtime::Handle<cl_event>();
    if (enqueued.last) last_use_ = runtime::Handle<cl_event>::shared(enqueued.last.get());
  };
  try {
    use(call, enqueued);
  } catch (...) {
    remember();
    throw;
  }
  remember();
  return std::move(enqueued.last);
}

Workspace::Workspace(const cl::Context& context, const cl::Device& device, std::size_t bytes)
    : state_(api::make_owned<State>(context(), device(), bytes)) {}
Workspace::Workspace(const cl::Buffer& memory) : state_(api::make_owned<State>(memory())) {}
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;
std::size_t Workspace::bytes() const noexcept { return state_ ? state_->bytes : 0; }

}  // namespace imago
