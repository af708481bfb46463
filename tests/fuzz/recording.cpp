// This file fuzzes the readers of recordings: those of the table of formats whose first bytes fit,
// else libsndfile. A recording must have channels and samples, and sounds a rate. The number of
// readable samples must match the header, or the recording must be reported as truncated, and parts
// must equal the whole. The authors of libsndfile fuzz the library itself, which is not
// instrumented here; this file checks that it reads no byte outside of the file.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "formats/open_recording.hpp"
#include "formats/sound_file.hpp"

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
    const formats::Format* const format = formats::format_of(text, "recording");
    const auto opened =
        format ? format->open(source, "recording") : std::make_unique<formats::SoundFile>(source);
    formats::Recording& recording = *opened;
    const auto& rate = recording.info().rate;
    const std::size_t channels = recording.info().numbers();
    require(channels > 0 && (!rate || *rate > 0), "there are channels, and a rate is above 0");
    require(rate || !dynamic_cast<formats::SoundFile*>(opened.get()), "sounds have a rate");
    require(recording.info().frames > 0, "there are samples");
    require(!recording.about().empty(), "it says what it is");
    const std::uint64_t count = std::min(recording.info().frames, kMost / channels + 1);
    std::vector<float> all(count * channels), again(count * channels);
    recording.read(0, count, all.data());
    recording.read(0, count, again.data());
    // A decoder of MPEG that loses synchronization in a damaged file continues with its previous
    // state.
    if (!recording.about().starts_with("MPEG"))
      require(same(all, again, 0), "the same moments are read twice");
    std::vector<double> wide(channels);
    recording.read(count - 1, 1, wide.data());
  } catch (const formats::FormatError&) {
  }
  return 0;
}
