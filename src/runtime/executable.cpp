// This file executes a Program on a device.
#include "runtime/executable.hpp"

#include <algorithm>
#include <utility>

#include "base/errors.hpp"
#include "runtime/signature.hpp"

namespace imago::runtime {

/// A launch with its code and its table.
struct Executable::Launch {
  plan::Launch plan;
  ProgramPointer program;
  Signature signature;
  Buffer table;            ///< null: none
  std::size_t object = 0;  ///< index of its kernel in a set

  void set_places(cl_kernel kernel, const Call& call) const;
  /// Whether only the places differ, which are set for each call anyway.
  bool shares_object(const Launch& other) const {
    return plan.step == other.plan.step && plan.table == other.plan.table &&
           plan.batch == other.plan.batch && plan.in.distance == other.plan.in.distance &&
           plan.out.distance == other.plan.out.distance && plan.scale == other.plan.scale;
  }
};

void Executable::Launch::set_places(cl_kernel kernel, const Call& call) const {
  const auto resolve = [&](const plan::Place& place) {
    Array array{call.scratch, nullptr, 0};
    if (place.memory == plan::Memory::input) array = call.input;
    if (place.memory == plan::Memory::output) array = call.output;
    array.offset += place.offset;
    return array;
  };
  signature.set_places(kernel, resolve(plan.in), resolve(plan.out));
}

/// Takes a set of kernels out of the pool and puts it back.
class Executable::Lease {
 public:
  explicit Lease(const Executable& owner) : owner_(owner) {
    {
      const std::lock_guard lock(owner_.mutex_);
      if (!owner_.idle_.empty()) {
        set_ = std::move(owner_.idle_.back());
        owner_.idle_.pop_back();
        return;
      }
    }
    set_ = owner_.make_set();
  }
  ~Lease() {
    const std::lock_guard lock(owner_.mutex_);
    owner_.idle_.push_back(std::move(set_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  const KernelSet& set() const { return set_; }

 private:
  const Executable& owner_;
  KernelSet set_;
};

Executable::~Executable() = default;

Executable::Executable(const Target& target, const plan::Program& program,
                       std::vector<ProgramPointer> kernels, const DiskCache& disk) {
  if (kernels.size() != program.steps.size()) base::internal_error("a kernel per step is expected");
  for (const auto& planned : program.launches) {
    const auto& step = program.steps.at(planned.step);
    Launch launch{planned, kernels.at(planned.step), Signature(step), nullptr};
    const auto like = std::find_if(launches_.begin(), launches_.end(), [&](const Launch& known) {
      return launch.shares_object(known);
    });
    if (like != launches_.end()) {
      launch.table = like->table, launch.object = like->object;
    } else {
      launch.object = objects_++;
      if (step.has_table) launch.table = upload(target, program.tables.at(planned.table), disk);
    }
    launches_.push_back(std::move(launch));
  }
  idle_.push_back(make_set());
}

Executable::KernelSet Executable::make_set() const {
  KernelSet set(objects_);
  for (const auto& launch : launches_) {
    auto& kernel = set[launch.object];
    if (kernel) continue;
    kernel = launch.program->make_kernel();
    launch.signature.set_constants(kernel.get(), launch.table ? launch.table->get() : nullptr,
                                   launch.plan);
  }
  return set;
}

Handle<cl_event> Executable::enqueue(const Call& call) const {
  if (launches_.empty()) {
    cl_event marker = nullptr;
    check(clEnqueueMarkerWithWaitList(call.queue, static_cast<cl_uint>(call.waits.size()),
                                      call.waits.empty() ? nullptr : call.waits.data(), &marker),
          "clEnqueueMarkerWithWaitList");
    return Handle(marker);
  }
  const Lease lease(*this);
  return enqueue_launches(call, lease.set());
}

Handle<cl_event> Executable::enqueue_launches(const Call& call, const KernelSet& set) const {
  Handle<cl_event> previous;
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const auto& launch = launches_[i];
    const bool last = i + 1 == launches_.size();
    const std::size_t group = launch.signature.work_group_size(),
                      items = group * launch.plan.groups;
    cl_event event = nullptr;
    const cl_event before = previous.get();
    std::span<const cl_event> list = i == 0 ? call.waits : std::span(&before, before ? 1 : 0);
    const cl_kernel kernel = set[launch.object].get();
    launch.set_places(kernel, call);
    const cl_int code = clEnqueueNDRangeKernel(
        call.queue, kernel, 1, nullptr, &items, &group, static_cast<cl_uint>(list.size()),
        list.empty() ? nullptr : list.data(), last || !call.in_order ? &event : nullptr);
    if (code != CL_SUCCESS && i > 0) clFinish(call.queue);
    check(code, "clEnqueueNDRangeKernel", launch.program->name());
    previous = Handle(event);
  }
  return previous;
}

}  // namespace imago::runtime
