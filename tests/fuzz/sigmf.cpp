// This file fuzzes the reader of SigMF metadata: an accepted layout must be usable.
#include "formats/sigmf.hpp"

#include "fuzz.hpp"

using namespace imago;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto layout = formats::parse_sigmf(std::string(fuzz::text_of(data, size)));
    require(layout.channels >= 1, "there is a channel");
    require(!layout.rate || *layout.rate > 0, "the rate is above 0");
    require(layout.format.complex || layout.centre == 0, "real samples have no centre");
  } catch (const formats::FormatError&) {
  }
  return 0;
}
