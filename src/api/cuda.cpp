// This file implements CudaScope and CudaPlan.
#include <imago/cuda.hpp>

#include <algorithm>
#include <utility>

#include "api/owned.hpp"
#include "base/errors.hpp"
#include "cuda/objects.hpp"

namespace imago {
namespace {

template <class State>
State& state_of(const api::Owned<State>& state, const char* name) {
  if (!state) base::invalid(name, "moved from", "use the one that it was moved to");
  return *state;
}

/// A view of memory during one call. OpenCL's handle is its address, and nobody keeps it.
struct View {
  cuda::BufferObject object;

  View(cuda::ContextObject& context, CudaPointer memory, std::size_t bytes) {
    object.context = cuda::Reference(&context);
    object.address = memory;
    object.bytes = bytes;
  }
  /// Null for address 0, which checks of arguments then name.
  cl::Buffer buffer() {
    ++object.references;  // the C++ object's
    return object.address == 0 ? cl::Buffer() : cl::Buffer(cuda::handle_of<cl_mem>(&object));
  }
};

}  // namespace

// The classes are exported, but their states are not.
struct [[gnu::visibility("hidden")]] CudaScope::State {
  cuda::Reference<cuda::ContextObject> context;
};

CudaScope::CudaScope(CudaContext context)
    : state_(api::make_owned<State>(cuda::context_of(context))) {}
CudaScope CudaScope::of_gpu(int gpu) { return CudaScope(cuda::primary_context(gpu)); }
CudaScope::~CudaScope() = default;
CudaScope::CudaScope(CudaScope&&) noexcept = default;
CudaScope& CudaScope::operator=(CudaScope&&) noexcept = default;

cl::Context CudaScope::context() const {
  return cl::Context(cuda::handle_of<cl_context>(state_of(state_, "the scope").context.get()),
                     true);
}

cl::Device CudaScope::device() const {
  return cl::Device(cuda::handle_of<cl_device_id>(state_of(state_, "the scope").context->device),
                    true);
}

cl::CommandQueue CudaScope::queue(CudaStream stream) const {
  const auto queue = state_of(state_, "the scope").context->queue_of(stream);
  return cl::CommandQueue(cuda::handle_of<cl_command_queue>(queue.get()), true);
}

bool CudaScope::is_capturing(CudaStream stream) const {
  const cuda::MadeCurrent current(*state_of(state_, "the scope").context.get());
  if (!current.ok()) cuda::check(cuda::kContextIsDestroyed, "cuCtxPushCurrent");
  int status = 0;
  cuda::check(cuda::driver().stream.is_capturing(stream, &status), "cuStreamIsCapturing");
  return status != 0;
}

cl::Buffer CudaScope::buffer(CudaPointer memory, std::size_t bytes) const {
  if (memory == 0) base::invalid("memory", "0", "give an address in the GPU's memory");
  auto* const object = new cuda::BufferObject;
  object->context = cuda::Reference(state_of(state_, "the scope").context.get());
  object->address = memory;
  object->bytes = bytes;
  return cl::Buffer(cuda::handle_of<cl_mem>(object));
}

struct [[gnu::visibility("hidden")]] CudaPlan::State {
  CudaScope scope;
  Plan plan;
  std::size_t signal_bytes = plan.signal_bytes(), spectrum_bytes = plan.spectrum_bytes();
  cuda::Reference<cuda::ContextObject> context;

  void call(bool inverse, CudaStream stream, CudaPointer from, CudaPointer to, const Call& how)
      const {
    View source(*context.get(), from, inverse ? spectrum_bytes : signal_bytes);
    View target(*context.get(), to, inverse ? signal_bytes : spectrum_bytes);
    const cl::CommandQueue queue = scope.queue(stream);
    inverse ? plan.inverse(queue, source.buffer(), target.buffer(), how)
            : plan.forward(queue, source.buffer(), target.buffer(), how);
  }
  void call(bool inverse, CudaStream stream, CudaPointer data, const Call& how) const {
    View view(*context.get(), data, std::max(signal_bytes, spectrum_bytes));
    const cl::CommandQueue queue = scope.queue(stream);
    inverse ? plan.inverse(queue, view.buffer(), how) : plan.forward(queue, view.buffer(), how);
  }
};

CudaPlan::CudaPlan(Transform transform, const Options& options, const CudaScope& scope) {
  auto* const context = cuda::object_of<cuda::ContextObject>(scope.context()());
  state_ = api::Owned<const State>(
      new State{.scope = CudaScope(context->cuda),
                .plan = Plan(scope.context(), scope.device(), std::move(transform), options),
                .context = cuda::Reference(context)});
}
CudaPlan::~CudaPlan() = default;
CudaPlan::CudaPlan(CudaPlan&&) noexcept = default;
CudaPlan& CudaPlan::operator=(CudaPlan&&) noexcept = default;

void CudaPlan::forward(CudaStream stream, CudaPointer signal, CudaPointer spectrum,
                       const Call& call) const {
  state_of(state_, "the plan").call(false, stream, signal, spectrum, call);
}
void CudaPlan::forward(CudaStream stream, CudaPointer data, const Call& call) const {
  state_of(state_, "the plan").call(false, stream, data, call);
}
void CudaPlan::inverse(CudaStream stream, CudaPointer spectrum, CudaPointer signal,
                       const Call& call) const {
  state_of(state_, "the plan").call(true, stream, spectrum, signal, call);
}
void CudaPlan::inverse(CudaStream stream, CudaPointer data, const Call& call) const {
  state_of(state_, "the plan").call(true, stream, data, call);
}

const Plan& CudaPlan::plan() const { return state_of(state_, "the plan").plan; }
const CudaScope& CudaPlan::scope() const { return state_of(state_, "the plan").scope; }

}  // namespace imago
