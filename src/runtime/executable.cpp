// This file executes a Program on a device.
#include "runtime/executable.hpp"

#include <utility>

#include "base/errors.hpp"

namespace imago::runtime {
namespace {

/// Sets the arguments of a kernel one after the other.
class Arguments {
 public:
  explicit Arguments(cl_kernel kernel, cl_uint first = 0) : kernel_(kernel), next_(first) {}
  template <class T>
  Arguments& value(const T& value) {
    check(clSetKernelArg(kernel_, next_++, sizeof value, &value), "clSetKernelArg");
    return *this;
  }
  Arguments& local(std::size_t bytes) {
    check(clSetKernelArg(kernel_, next_++, bytes, nullptr), "clSetKernelArg");
    return *this;
  }
  Arguments& skip() {
    ++next_;
    return *this;
  }

 private:
  cl_kernel kernel_;
  cl_uint next_;
};

}  // namespace

/// A launch with its code and its table. The signature is documented at plan::Place.
struct Executable::Launch {
  plan::Launch plan;
  ProgramPointer program;
  Buffer table;                 ///< null: none
  std::size_t local_bytes = 0;  ///< 0: none
  std::size_t group = 1;        ///< work-items
  bool scaled = false;
  Precision precision = Precision::f32;

  cl_uint first_scalar() const { return 2 + (table ? 1 : 0) + (local_bytes > 0 ? 1 : 0); }
  void set_constants(cl_kernel kernel) const;
  void set_places(cl_kernel kernel, const Call& call) const;
};

void Executable::Launch::set_constants(cl_kernel kernel) const {
  Arguments arguments(kernel, 2);
  if (table) arguments.value(table->get());
  if (local_bytes > 0) arguments.local(local_bytes);
  arguments.value(static_cast<cl_int>(plan.batch))
      .skip()
      .value(static_cast<cl_long>(plan.in.distance))
      .skip()
      .value(static_cast<cl_long>(plan.out.distance));
  if (!scaled) return;
  if (precision == Precision::f64) {
    arguments.value(static_cast<cl_double>(plan.scale));
  } else {
    arguments.value(static_cast<cl_float>(plan.scale));
  }
}

void Executable::Launch::set_places(cl_kernel kernel, const Call& call) const {
  const auto resolve = [&](const plan::Place& place) -> std::pair<cl_mem, cl_long> {
    switch (place.memory) {
      case plan::Memory::input:
        return {call.input, place.offset + call.in_offset};
      case plan::Memory::output:
        return {call.output, place.offset + call.out_offset};
      case plan::Memory::scratch:
        break;
    }
    return {call.scratch, place.offset};
  };
  const auto [in, in_offset] = resolve(plan.in);
  const auto [out, out_offset] = resolve(plan.out);
  Arguments(kernel).value(in).value(out);
  Arguments(kernel, first_scalar() + 1).value(in_offset).skip().value(out_offset);
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
                       std::vector<ProgramPointer> kernels) {
  if (kernels.size() != program.steps.size()) base::internal_error("a kernel per step is expected");
  for (const auto& planned : program.launches) {
    const auto& step = program.steps.at(planned.step);
    Launch launch;
    launch.plan = planned;
    launch.program = kernels.at(planned.step);
    if (step.has_table) launch.table = upload(target.context, program.tables.at(planned.table));
    launch.local_bytes = step.local_bytes();
    launch.group = step.work_group_size();
    launch.scaled = step.scaled;
    launch.precision = step.precision;
    launches_.push_back(std::move(launch));
  }
  idle_.push_back(make_set());
}

Executable::KernelSet Executable::make_set() const {
  KernelSet set;
  for (const auto& launch : launches_) {
    set.push_back(launch.program->make_kernel());
    launch.set_constants(set.back().get());
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
    const std::size_t group = launch.group, items = group * launch.plan.groups;
    cl_event event = nullptr;
    const cl_event before = previous.get();
    std::span<const cl_event> list = i == 0 ? call.waits : std::span(&before, before ? 1 : 0);
    launch.set_places(set[i].get(), call);
    const cl_int code = clEnqueueNDRangeKernel(
        call.queue, set[i].get(), 1, nullptr, &items, &group, static_cast<cl_uint>(list.size()),
        list.empty() ? nullptr : list.data(), last || !call.in_order ? &event : nullptr);
    if (code != CL_SUCCESS && i > 0) clFinish(call.queue);
    check(code, "clEnqueueNDRangeKernel", launch.program->name());
    previous = Handle(event);
  }
  return previous;
}

}  // namespace imago::runtime
