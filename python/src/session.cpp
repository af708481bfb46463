// This file implements Session.
#include "session.hpp"

#include <algorithm>

#include "facts.hpp"

namespace imago::python {
namespace {

/// Plans that are kept: each holds compiled kernels, some kilobytes, and a workspace.
constexpr std::size_t kMostPlans = 512;
/// Of a device's memory, for the workspaces of the plans that are kept.
constexpr std::size_t kWorkspaceShare = 8;

cl::Context context_of(const cl::Device& device) {
  cl_int code = CL_SUCCESS;
  cl::Context context(device, nullptr, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  return context;
}

cl::Buffer buffer(const cl::Context& context, cl_mem_flags flags, std::size_t bytes, void* host) {
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(context(), flags, bytes, host, &code), false);
  check(code, "clCreateBuffer");
  return made;
}

/// Waits for a queue where an exception leaves commands in it: they use the caller's memory.
class Settled {
 public:
  explicit Settled(cl_command_queue queue) : queue_(queue) {}
  ~Settled() {
    if (queue_) clFinish(queue_);
  }
  Settled(const Settled&) = delete;
  Settled& operator=(const Settled&) = delete;
  void done() { queue_ = nullptr; }

 private:
  cl_command_queue queue_;
};

void enqueue_on(const cl::CommandQueue& queue, const Plan& plan, const Problem& problem,
                const Array& from, const Array& to, const Call& call) {
  if (problem.in_place && problem.inverse)
    plan.inverse(queue, to, call);
  else if (problem.in_place)
    plan.forward(queue, to, call);
  else if (problem.inverse)
    plan.inverse(queue, from, to, call);
  else
    plan.forward(queue, from, to, call);
}

/// At least so many bytes; what a lane has is used again.
const cl::Buffer& grown(const cl::Context& context, cl::Buffer& held, std::size_t& size,
                        std::size_t bytes) {
  if (size < bytes) {
    held = {};
    held = buffer(context, CL_MEM_READ_WRITE, bytes, nullptr);
    size = bytes;
  }
  return held;
}

}  // namespace

Session::Session(const cl::Device& device) : Session(device, context_of(device)) {}

Session::Session(const cl::Device& device, const cl::Context& context)
    : device_(device),
      context_(context),
      doubles_(number_of<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0),
      host_memory_(number_of<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU),
      lanes_(context_, device_),
      plans_(kMostPlans, number_of<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE) / kWorkspaceShare) {
}

PlanCache::Shared Session::plan_of(const Problem& problem, const std::string& key) {
  return plans_.get(key, [&]() -> PlanCache::Make {
    return [context = context_, device = device_, transform = problem.transform()] {
      return Plan(context, device, transform);
    };
  });
}

void Session::run(const Problem& problem, void* from, void* to) {
  const Memory read{from, problem.from_bytes()}, written{to, problem.to_bytes()};
  if (host_memory_) {
    const auto plan = plan_of(problem);
    in_memory_of_caller(
        read, written,
        [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& out) {
          enqueue_on(queue, *plan, problem, in, out, {});
        });
  } else {
    run_in_slices(problem, read, written);
  }
  ++computed_;
}

void Session::enqueue(const DeviceCall& device_call, const cl::CommandQueue& queue,
                      const Array& from, const Array& to, const Call& call) {
  const auto plan = plan_of(device_call.problem, device_call.key);
  enqueue_on(queue, *plan, device_call.problem, from, to, call);
  ++computed_;
}

cl::Buffer Session::buffer_of(const Memory& memory) const {
  const cl_mem_flags copied = memory.data ? CL_MEM_COPY_HOST_PTR : 0;
  return buffer(context_, CL_MEM_READ_WRITE | copied, memory.bytes, memory.data);
}

void Session::on_buffers(const Memory& from, const Memory& to, const Work& work) {
  if (host_memory_)
    in_memory_of_caller(from, to, work);
  else
    by_copies(from, to, {{0, from.bytes, 0, to.bytes}},
              [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& out,
                  std::size_t) { work(queue, in, out); });
  ++computed_;
}

void Session::on_signal(const Memory& from, const Reading& work) {
  const auto lane = lanes_.borrow();
  const cl_mem_flags how = host_memory_ ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR;
  const auto signal = buffer(context_, how | CL_MEM_READ_ONLY, from.bytes, from.data);
  Settled settled(lane->queue());
  work(lane->queue, signal);
  ++computed_;
}

/// A CPU device works in the caller's memory. Several buffers may lie in memory that is only read:
/// what OpenCL leaves undefined there is what a device with memory of its own would see.
void Session::in_memory_of_caller(const Memory& from, const Memory& to, const Work& work) {
  const bool one = from.data == to.data;
  const cl_mem_flags flags = one ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
  const auto from_buffer = buffer(context_, CL_MEM_USE_HOST_PTR | flags, from.bytes, from.data);
  const auto to_buffer =
      one ? from_buffer
          : buffer(context_, CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE, to.bytes, to.data);
  const auto lane = lanes_.borrow();
  Settled settled(lane->queue());
  work(lane->queue, from_buffer, to_buffer);
  // Reading a buffer to where it lies makes the host see what the device wrote, and copies nothing
  // where both are the same memory.
  check(clEnqueueReadBuffer(lane->queue(), to_buffer(), CL_TRUE, 0, to.bytes, to.data, 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  settled.done();
}

/// Behind one another, in as many pieces as there are slices: what one needs of host memory,
/// another neither reads nor writes.
void Session::by_copies(const Memory& from, const Memory& to, const std::vector<Slice>& slices,
                        const SliceWork& work) {
  const bool one = from.data == to.data;
  const auto lane = lanes_.borrow();
  const cl::Buffer& from_buffer = grown(context_, lane->from, lane->from_bytes, from.bytes);
  const cl::Buffer& to_buffer =
      one ? from_buffer : grown(context_, lane->to, lane->to_bytes, to.bytes);
  const auto compute = [&](std::size_t slice) { work(lane->queue, from_buffer, to_buffer, slice); };
  Settled settled(lane->queue());
  if (from.bytes + to.bytes >= Staging::kLeastBytes) {
    lane->staging.run({from.data, from_buffer}, {to.data, to_buffer}, slices, compute);
    settled.done();
    return;
  }
  check(clEnqueueWriteBuffer(lane->queue(), from_buffer(), CL_FALSE, 0, from.bytes, from.data, 0,
                             nullptr, nullptr),
        "clEnqueueWriteBuffer");
  for (std::size_t i = 0; i < slices.size(); ++i) compute(i);
  check(clEnqueueReadBuffer(lane->queue(), to_buffer(), CL_TRUE, 0, to.bytes, to.data, 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  settled.done();
}

/// A batch goes in slices, so that one is computed while others come and go.
void Session::run_in_slices(const Problem& problem, const Memory& from, const Memory& to) {
  const Slicing slicing = problem.slicing(Staging::slice_bytes(from.bytes));
  const auto plan = plan_of(problem.first(slicing.entries));
  const auto last = plan_of(problem.first(slicing.last_entries));
  by_copies(from, to, slicing.slices,
            [&](const cl::CommandQueue& queue, const cl::Buffer& in, const cl::Buffer& out,
                std::size_t i) {
              const Slice& slice = slicing.slices[i];
              const bool ends = i + 1 == slicing.slices.size();
              enqueue_on(queue, ends ? *last : *plan, problem,
                         Array(in, slice.from / problem.from_element_bytes()),
                         Array(out, slice.to / problem.to_element_bytes()), {});
            });
}

}  // namespace imago::python
