// This file defines the scalar of an interpreted kernel.
#pragma once

#include <cstdint>
#include <type_traits>

namespace imago::interpreter {

/// A scalar of any type: floats as `number` (f32 rounded), all other types as `integer`.
union Cell {
  std::int64_t integer;
  double number;
};

template <class T>
T get(Cell cell) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(cell.number);
  } else {
    return static_cast<T>(cell.integer);
  }
}

template <class T>
Cell put(T value) {
  Cell cell{};
  if constexpr (std::is_floating_point_v<T>) {
    cell.number = value;
  } else {
    cell.integer = value;
  }
  return cell;
}

}  // namespace imago::interpreter
