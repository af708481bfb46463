// This file reads and writes NumPy's .npy format, versions 1 to 3 (NumPy Enhancement Proposal 1):
// little-endian numbers in C order.
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "formats/format_error.hpp"

namespace imago::formats {

/// complex32 is no type of NumPy's: files have float16 with a last axis of 2 instead.
enum class Dtype { int16, float16, float32, float64, complex32, complex64, complex128 };
std::size_t item_bytes(Dtype dtype);
/// NumPy's name: "complex64".
std::string name(Dtype dtype);
constexpr bool is_complex(Dtype dtype) {
  return dtype == Dtype::complex32 || dtype == Dtype::complex64 || dtype == Dtype::complex128;
}
/// Whether its values need double precision.
constexpr bool is_double(Dtype dtype) {
  return dtype == Dtype::float64 || dtype == Dtype::complex128;
}

/// An array inside a file.
struct Npy {
  Dtype dtype = Dtype::float32;
  std::vector<std::size_t> shape;
  std::size_t offset = 0, bytes = 0;  ///< of the data in the file
  std::string_view data;  ///< of the bytes that were parsed: all of it, or its beginning
  std::size_t size() const { return bytes / item_bytes(dtype); }
};

/// A header is within so many bytes.
inline constexpr std::size_t kNpyHead = 1 << 17;
/// Throws FormatError for anything but one whole array of a Dtype in C order.
Npy parse_npy(std::string_view bytes);
/// Of a file of `size` bytes that begins so.
Npy parse_npy(std::string_view head, std::size_t size);

/// The same bytes as complex32: float16 whose last axis is the real and the imaginary part. Throws
/// FormatError for other arrays.
Npy as_complex32(Npy array);

/// The elements as complex numbers of a precision.
template <class Real>
std::vector<std::complex<Real>> to_complex(const Npy& array);

/// Elements that lie in `data`, as real numbers: pairs, or of `real` the real parts alone.
template <class Real>
void to_numbers(Dtype dtype, std::string_view data, bool real, Real* numbers);

/// What precedes the data in a file.
std::string npy_header(Dtype dtype, const std::vector<std::size_t>& shape);

}  // namespace imago::formats
