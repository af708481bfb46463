// This file runs a kernel on the host, as a reference without a device: the work-items of a group
// in lockstep, every work-group in turn, or several at a time where they wait for each other. A
// kernel that breaks a rule of OpenCL is reported, not run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "ir/kernel.hpp"

namespace imago::interpreter {

/// The bytes of a global memory, or the value of a scalar. Two memories may share
/// bytes (a transform in place) if both have all of them.
using Binding = std::variant<std::span<std::byte>, std::int64_t, double>;

template <class T>
Binding bind(std::vector<T>& data) {
  return std::as_writable_bytes(std::span<T>(data));
}

/// In which order work-groups start and take turns: a device may choose any. Those of a kernel with
/// counters are resident together and take turns wherever they use them, and each that ends makes
/// room for the next. All others run one after the other, to their ends.
struct Schedule {
  enum class Order {
    in_order,  ///< the groups by their numbers, the residents round and round
    reversed,  ///< both the other way round
    random     ///< both by chance, and turns that end anywhere
  } order = Order::in_order;
  std::uint64_t residents = 4;
  std::uint64_t seed = 0;  ///< random: another one, another order
};

/// Runs `groups` work-groups with one binding for each of Kernel::arguments. Throws
/// std::logic_error, with the kernel, the memory, the index and the work-item, at the first
/// - index outside its memory, or store to a read-only one,
/// - read of local or private memory that this work-group or work-item has not written,
/// - data race: an element of local memory that two work-items use between two barriers, and one
///   stores; an element of global memory that one work-item stores and another one stores or reads
///   (reading it before a barrier and storing it behind, in one work-group, is no race; nor is what
///   happens before the end of a group that is among the first to finish, as many as were awaited),
/// - barrier or operation on counters that not all work-items of a group reach together,
/// - deadlock: all resident groups await more than have finished,
/// - counters that are not 0 at the beginning or the end, or set back before all groups have
///   finished; a group that takes a second ticket, or uses global memory when it has finished,
/// - integer division by zero, or conversion of a float that does not fit an integer.
void run(const ir::Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments,
         const Schedule& schedule = {});

}  // namespace imago::interpreter
