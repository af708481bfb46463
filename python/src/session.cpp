// This file implements Session.
#include "session.hpp"

#include <algorithm>

#include "opencl.hpp"

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

template <class T>
T info(const cl::Device& device, cl_device_info name) {
  T value{};
  check(clGetDeviceInfo(device(), name, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
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

void enqueue(const Plan& plan, const Lane& lane, bool inverse, const cl::Buffer& from,
             const cl::Buffer& to) {
  if (inverse)
    plan.inverse(lane.queue, from, to);
  else
    plan.forward(lane.queue, from, to);
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

Session::Session(const cl::Device& device)
    : device_(device),
      context_(context_of(device)),
      doubles_(info<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0),
      host_memory_(info<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU),
      lanes_(context_, device_),
      plans_(kMostPlans, info<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE) / kWorkspaceShare) {}

PlanCache::Shared Session::plan_of(const Problem& problem) {
  return plans_.get(problem.key(), [&] { return Plan(context_, device_, problem.transform()); });
}

std::string Session::describe(const Problem& problem) { return plan_of(problem)->describe(); }

void Session::run(const Problem& problem, void* from, void* to) {
  const auto plan = plan_of(problem);
  if (host_memory_)
    run_in_place_of_caller(problem, *plan, from, to);
  else
    run_by_copies(problem, *plan, from, to);
  ++computed_;
}

/// A CPU device works in the caller's memory. Several buffers may lie in memory that is only read:
/// what OpenCL leaves undefined there is what a device with memory of its own would see.
void Session::run_in_place_of_caller(const Problem& problem, const Plan& plan, void* from,
                                     void* to) {
  const auto from_buffer =
      buffer(context_, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, problem.from_bytes(), from);
  const std::size_t to_bytes = problem.to_bytes();
  const auto to_buffer = buffer(context_, CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE, to_bytes, to);
  const auto lane = lanes_.borrow();
  Settled settled(lane->queue());
  enqueue(plan, *lane, problem.inverse, from_buffer, to_buffer);
  // Reading a buffer to where it lies makes the host see what the device wrote, and copies nothing
  // where both are the same memory.
  check(clEnqueueReadBuffer(lane->queue(), to_buffer(), CL_TRUE, 0, to_bytes, to, 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  settled.done();
}

void Session::run_by_copies(const Problem& problem, const Plan& plan, const void* from, void* to) {
  const std::size_t from_bytes = problem.from_bytes(), to_bytes = problem.to_bytes();
  const auto lane = lanes_.borrow();
  const cl::Buffer& from_buffer = grown(context_, lane->from, lane->from_bytes, from_bytes);
  const cl::Buffer& to_buffer = grown(context_, lane->to, lane->to_bytes, to_bytes);
  Settled settled(lane->queue());
  check(clEnqueueWriteBuffer(lane->queue(), from_buffer(), CL_FALSE, 0, from_bytes, from, 0,
                             nullptr, nullptr),
        "clEnqueueWriteBuffer");
  enqueue(plan, *lane, problem.inverse, from_buffer, to_buffer);
  check(clEnqueueReadBuffer(lane->queue(), to_buffer(), CL_TRUE, 0, to_bytes, to, 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  settled.done();
}

}  // namespace imago::python
