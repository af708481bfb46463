// This file reads recordings with libsndfile.
#include "formats/sound_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <sndfile.h>

#include "formats/wave_sound.hpp"

namespace imago::formats {
namespace {

/// Number of moments in a part, for counting whole recordings and for reading samples.
constexpr std::uint64_t kPart = std::uint64_t{1} << 16;

std::string encoding_of(int format) {
  SF_FORMAT_INFO info{};
  info.format = format & SF_FORMAT_SUBMASK;
  const bool known = sf_command(nullptr, SFC_GET_FORMAT_INFO, &info, sizeof info) == 0 && info.name;
  return known ? info.name : "unknown encoding";
}

/// True for 8 and 16 bits, and for telephone encodings of 16 bits.
bool is_short(int format) {
  const int encoding = format & SF_FORMAT_SUBMASK;
  constexpr std::array kShort{SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_ULAW,
                              SF_FORMAT_ALAW};
  return std::find(kShort.begin(), kShort.end(), encoding) != kShort.end();
}

/// Returns the reason why the file could not be opened, without the full stop at its end.
std::string why_not_opened() {
  std::string text = sf_strerror(nullptr);
  while (text.ends_with('.') || text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

/// The file as libsndfile reads it; its address must not change.
struct SoundFile::File {
  ByteSource source;
  std::uint64_t place = 0;
  std::exception_ptr failure;  ///< exception of a callback, which C code called
  SNDFILE* handle = nullptr;

  explicit File(ByteSource bytes) : source(std::move(bytes)) {}
  ~File() {
    if (handle) sf_close(handle);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  static sf_count_t length(void* self) {
    return static_cast<sf_count_t>(static_cast<File*>(self)->source.size);
  }
  static sf_count_t seek(sf_count_t offset, int whence, void* self) {
    auto& file = *static_cast<File*>(self);
    const auto size = static_cast<sf_count_t>(file.source.size);
    const sf_count_t from = whence == SEEK_SET   ? 0
                            : whence == SEEK_CUR ? static_cast<sf_count_t>(file.place)
                                                 : size;
    if (offset < -from || offset > size - from) return -1;
    file.place = static_cast<std::uint64_t>(from + offset);
    return from + offset;
  }
  static sf_count_t read(void* bytes, sf_count_t count, void* self) {
    auto& file = *static_cast<File*>(self);
    try {
      const auto wanted = static_cast<std::uint64_t>(std::max<sf_count_t>(count, 0));
      const std::uint64_t got = std::min(wanted, file.source.size - file.place);
      file.source.read(file.place, static_cast<char*>(bytes), got);
      file.place += got;
      return static_cast<sf_count_t>(got);
    } catch (...) {
      file.failure = std::current_exception();
      return 0;
    }
  }
  static sf_count_t write(const void*, sf_count_t, void*) { return 0; }
  static sf_count_t tell(void* self) {
    return static_cast<sf_count_t>(static_cast<File*>(self)->place);
  }

  void rethrow() const {
    if (failure) std::rethrow_exception(failure);
  }
};

SoundFile::SoundFile(ByteSource source) {
  const bool empty = source.size == 0;
  Sound sound = sound_of(std::move(source));
  info_.note = std::move(sound.note);
  file_ = std::make_unique<File>(std::move(sound.bytes));
  static SF_VIRTUAL_IO calls{File::length, File::seek, File::read, File::write, File::tell};
  SF_INFO info{};
  file_->handle = sf_open_virtual(&calls, SFM_READ, &info, file_.get());
  file_->rethrow();
  if (!file_->handle && sf_error(nullptr) == SF_ERR_UNRECOGNISED_FORMAT)
    throw UnknownFormat(
        std::string("is not a recording that libsndfile can read; ") +
        (empty ? "it is empty" : "name the format of raw samples, such as --format ci16"));
  if (!file_->handle)
    throw FormatError(fmt::format("is a damaged recording: {}", why_not_opened()));
  if (info.channels <= 0 || info.samplerate <= 0)
    throw FormatError(
        fmt::format("has a damaged format: {} channels, {} Hz", info.channels, info.samplerate));
  info_.rate = info.samplerate;
  info_.channels = static_cast<std::size_t>(info.channels);
  if (is_short(info.format)) info_.integer_scale = 1.0 / 32768;
  info_.double_samples = (info.format & SF_FORMAT_SUBMASK) == SF_FORMAT_DOUBLE;
  info_.encoding = encoding_of(info.format);
  info_.frames = info.frames > 0 && info.frames < SF_COUNT_MAX
                     ? static_cast<std::uint64_t>(info.frames)
                     : count_frames();
  if (info_.frames == 0) throw FormatError("has no samples");
  // Radio programs name their frequency in files whose channels are I and Q.
  if (!sound.centre || info_.channels != 2) return;
  pair_channels();
  info_.centre = *sound.centre;
}

SoundFile::~SoundFile() = default;

std::uint64_t SoundFile::count_frames() {
  const std::uint64_t moments = std::max<std::uint64_t>(1, kPart / info_.channels);
  std::vector<float> part(moments * info_.channels);
  std::uint64_t frames = 0;
  for (sf_count_t got = 1; got > 0; frames += static_cast<std::uint64_t>(got)) {
    got = sf_readf_float(file_->handle, part.data(), static_cast<sf_count_t>(moments));
    got = std::max<sf_count_t>(0, got);
    file_->rethrow();
  }
  position_ = frames;
  return frames;
}

template <class Sample, class Read>
void SoundFile::read_all(std::uint64_t first, std::uint64_t count, Sample* samples, Read read) {
  if (position_ != first && sf_seek(file_->handle, static_cast<sf_count_t>(first), SEEK_SET) !=
                                static_cast<sf_count_t>(first)) {
    file_->rethrow();
    throw FormatError(
        fmt::format("cannot be read at sample {}: {}", first, sf_strerror(file_->handle)));
  }
  position_ = first;
  while (position_ < first + count) {
    const auto wanted = static_cast<sf_count_t>(std::min(kPart, first + count - position_));
    const sf_count_t got = read(file_->handle, samples, wanted);
    file_->rethrow();
    if (got <= 0)
      throw FormatError(
          fmt::format("is truncated: it ends after {} of {} samples", position_, info_.frames));
    position_ += static_cast<std::uint64_t>(got);
    samples += static_cast<std::size_t>(got) * info_.numbers();
  }
}

void SoundFile::read(std::uint64_t first, std::uint64_t count, float* samples) {
  read_all(first, count, samples, sf_readf_float);
}
void SoundFile::read(std::uint64_t first, std::uint64_t count, double* samples) {
  read_all(first, count, samples, sf_readf_double);
}
void SoundFile::read(std::uint64_t first, std::uint64_t count, std::int16_t* samples) {
  read_all(first, count, samples, sf_readf_short);
}

}  // namespace imago::formats
