// This file holds the numbers of a buffer as the words that a device uses, so that NaNs keep their
// bits: half, single and double precision.
#pragma once

#include <bit>
#include <cstdint>

#include <imago/transform.hpp>

#include "base/half.hpp"

namespace imago::catalogue {

/// The storage type of a number of a precision, and the wider type in which results are compared.
template <Precision precision>
struct Stored;

template <>
struct Stored<Precision::f16> {
  using Word = std::uint16_t;
  using Wide = double;
  static Word pack(Wide value) { return base::to_half(value); }
  static Wide unpack(Word word) { return base::from_half(word); }
  /// Returns the mark of word `index`: a quiet NaN that no arithmetic produces.
  static Word mark(std::uint64_t index) { return static_cast<Word>(0x7f00 | (index & 0xff)); }
};

template <>
struct Stored<Precision::f32> {
  using Word = std::uint32_t;
  using Wide = double;
  static Word pack(Wide value) { return std::bit_cast<Word>(static_cast<float>(value)); }
  static Wide unpack(Word word) { return std::bit_cast<float>(word); }
  static Word mark(std::uint64_t index) {
    return static_cast<Word>(0x7fd00000 | (index & 0xfffff));
  }
};

template <>
struct Stored<Precision::f64> {
  using Word = std::uint64_t;
  using Wide = long double;
  static Word pack(Wide value) { return std::bit_cast<Word>(static_cast<double>(value)); }
  static Wide unpack(Word word) { return std::bit_cast<double>(word); }
  static Word mark(std::uint64_t index) { return 0x7ffd000000000000 | (index & 0xffffffffff); }
};

/// Calls body.operator()<precision>(): turns a value into a constant.
template <class Body>
decltype(auto) with_precision(Precision precision, Body&& body) {
  if (precision == Precision::f16) return body.template operator()<Precision::f16>();
  if (precision == Precision::f64) return body.template operator()<Precision::f64>();
  return body.template operator()<Precision::f32>();
}

}  // namespace imago::catalogue
