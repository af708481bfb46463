// This file implements Session.
#include "session.hpp"

#include <chrono>
#include <variant>

#include "facts.hpp"
#include "interrupts.hpp"

namespace imago::python {
namespace {

/// Maximum number of cached plans. Each holds compiled kernels, some kilobytes, and a workspace.
constexpr std::size_t kMostPlans = 512;
/// The workspaces of cached plans may take this part (1/8) of the device's memory.
constexpr std::size_t kWorkspaceShare = 8;

/// Calls forward() or inverse() of a plan, as the problem requires: a Plan in a queue, or a
/// HostPlan.
template <class Computes, class From, class To, class... More>
void compute(const Computes& plan, const Problem& problem, const From& from, const To& to,
             const More&... more) {
  if (problem.in_place && problem.inverse)
    plan.inverse(to, more...);
  else if (problem.in_place)
    plan.forward(to, more...);
  else if (problem.inverse)
    plan.inverse(from, to, more...);
  else
    plan.forward(from, to, more...);
}

thread_local bool compiling_first = false;

/// Returns the plan when its own kernels are built, if the thread wants that.
template <class Kind>
std::shared_ptr<const Kind> ready_if_wanted(std::shared_ptr<const Kind> plan) {
  if (compiling_first && !plan->ready())
    wait_interruptibly([plan](std::chrono::milliseconds most) { return plan->wait(most); });
  return plan;
}

/// A plan and the queue for its calls.
struct InQueue {
  const Plan& plan;
  const cl::CommandQueue& queue;
  template <class... Arguments>
  void forward(const Arguments&... arguments) const {
    plan.forward(queue, arguments...);
  }
  template <class... Arguments>
  void inverse(const Arguments&... arguments) const {
    plan.inverse(queue, arguments...);
  }
};

Owned<PlanCache> plans_for(const cl::Device& device) {
  const auto memory = number_of<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto bytes_of = [](const AnyPlan& kept) {
    return std::visit([](const auto& plan) { return plan.workspace_bytes(); }, kept);
  };
  return owned<PlanCache>(base::CacheLimits{kMostPlans, memory / kWorkspaceShare}, bytes_of,
                          base::CacheWaiting{work_interruptibly, wait_interruptibly});
}

/// Returns a cached plan as a plan of this kind.
template <class Kind>
std::shared_ptr<const Kind> as(const PlanCache::Shared& kept) {
  return {kept, &std::get<Kind>(*kept)};
}

}  // namespace

void compile_first(bool wanted) { compiling_first = wanted; }

Options first_options() {
  Options options;
  options.first_call = compiling_first ? FirstCall::compile : FirstCall::automatic;
  return options;
}

Session::Session(const cl::Device& device) : Session(Pool({device})) {}

Session::Session(const cl::Device& device, const cl::Context& context)
    : Session(Pool(context, device)) {}

Session::Session(Pool pool)
    : pool_(owned<Pool>(std::move(pool))),
      doubles_(number_of<cl_device_fp_config>(device(), CL_DEVICE_DOUBLE_FP_CONFIG) != 0),
      plans_(plans_for(device())) {}

/// Plans for host arrays and for device arrays share the cache.
std::shared_ptr<const HostPlan> Session::host_plan_of(const Problem& problem) {
  return ready_if_wanted(as<HostPlan>(plans_->get("host " + problem.key(), [&] {
    return [pool = *pool_, transform = problem.transform(), options = first_options()] {
      return HostPlan(pool, transform, {.plan = options, .small = false});
    };
  })));
}

std::shared_ptr<const Plan> Session::plan_of(const DeviceCall& device_call) {
  return ready_if_wanted(as<Plan>(plans_->get(device_call.key, [&] {
    return [context = context(), device = device(), transform = device_call.problem.transform(),
            options = first_options()] { return Plan(context, device, transform, options); };
  })));
}

void Session::run(const Problem& problem, void* from, void* to) {
  const auto plan = host_plan_of(problem);
  // Python's side has checked types and sizes.
  const std::size_t sizes[] = {plan->signal_bytes(), plan->spectrum_bytes()};
  count(plan->ready());
  compute(*plan, problem, ConstHostArray(from, sizes[problem.inverse]),
          imago::HostArray(to, sizes[!problem.inverse]));
  ++computed_;
}

void Session::enqueue(const DeviceCall& device_call, const cl::CommandQueue& queue,
                      const Array& from, const Array& to, const Call& call) {
  const auto plan = plan_of(device_call);
  count(plan->ready());
  compute(InQueue{*plan, queue}, device_call.problem, from, to, call);
  ++computed_;
}

void Session::enqueue_apart(const DeviceCall& device_call, const cl::CommandQueue& queue,
                            const Array& from, const Array& to) {
  Options options = first_options();
  options.first_call = FirstCall::compile;  // a graph keeps its kernels
  auto plan = owned<Plan>(context(), device(), device_call.problem.transform(), options);
  compute(InQueue{*plan, queue}, device_call.problem, from, to, Call{});
  ++computed_;
  const std::lock_guard lock(apart_mutex_);
  apart_.push_back(std::move(plan));
}

cl::Buffer Session::buffer_of(const Memory& memory) const {
  const cl_mem_flags copied = memory.data ? CL_MEM_COPY_HOST_PTR : 0;
  cl_int code = CL_SUCCESS;
  cl::Buffer made(
      clCreateBuffer(context()(), CL_MEM_READ_WRITE | copied, memory.bytes, memory.data, &code),
      false);
  check(code, "clCreateBuffer");
  return made;
}

cl::CommandQueue Session::queue() const {
  cl_int code = CL_SUCCESS;
  cl::CommandQueue made(context(), device(), cl::QueueProperties::None, &code);
  check(code, "clCreateCommandQueue");
  return made;
}

void Session::on_buffers(const Memory& from, const Memory& to, const Pool::Work& work) {
  pool_->on_buffers(from, to, work);
  ++computed_;
}

void Session::on_signal(const Memory& from, const Reading& work) {
  pool_->on_buffers(
      from, {}, [&](const cl::CommandQueue& queue, const cl::Buffer& signal, const cl::Buffer&) {
        work(queue, signal);
      });
  ++computed_;
}

}  // namespace imago::python
