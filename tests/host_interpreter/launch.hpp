// This file defines the arguments of an interpreted kernel, and the order of its work-groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace imago::interpreter {

/// The bytes of a global memory, or the value of a scalar. Two memories may share all of their
/// bytes (a transform in place), but not only some of them.
using Binding = std::variant<std::span<std::byte>, std::int64_t, double>;

template <class T>
Binding bind(std::vector<T>& data) {
  return std::as_writable_bytes(std::span<T>(data));
}

/// The order in which work-groups start and alternate; a device may use any order. Groups of a
/// kernel with counters are resident together and switch at each use of the counters; each group
/// that ends is replaced by the next. Groups of all other kernels run one after the other, to their
/// ends.
struct Schedule {
  enum class Order {
    in_order,  ///< groups by number, residents in rotation
    reversed,  ///< both in reverse order
    random     ///< both at random, with switches at any instruction
  } order = Order::in_order;
  std::uint64_t residents = 4;
  std::uint64_t seed = 0;  ///< random: selects the order
};

}  // namespace imago::interpreter
