// This file defines views of arrays in host memory, which a HostPlan reads and writes.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <type_traits>

namespace imago {

/// Type of the numbers in a host array, as far as the C++ type defines it.
struct HostNumber {
  std::size_t bytes = 0;  ///< bytes of one number, or of each part of a complex one; 0: unknown
  bool floating = false;  ///< true: float or double; false: integer, or bits of an f16 number
  bool complex = false;   ///< true: std::complex
  /// Returns the type of the numbers in arrays of T.
  template <class T>
  static constexpr HostNumber of() {
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
      return {sizeof(T) / 2, true, true};
    else
      return {sizeof(T), std::is_floating_point_v<T>, false};
  }
};

/// Type of an element of a host array: float, double, std::complex of either, std::uint16_t for the
/// bits of f16 numbers, or an integer of 8 or 16 bits that hooks convert.
template <class T>
concept HostElement = std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>> ||
    std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t> ||
    std::is_same_v<T, std::int16_t> || std::is_same_v<T, std::uint16_t>;

/// A view of an array in host memory. It converts from vectors, arrays and spans; a HostPlan checks
/// their type and size. The memory must live until the call returns. `Void` is void or const void.
template <class Void>
class HostView {
  template <class Range>
  using Element = std::remove_reference_t<std::ranges::range_reference_t<Range>>;

 public:
  /// Makes a view of the elements of a vector, array or span. An array of 2 n real numbers may
  /// stand for n complex ones.
  template <std::ranges::contiguous_range Range>
  requires std::ranges::sized_range<Range> && HostElement<std::remove_cv_t<Element<Range>>> &&
      (std::is_const_v<Void> ||
       (!std::is_const_v<Element<Range>> && std::ranges::borrowed_range<Range>))
          HostView(Range&& range)  // NOLINT(google-explicit-constructor)
      : data_(std::ranges::data(range)),
        bytes_(std::ranges::size(range) * sizeof(Element<Range>)),
        number_(HostNumber::of<std::remove_cv_t<Element<Range>>>()) {}
  /// Makes a read-only view of the same memory as a writable view.
  template <class Other>
  requires std::is_const_v<Void> && std::is_same_v<Other, void> HostView(
      const HostView<Other>& other)  // NOLINT(google-explicit-constructor)
      : data_(other.data()), bytes_(other.bytes()), number_(other.number()) {}
  /// Makes a view of `bytes` bytes at `data`; their type is not checked.
  HostView(Void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}

  Void* data() const noexcept { return data_; }                  ///< pointer to the first element
  std::size_t bytes() const noexcept { return bytes_; }          ///< size of all elements in bytes
  const HostNumber& number() const noexcept { return number_; }  ///< bytes 0: unknown

 private:
  Void* data_;
  std::size_t bytes_;
  HostNumber number_ = {};
};

using ConstHostArray = HostView<const void>;  ///< a host array that is read
using HostArray = HostView<void>;             ///< a host array that is written

}  // namespace imago
