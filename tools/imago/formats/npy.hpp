// This file reads and writes NumPy's .npy format, versions 1 to 3 (NumPy Enhancement Proposal 1).
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "formats/format_error.hpp"

namespace imago::formats {

/// The first bytes of a file.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// NumPy has no complex32; files have float16 with a last axis of 2 instead.
enum class Dtype {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  complex32,
  complex64,
  complex128
};
std::size_t item_bytes(Dtype dtype);
/// Returns NumPy's name: "complex64".
std::string name(Dtype dtype);
/// Returns a shape as Python writes it: "(3, 100)", "(5,)".
std::string tuple_text(const std::vector<std::size_t>& shape);
constexpr bool is_complex(Dtype dtype) {
  return dtype == Dtype::complex32 || dtype == Dtype::complex64 || dtype == Dtype::complex128;
}
/// True if the values need double precision, as NumPy uses for them; integers of 16 bits and less
/// do not.
constexpr bool is_double(Dtype dtype) {
  return dtype == Dtype::float64 || dtype == Dtype::complex128 ||
         (dtype >= Dtype::int32 && dtype <= Dtype::uint64);
}

/// An array in a file.
struct Npy {
  Dtype dtype = Dtype::float32;
  std::vector<std::size_t> shape;
  std::size_t offset = 0, bytes = 0;  ///< position and size of the data in the file
  std::string_view data;   ///< the part of the data within the parsed bytes: all of it, or its
                           ///< beginning
  bool swapped = false;    ///< big-endian numbers
  bool fortran = false;    ///< the first axis varies fastest
  std::size_t unread = 0;  ///< bytes after the array, such as another one
  std::size_t size() const { return bytes / item_bytes(dtype); }
};

/// Maximum size of a header.
inline constexpr std::size_t kNpyHead = 1 << 17;
/// Returns the first array, as numpy.load() does. Throws FormatError unless it is a whole array of
/// a Dtype.
Npy parse_npy(std::string_view bytes);
/// Parses the array in a file of `size` bytes that begins with `head`.
Npy parse_npy(std::string_view head, std::size_t size);

/// Returns the bytes as complex32: float16 in C order whose last axis is the real and the imaginary
/// part. Throws FormatError for other arrays.
Npy as_complex32(Npy array);

/// Returns the elements as complex numbers of a precision.
template <class Real>
std::vector<std::complex<Real>> to_complex(const Npy& array);

/// Copies the elements of an array into memory in C order, as real numbers: pairs, or only the real
/// parts if `real`.
template <class Real>
class NpyReader {
 public:
  /// `numbers` must have room for all elements.
  NpyReader(const Npy& array, bool real, Real* numbers);
  /// Processes the next bytes of the data, which must be whole elements. Swaps big-endian ones in
  /// `part`.
  void take(std::string& part);

 private:
  /// Returns the index in C order of the next element in Fortran order.
  std::size_t next_place();

  Dtype dtype_;
  bool swapped_, fortran_;
  std::size_t parts_;  ///< numbers per element
  Real* numbers_;
  std::vector<std::size_t> shape_, strides_, index_;
  std::size_t place_ = 0;
  std::vector<Real> chunk_;
};

/// Returns the header of a file with little-endian numbers in C order.
std::string npy_header(Dtype dtype, const std::vector<std::size_t>& shape);

}  // namespace imago::formats
