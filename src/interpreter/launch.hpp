// This file says what a kernel is run on, and in which order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

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

}  // namespace imago::interpreter
