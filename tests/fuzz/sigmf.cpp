// This file fuzzes the readers of SigMF. An accepted layout of metadata must be usable, and the
// samples must lie in the file, in its order. Bytes that are long enough are also an archive.
#include "formats/sigmf.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"

using namespace imago;
using fuzz::require;

namespace {

void read_archive(std::string_view text) {
  const formats::ByteSource source{
      text.size(), [&](std::uint64_t from, char* to, std::size_t count) {
        require(from <= text.size() && count <= text.size() - from, "bytes lie in the archive");
        text.copy(to, count, from);
      }};
  try {
    const auto recording = formats::open_sigmf_archive(source, "x.sigmf");
    const formats::RecordingInfo& info = recording->info();
    require(info.frames > 0 && info.numbers() > 0, "there are samples");
    std::vector<float> numbers(info.frames * info.numbers());
    recording->read(0, info.frames, numbers.data());
  } catch (const formats::FormatError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHeader = 512;
  if (size >= kHeader) read_archive(fuzz::text_of(data, size));
  try {
    const auto found = formats::parse_sigmf(std::string(fuzz::text_of(data, size)));
    const auto& layout = found.layout;
    require(layout.channels >= 1, "there is a channel");
    require(!layout.rate || *layout.rate > 0, "the rate is above 0");
    require(layout.format.complex || layout.centre == 0, "real samples have no centre");
    require(found.dataset.find('/') == found.dataset.npos, "the dataset is in the same folder");
    constexpr std::uint64_t kBytes = 1000;  // each byte is its own place
    const formats::ByteSource file{kBytes, [](std::uint64_t from, char* to, std::size_t count) {
                                     require(from <= kBytes && count <= kBytes - from,
                                             "bytes lie in the file");
                                     while (count-- > 0) *to++ = static_cast<char>(from++ % 251);
                                   }};
    const auto samples = formats::samples_of(file, found);
    require(samples.size <= kBytes, "no sample is added");
    std::string all(samples.size, '\0');
    samples.read(0, all.data(), all.size());
    for (std::uint64_t at = 0; at < samples.size; ++at) {
      char one = 0;
      samples.read(at, &one, 1);
      require(one == all[at], "parts equal the whole");
    }
  } catch (const formats::FormatError&) {
  }
  return 0;
}
