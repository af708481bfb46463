// This file gives a step's kernel its arguments.
#include "runtime/signature.hpp"

#include <algorithm>
#include <vector>

#include <imago/error.hpp>

#include "base/log.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"

namespace imago::runtime {
namespace {

// A larger kernel is not worth the memory: it is compiled for its work-group when it first runs.
constexpr std::size_t kMostRehearsed = std::size_t{256} << 20;

/// Elements of one batch member, from the first to the last that a kernel touches.
std::size_t span(const plan::Step& step) {
  const plan::EdgeFacts load = step.at_load(), store = step.at_store();
  // A lone element lies beside the points of the convolution.
  const bool more = load.one_more || store.one_more || step.convolution.lone_element;
  const std::uint64_t last = step.length - (more ? 0 : 1);
  std::uint64_t in = last * step.in.stride, out = last * step.out.stride;
  if (load.numbered) in = load.elements * step.in.line_stride();
  if (store.numbered) out = store.elements * step.out.line_stride();
  if (step.in.elements == plan::Elements::pairs) in += step.in.pair_stride;
  if (step.out.elements == plan::Elements::pairs) out += step.out.pair_stride;
  for (const auto& column : step.columns) {
    in += (column.extent - 1) * plan::base_stride(step.at_load(), column.in);
    out += (column.extent - 1) * plan::base_stride(step.at_store(), column.out);
  }
  return std::max(in, out) + 1;
}

void launch_once(const Target& target, const plan::Kernel& code, std::size_t table_bytes,
                 std::size_t data_bytes, cl_kernel kernel) {
  const auto data = allocate(target.context, data_bytes);
  // Places in a table must lie inside of memory, as zeros do.
  const std::vector<char> zeros(std::max<std::size_t>(table_bytes, 1));
  const auto table = allocate_copy(target.context, zeros.size(), zeros.data());
  const auto counters = allocate_zeros(target.context, plan::kCounterBytes);
  const auto queue = make_queue(target.context, target.device);
  const SidePlace everywhere{{data.get(), data.get(), 0}, 0};
  if (code.one_launch()) Arguments(kernel).value(counters.get());
  cl_uint first = code.one_launch() ? 1 : 0;
  for (const plan::Step& step : code.phases) {
    const Signature signature(step, first);
    signature.set_constants(kernel, table.get(), plan::Launch());
    signature.set_places(kernel, everywhere, everywhere);
    if (code.one_launch()) signature.set_groups(kernel, 1);
    first = signature.end() + 1;
  }
  const std::size_t group = code.phases.front().work_group_size(),
                    items = group * code.phases.size();
  check(
      clEnqueueNDRangeKernel(queue.get(), kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel", code.name());
  check(clFinish(queue.get()), "clFinish");
}

/// The driver takes no launch of the kernel, here or later; anything else may be the rehearsal's.
bool is_refusal(const DeviceError& error) {
  return !error.kernel().empty() &&
         (error.code() == CL_OUT_OF_RESOURCES || error.code() == CL_INVALID_WORK_GROUP_SIZE);
}

}  // namespace

Signature::Signature(const plan::Step& step, cl_uint first)
    : first_(first),
      work_group_size_(step.work_group_size()),
      in_planar_(step.in.planar),
      out_planar_(step.out.planar),
      has_table_(step.has_table),
      scaled_(step.scaled),
      precision_(step.precision) {
  if (step.in.hooked) in_hooked_ = step.in.hooked->arguments;
  if (step.out.hooked) out_hooked_ = step.out.hooked->arguments;
  if (step.convolution.hooked) turn_hooked_ = step.convolution.hooked->arguments;
}

void Signature::set_constants(cl_kernel kernel, cl_mem table, const plan::Launch& launch) const {
  Arguments arguments(kernel, first_ + memories());
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

cl_uint Signature::memories() const { return 2u + in_planar_ + out_planar_; }

cl_uint Signature::hooks() const {
  return first_ + memories() + (has_table_ ? 1 : 0) + 5 + (scaled_ ? 1 : 0);
}

cl_uint Signature::end() const {
  cl_uint end = hooks();
  for (const auto* hooked : {&in_hooked_, &out_hooked_, &turn_hooked_}) {
    if (!*hooked) continue;
    ++end;
    for (const plan::KernelArgument& argument : **hooked) end += argument.is_buffer() ? 2 : 1;
  }
  return end;
}

void Signature::set_hooks(cl_kernel kernel, const SidePlace& in, const SidePlace& out,
                          std::uint64_t turn, std::span<const HookValue> values) const {
  Arguments arguments(kernel, hooks());
  const auto set_number = [&](const plan::KernelArgument& argument, double number) {
    if (argument.type == plan::KernelArgument::Type::integer)
      arguments.value(static_cast<cl_int>(number));
    else if (precision_ == Precision::f64)
      arguments.value(static_cast<cl_double>(number));
    else
      arguments.value(static_cast<cl_float>(number));
  };
  const auto set_side = [&](const auto& hooked, std::uint64_t origin) {
    if (!hooked) return;
    arguments.value(static_cast<cl_long>(origin));
    for (const plan::KernelArgument& argument : *hooked) {
      const HookValue& value = values[argument.number];
      if (argument.is_buffer())
        arguments.value(value.buffer).value(static_cast<cl_long>(value.offset));
      else
        set_number(argument, value.number);
    }
  };
  set_side(in_hooked_, in.array.offset);
  set_side(out_hooked_, out.array.offset);
  set_side(turn_hooked_, turn);
}

void Signature::set_groups(cl_kernel kernel, std::uint64_t groups) const {
  Arguments(kernel, end()).value(static_cast<cl_int>(groups));
}

void Signature::set_places(cl_kernel kernel, const SidePlace& in, const SidePlace& out) const {
  const cl_uint in_offset_index = first_ + memories() + 1 + (has_table_ ? 1 : 0);
  Arguments memories(kernel, first_);
  memories.value(in.array.memory);
  if (in_planar_) memories.value(in.array.im);
  memories.value(out.array.memory);
  if (out_planar_) memories.value(out.array.im);
  // Of hooked sides the offset counts elements of the packed array.
  const auto offset = [](const SidePlace& side, bool hooked) {
    return static_cast<cl_long>(side.offset + (hooked ? 0 : side.array.offset));
  };
  Arguments(kernel, in_offset_index)
      .value(offset(in, in_hooked_.has_value()))
      .skip()
      .value(offset(out, out_hooked_.has_value()));
}

void rehearse(const Target& target, const plan::Kernel& code, std::size_t table_bytes,
              cl_kernel kernel) {
  std::size_t bytes = 0;
  // What hooks read is the caller's.
  if (std::any_of(code.phases.begin(), code.phases.end(), [](const plan::Step& step) {
        return step.in.hooked || step.out.hooked || step.convolution.hooked;
      }))
    return;
  for (const plan::Step& step : code.phases)
    bytes = std::max(bytes, span(step) * (step.precision == Precision::f64 ? 16 : 8));
  if (bytes > kMostRehearsed) return;
  try {
    launch_once(target, code, table_bytes, bytes, kernel);
  } catch (const DeviceError& error) {
    if (is_refusal(error)) throw;
    base::log(LogLevel::debug, "rehearsal of " + code.name() + ": " + error.what());
  }
}

}  // namespace imago::runtime
