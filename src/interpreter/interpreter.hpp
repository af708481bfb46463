// This file runs a kernel on the host, as a reference without a device: every work-group in turn,
// the work-items of a group in lockstep. A kernel that breaks a rule of OpenCL is reported, not
// run.
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

/// Runs `groups` work-groups with one binding for each of Kernel::arguments. Throws
/// std::logic_error, with the kernel, the memory, the index and the work-item, at the first
/// - index outside its memory, or store to a read-only one,
/// - read of local or private memory that this work-group or work-item has not written,
/// - data race: an element of local memory that two work-items use between two barriers, and one
///   stores; an element of global memory that one work-item stores and another one stores or reads
///   (reading it before a barrier and storing it behind, in one work-group, is no race),
/// - barrier that not all work-items of a group reach together,
/// - integer division by zero, or conversion of a float that does not fit an integer.
void run(const ir::Kernel& kernel, std::uint64_t groups, std::span<const Binding> arguments);

}  // namespace imago::interpreter
