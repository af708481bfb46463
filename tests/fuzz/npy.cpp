// This file fuzzes the reader of .npy files: an accepted array must match its header, and must be
// the same after it is written and read again.
#include "formats/npy.hpp"

#include <string>

#include "fuzz.hpp"

using namespace imago;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto array = formats::parse_npy(fuzz::text_of(data, size));
    std::size_t count = 1;
    for (const std::size_t extent : array.shape) count *= extent;
    require(count == array.size(), "as many elements as the shape says");
    require(array.data.size() <= size, "data lies in the file");
    require(formats::to_complex<double>(array).size() == count, "every element is converted");
    require(formats::to_complex<float>(array).size() == count, "every element is converted");
    const std::string again =
        formats::npy_header(array.dtype, array.shape) + std::string(array.data);
    const auto other = formats::parse_npy(again);
    require(other.dtype == array.dtype && other.shape == array.shape && other.data == array.data,
            "what is written is read again");
    static_cast<void>(formats::as_complex32(array));
  } catch (const formats::FormatError&) {
  }
  return 0;
}
