// This file gives a step's kernel its arguments.
#include "runtime/signature.hpp"

#include <imago/error.hpp>

#include "base/log.hpp"

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
  Arguments& skip() {
    ++next_;
    return *this;
  }

 private:
  cl_kernel kernel_;
  cl_uint next_;
};

void launch_empty(const Target& target, const plan::Step& step, cl_kernel kernel) {
  constexpr std::size_t kBytes = 64;  // never read
  cl_int code = CL_SUCCESS;
  const Handle<cl_mem> memory(
      clCreateBuffer(target.context, CL_MEM_READ_WRITE, kBytes, nullptr, &code));
  check(code, "clCreateBuffer");
  const Handle<cl_command_queue> queue(
      clCreateCommandQueue(target.context, target.device, 0, &code));
  check(code, "clCreateCommandQueue");
  plan::Launch nothing;
  nothing.batch = 0;
  const Signature signature(step);
  signature.set_constants(kernel, memory.get(), nothing);
  signature.set_places(kernel, memory.get(), 0, memory.get(), 0);
  const std::size_t items = signature.work_group_size();
  check(
      clEnqueueNDRangeKernel(queue.get(), kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel");
  check(clFinish(queue.get()), "clFinish");
}

}  // namespace

Signature::Signature(const plan::Step& step)
    : work_group_size_(step.work_group_size()),
      has_table_(step.has_table),
      scaled_(step.scaled),
      precision_(step.precision) {}

void Signature::set_constants(cl_kernel kernel, cl_mem table, const plan::Launch& launch) const {
  Arguments arguments(kernel, 2);
  if (has_table_) arguments.value(table);
  arguments.value(static_cast<cl_int>(launch.batch))
      .skip()
      .value(static_cast<cl_long>(launch.in.distance))
      .skip()
      .value(static_cast<cl_long>(launch.out.distance));
  if (!scaled_) return;
  if (precision_ == Precision::f64) {
    arguments.value(static_cast<cl_double>(launch.scale));
  } else {
    arguments.value(static_cast<cl_float>(launch.scale));
  }
}

void Signature::set_places(cl_kernel kernel, cl_mem in, std::uint64_t in_offset, cl_mem out,
                           std::uint64_t out_offset) const {
  const cl_uint in_offset_index = 3 + (has_table_ ? 1 : 0);
  Arguments(kernel).value(in).value(out);
  Arguments(kernel, in_offset_index)
      .value(static_cast<cl_long>(in_offset))
      .skip()
      .value(static_cast<cl_long>(out_offset));
}

void rehearse(const Target& target, const plan::Step& step, cl_kernel kernel) {
  try {
    launch_empty(target, step, kernel);
  } catch (const Error& error) {
    base::log(LogLevel::debug, "rehearsal of " + step.name() + ": " + error.what());
  }
}

}  // namespace imago::runtime
