// This file defines views of arrays in host memory, which a HostPlan reads and writes.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <type_traits>

namespace imago {

/// The numbers that a host array consists of, as far as its C++ type tells.
struct HostNumber {
  std::size_t bytes = 0;  ///< bytes of one number, half of a complex one; 0: not known
  bool floating = false;  ///< float or double; else an integer, or the bits of an f16 number
  bool complex = false;   ///< std::complex
  /// Returns the numbers of arrays of T.
  template <class T>
  static constexpr HostNumber of() {
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
      return {sizeof(T) / 2, true, true};
    else
      return {sizeof(T), std::is_floating_point_v<T>, false};
  }
};

/// A type that elements of host arrays may have: float, double, their std::complex, std::uint16_t
/// for the bits of f16 numbers, and integers of 8 and 16 bits where hooks convert them.
template <class T>
concept HostElement = std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>> ||
    std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t> ||
    std::is_same_v<T, std::int16_t> || std::is_same_v<T, std::uint16_t>;

/// A view of an array in host memory. Converts from vectors, arrays and spans, whose type and size
/// a HostPlan checks; the memory must live until the call returns. `Void` is void or const void.
template <class Void>
class HostView {
  template <class Range>
  using Element = std::remove_reference_t<std::ranges::range_reference_t<Range>>;

 public:
  /// Views the elements of a vector, array or span; complex numbers may also be given as pairs of
  /// numbers.
  template <std::ranges::contiguous_range Range>
  requires std::ranges::sized_range<Range> && HostElement<std::remove_cv_t<Element<Range>>> &&
      (std::is_const_v<Void> ||
       (!std::is_const_v<Element<Range>> && std::ranges::borrowed_range<Range>))
          HostView(Range&& range)  // NOLINT(google-explicit-constructor)
      : data_(std::ranges::data(range)),
        bytes_(std::ranges::size(range) * sizeof(Element<Range>)),
        number_(HostNumber::of<std::remove_cv_t<Element<Range>>>()) {}
  /// Views what a writable view does.
  template <class Other>
    requires std::is_const_v<Void> && std::is_same_v<Other, void>
  HostView(const HostView<Other>& other)  // NOLINT(google-explicit-constructor)
      : data_(other.data()), bytes_(other.bytes()), number_(other.number()) {}
  /// Views so many bytes, whose type is not checked.
  HostView(Void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}

  Void* data() const noexcept { return data_; }                  ///< the first element
  std::size_t bytes() const noexcept { return bytes_; }          ///< of all elements
  const HostNumber& number() const noexcept { return number_; }  ///< bytes 0: not known

 private:
  Void* data_;
  std::size_t bytes_;
  HostNumber number_ = {};
};

using ConstHostArray = HostView<const void>;  ///< a host array that is read
using HostArray = HostView<void>;             ///< a host array that is written

}  // namespace imago
