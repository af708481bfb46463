// This file gives a step's kernel its arguments.
#include "runtime/signature.hpp"

#include <algorithm>
#include <vector>

#include <imago/error.hpp>

#include "base/float_pair.hpp"
#include "base/log.hpp"
#include "base/precision.hpp"
#include "base/prime_field.hpp"
#include "kernel/generic.hpp"
#include "kernel/generic_hooks.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"

namespace imago::runtime {

using Role = kernel::KernelParameter::Role;
using Of = kernel::KernelParameter::Of;

namespace {

// Limit of memory for a rehearsal, in bytes. Larger kernels are not worth it; the driver compiles
// them at their first launch.
constexpr std::size_t kMostRehearsed = std::size_t{256} << 20;
// Bytes of the table of a generic kernel there, whose indices are 1 and little more.
constexpr std::size_t kAnyTable = 256;

/// Returns true if the hooks of a step read the caller's memory.
bool is_hooked(const kernel::Step& step) {
  return step.in.hooked || step.out.hooked || step.convolution.hooked;
}

/// Returns true if the step's kernel accesses no elements in a launch without batch elements.
bool is_idle_without_batch(const kernel::Step& step) {
  return std::holds_alternative<kernel::Vectors>(step.lanes);
}

std::size_t number_of_hook_arguments(const kernel::Step& step) {
  std::size_t count = 0;
  for (const kernel::KernelParameter& parameter : kernel::signature_of(step)) {
    if (parameter.role == Role::buffer || parameter.role == Role::number)
      count = std::max<std::size_t>(count, parameter.argument.number + 1);
  }
  return count;
}

void launch_once(const Target& target, const kernel::Kernel& code, std::size_t table_bytes,
                 std::size_t data_bytes, cl_kernel kernel, bool hooked) {
  const auto data = allocate(target.context, data_bytes);
  // Indices in a table must lie within memory; zeros do.
  const bool any_shape = code.phases.front().is_any_shape();
  const std::vector<char> zeros(std::max<std::size_t>(table_bytes, any_shape ? kAnyTable : 1));
  const auto table = allocate_copy(target.context, zeros.size(), zeros.data());
  const std::vector<cl_int> ones(
      1 + std::max<std::size_t>(kernel::kFirstPass + kernel::kPassNumbers,
                                int{kernel::kFirstHookStep} + int{kernel::kHookStepNumbers}),
      1);
  const auto numbers = allocate_copy(target.context, ones.size() * sizeof ones[0], ones.data());
  const auto counters = allocate_zeros(target.context, kernel::kCounterBytes);
  const auto queue = make_queue(target.context, target.device);
  const SidePlace everywhere{{data.get(), data.get(), 0}, 0};
  if (code.waits) Arguments(kernel).value(counters.get());
  cl_uint first = code.waits ? 1 : 0;
  for (const kernel::Step& step : code.phases) {
    const std::vector<int> none(step.generic_hooks() ? kernel::kHookArguments : 0, -1);
    const Signature signature(step, first, none);
    kernel::Launch launch;
    if (hooked) launch.batch = 0;
    signature.set_constants(kernel, {table.get(), numbers.get()}, launch);
    signature.set_places(kernel, everywhere, everywhere);
    const std::vector<HookValue> values(number_of_hook_arguments(step), HookValue{data.get()});
    if (signature.hooked()) signature.set_hooks(kernel, everywhere, everywhere, 0, values);
    if (code.waits) signature.set_groups(kernel, 1);
    first = signature.end() + (code.waits ? 1 : 0);
  }
  const std::size_t group = code.phases.front().work_group_size(),
                    items = group * (code.waits ? code.phases.size() : 1);
  check(
      clEnqueueNDRangeKernel(queue.get(), kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel", code.name());
  check(clFinish(queue.get()), "clFinish");
}

/// True if the driver rejects any launch of the kernel, now or later. Other errors may come from
/// the rehearsal only.
bool is_refusal(const DeviceError& error) {
  return !error.kernel().empty() &&
         (error.code() == CL_OUT_OF_RESOURCES || error.code() == CL_INVALID_WORK_GROUP_SIZE);
}

}  // namespace

Signature::Signature(const kernel::Step& step, cl_uint first, std::vector<int> bound)
    : first_(first),
      work_group_size_(step.work_group_size()),
      precision_(step.precision),
      pairs_(step.pairs),
      ring_(step.ring),
      hooked_(step.in.hooked || step.out.hooked || step.convolution.hooked || step.generic_hooks()),
      in_hooked_(step.in.hooked.has_value()),
      out_hooked_(step.out.hooked.has_value()),
      bound_(std::move(bound)),
      parameters_(kernel::signature_of(step)) {}

template <class Set>
void Signature::each(cl_kernel kernel, Set set) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    set(parameters_[i], Arguments(kernel, first_ + static_cast<cl_uint>(i)));
}

void Signature::set_number(Arguments argument, double number) const {
  if (base::is_prime_field(ring_)) {
    const base::PrimeField& field = base::prime_field(ring_);
    const std::uint64_t factor = field.factor(field.of_scale(number));
    field.wide ? argument.value(factor) : argument.value(static_cast<cl_uint>(factor));
  } else if (ring_ != base::Ring::none)
    argument.value(static_cast<cl_ulong>(base::m61::of_constant(number)));
  else if (pairs_)
    argument.value(static_cast<cl_ulong>(base::float_pair(number)));
  else if (precision_ == Precision::f64)
    argument.value(static_cast<cl_double>(number));
  else
    argument.value(static_cast<cl_float>(number));
}

void Signature::set_constants(cl_kernel kernel, const Constants& constants,
                              const kernel::Launch& launch) const {
  each(kernel, [&](const kernel::KernelParameter& parameter, Arguments argument) {
    const kernel::Place& place = parameter.of == Of::in ? launch.in : launch.out;
    if (parameter.role == Role::table) argument.value(constants.table);
    if (parameter.role == Role::numbers) argument.value(constants.numbers);
    if (parameter.role == Role::first_number)
      argument.value(static_cast<cl_int>(launch.first_number));
    if (parameter.role == Role::batch) argument.value(static_cast<cl_int>(launch.batch));
    if (parameter.role == Role::distance) argument.value(static_cast<cl_long>(place.distance));
    if (parameter.role == Role::scale) set_number(argument, launch.scale);
  });
}

void Signature::set_places(cl_kernel kernel, const SidePlace& in, const SidePlace& out) const {
  each(kernel, [&](const kernel::KernelParameter& parameter, Arguments argument) {
    const bool input = parameter.of == Of::in;
    const SidePlace& side = input ? in : out;
    if (parameter.role == Role::memory) argument.value(side.array.memory);
    // Generic hooks address the parts of all elements as two memories.
    const bool apart = side.array.im || bound_.empty();
    if (parameter.role == Role::imaginary)
      argument.value(apart ? side.array.im : side.array.memory);
    if (parameter.role == Role::stored) argument.value(side.array.memory);
    if (parameter.role != Role::offset) return;
    // For an array with hooks, the offset counts elements of the packed array.
    const bool hooked = input ? in_hooked_ : out_hooked_;
    argument.value(static_cast<cl_long>(side.offset + (hooked ? 0 : side.array.offset)));
  });
}

void Signature::set_hooks(cl_kernel kernel, const SidePlace& in, const SidePlace& out,
                          std::uint64_t turn, std::span<const HookValue> values) const {
  const auto origin_of = [&](Of of) {
    return of == Of::in ? in.array.offset : of == Of::out ? out.array.offset : turn;
  };
  each(kernel, [&](const kernel::KernelParameter& parameter, Arguments argument) {
    const auto value = [&]() -> const HookValue& {
      static const HookValue none;
      const std::size_t number = parameter.argument.number;
      if (bound_.empty()) return values[number];
      return bound_[number] < 0 ? none : values[static_cast<std::size_t>(bound_[number])];
    };
    if (parameter.role == Role::origin)
      argument.value(static_cast<cl_long>(origin_of(parameter.of)));
    if (parameter.role == Role::buffer) argument.value(value().buffer);
    if (parameter.role == Role::buffer_offset) argument.value(static_cast<cl_long>(value().offset));
    if (parameter.role != Role::number) return;
    if (parameter.argument.type == kernel::KernelArgument::Type::integer)
      argument.value(static_cast<cl_int>(value().number));
    else
      set_number(argument, value().number);
  });
}

bool Signature::has_table() const {
  return std::any_of(parameters_.begin(), parameters_.end(),
                     [](const auto& parameter) { return parameter.role == Role::table; });
}

cl_uint Signature::end() const { return first_ + static_cast<cl_uint>(parameters_.size()); }

void Signature::set_batch(cl_kernel kernel, std::uint64_t batch) const {
  each(kernel, [&](const kernel::KernelParameter& parameter, Arguments argument) {
    if (parameter.role == Role::batch) argument.value(static_cast<cl_int>(batch));
  });
}

void Signature::set_groups(cl_kernel kernel, std::uint64_t groups) const {
  Arguments(kernel, end()).value(static_cast<cl_int>(groups));
}

void rehearse(const Target& target, const kernel::Kernel& code, std::size_t table_bytes,
              cl_kernel kernel) {
  std::size_t bytes = 64;  // enough for a rehearsal of generic hooks
  // Hooks read the caller's memory, which does not exist here.
  const bool hooked = std::any_of(code.phases.begin(), code.phases.end(), is_hooked);
  if (hooked && !std::all_of(code.phases.begin(), code.phases.end(), is_idle_without_batch)) return;
  for (const kernel::Step& step : code.phases) {
    if (hooked) break;  // without batch elements, no memory is accessed
    bytes = std::max(bytes, std::max(step.span(kernel::End::load), step.span(kernel::End::store)) *
                                2 * base::bytes_of(step.precision));
  }
  if (bytes > kMostRehearsed) return;
  try {
    launch_once(target, code, table_bytes, bytes, kernel, hooked);
  } catch (const DeviceError& error) {
    if (is_refusal(error)) throw;
    base::log(LogLevel::debug, "test launch of " + code.name() + ": " + error.what());
  }
}

}  // namespace imago::runtime
