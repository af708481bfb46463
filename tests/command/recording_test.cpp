// This file tests the reading of recordings: the calls of libsndfile, the use of its results, and
// rejected files.
#include "formats/sound_file.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <sndfile.h>

#include "fixtures.hpp"
#include "formats/file.hpp"
#include "support/catch.hpp"

namespace imago::formats {
namespace {

using test::ContainsSubstring;
using test::raw;
using test::recording_of;
using test::riff;
using test::spill;
using test::TemporaryFolder;
using test::wav_chunk;
using test::wav_format;
using test::wav_with;
using test::WavFormat;

WavFormat format(std::uint16_t tag, std::uint16_t bits, std::uint16_t channels = 1) {
  return {tag, channels, 8000, bits};
}

/// Returns all samples of a recording in double precision.
std::vector<double> samples_of(const std::string& bytes) {
  SoundFile recording = recording_of(bytes);
  std::vector<double> samples(recording.info().frames * recording.info().channels);
  recording.read(0, recording.info().frames, samples.data());
  return samples;
}

/// Returns a file that libsndfile writes: `moments` moments of a ramp in two channels.
std::string written(const TemporaryFolder& folder, int sndfile_format, int moments) {
  const std::string path = (folder / "written").string();
  SF_INFO info{};
  info.channels = 2, info.samplerate = 44100, info.format = sndfile_format;
  SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
  REQUIRE(file != nullptr);
  std::vector<short> ramp;
  for (int i = 0; i < moments; ++i) {
    ramp.push_back(static_cast<short>(8 * i));
    ramp.push_back(static_cast<short>(-8 * i));
  }
  CHECK(sf_writef_short(file, ramp.data(), moments) == moments);
  sf_close(file);
  return read_file(path);
}

TEST_CASE("samples of every width have a full scale of 1") {
  const auto first = [](const WavFormat& form, const std::string& samples) {
    return samples_of(wav_with(form, samples)).at(0);
  };
  CHECK(first(format(1, 8), "\xc0") == 0.5);
  CHECK(first(format(1, 8), std::string(1, '\0')) == -1);
  CHECK(first(format(1, 16), raw<std::int16_t>(-16384)) == -0.5);
  CHECK(first(format(1, 24), std::string("\0\0\x40", 3)) == 0.5);
  CHECK(first(format(1, 24), std::string("\xff\xff\xff", 3)) == -1.0 / 8388608);
  CHECK(first(format(1, 32), raw<std::int32_t>(INT32_MIN)) == -1);
  CHECK(first(format(3, 32), raw(0.25f)) == 0.25);
  CHECK(first(format(3, 64), raw(-1.5)) == -1.5);
}

TEST_CASE("a recording says what it is") {
  const std::string sample = raw<std::int16_t>(1) + raw<std::int16_t>(2);
  const std::string bytes =
      riff(wav_chunk("LIST", "odd") + wav_format(format(1, 16, 2)) + wav_chunk("fact", "1234") +
           wav_chunk("data", sample + sample) + wav_chunk("LIST", "after"));
  const SoundFile recording = recording_of(bytes);
  CHECK(recording.info().rate == 8000);
  CHECK(recording.info().channels == 2);
  CHECK(recording.info().frames == 2);
  CHECK(recording.info().integer_scale == 1.0 / 32768);
  CHECK(!recording.info().double_samples);
  CHECK(recording.about() == "Signed 16 bit PCM, 8000 Hz, 2 channels, 2 samples (0.00025 s)");
  CHECK(samples_of(bytes).at(1) == 2 / 32768.0);
  const std::string doubles = wav_with(format(3, 64), raw(0.1));
  CHECK(recording_of(doubles).info().double_samples);
  CHECK(!recording_of(doubles).info().integer_scale);
  CHECK(samples_of(doubles).at(0) == 0.1);
}

TEST_CASE("parts are read in any order, and as integers where 16 bits hold them") {
  std::string data;
  for (std::int16_t i = 0; i < 100; ++i) data += raw(i);
  const std::string bytes = wav_with(format(1, 16), data);
  SoundFile recording = recording_of(bytes);
  std::array<std::int16_t, 3> part{};
  for (const std::int16_t first : {50, 0, 97, 3}) {
    recording.read(static_cast<std::uint64_t>(first), part.size(), part.data());
    CHECK(part[0] == first);
    CHECK(part[2] == first + 2);
  }
  CHECK_THROWS_WITH(recording.read(98, 3, part.data()),
                    ContainsSubstring("it ends after 100 of 100 samples"));
}

TEST_CASE("FLAC, AIFF, RF64, Ogg and A-law are read as WAV is", "[codecs]") {
  const TemporaryFolder folder;
  for (const int kind : {SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_AIFF | SF_FORMAT_PCM_24,
                         SF_FORMAT_RF64 | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_ALAW,
                         SF_FORMAT_W64 | SF_FORMAT_PCM_32, SF_FORMAT_OGG | SF_FORMAT_VORBIS}) {
    CAPTURE(kind);
    const std::string bytes = written(folder, kind, 1000);
    const SoundFile recording = recording_of(bytes);
    CHECK(recording.info().frames == 1000);
    CHECK(recording.info().channels == 2);
    CHECK(recording.info().rate == 44100);
    const bool lossy =
        kind == (SF_FORMAT_WAV | SF_FORMAT_ALAW) || kind == (SF_FORMAT_OGG | SF_FORMAT_VORBIS);
    const auto samples = samples_of(bytes);
    CHECK(std::abs(samples.at(1001) + 4000 / 32768.0) <= (lossy ? 0.02 : 0));
  }
}

TEST_CASE("a stream whose writer could not go back is read to its end", "[codecs]") {
  std::string wav = wav_with(format(1, 16), std::string(2000, 'x'));
  wav.replace(4, 4, "\xff\xff\xff\xff").replace(40, 4, "\xff\xff\xff\xff");
  CHECK(recording_of(wav).info().frames == 1000);
  CHECK_THAT(recording_of(wav).about(), !ContainsSubstring("cut short"));
  const TemporaryFolder folder;
  std::string flac = written(folder, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1000);
  REQUIRE(flac.substr(0, 4) == "fLaC");
  // STREAMINFO is the first block; 36 bits are the number of samples, and 0 means unknown.
  flac[21] = static_cast<char>(flac[21] & 0xf0);
  flac.replace(22, 4, 4, '\0');
  CHECK(recording_of(flac).info().frames == 1000);
  CHECK(samples_of(flac).at(1001) == -4000 / 32768.0);
}

TEST_CASE("a truncated WAV file is read to its end, and a truncated FLAC file is rejected",
          "[codecs]") {
  const std::string whole = wav_with(format(1, 16), std::string(2000, 'x'));
  const std::string cut = whole.substr(0, 1044);
  const SoundFile recording = recording_of(cut);
  CHECK(recording.info().frames == 500);
  CHECK_THAT(recording.about(), ContainsSubstring("cut short"));
  const TemporaryFolder folder;
  const std::string flac = written(folder, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 30000);
  CHECK_THROWS_WITH(samples_of(flac.substr(0, flac.size() / 2)),
                    ContainsSubstring("of 30000 samples"));
}

TEST_CASE("the sound of a RIFF file is read, whatever other chunks it has") {
  const std::string form = wav_format(format(1, 16)), samples(2000, 'x');
  const auto odd = wav_chunk("LIST", "INFOISFT" + raw(std::uint32_t{3}) + "abc");
  const auto reads = [&](const std::string& bytes) {
    const SoundFile recording = recording_of(bytes);
    CHECK(recording.info().frames == 1000);
    CHECK_THAT(recording.about(), !ContainsSubstring("cut short"));
    CHECK(samples_of(bytes).at(999) == 0x7878 / 32768.0);
  };
  reads(riff(odd + form + wav_chunk("fact", raw(std::uint32_t{1000})) + odd +
             wav_chunk("data", samples) + odd));
  reads(riff(form + form + wav_chunk("cue ", "damaged") + wav_chunk("data", samples) + "LIST"));
  const std::string tag = std::string("ID3\3\0\0\0\0\1\2", 10) + std::string(130, 't');
  reads(tag + riff(form + wav_chunk("data", samples)));
  // The writing program never closed it, so neither length was written.
  std::string unclosed = riff(form + wav_chunk("data", samples));
  unclosed.replace(4, 4, raw(std::uint32_t{8})).replace(40, 4, 4, '\0');
  reads(unclosed);
}

TEST_CASE("a recording of more than 4 GiB is read to its end, whatever its lengths say") {
  // Lengths of 32 bits wrap around to 0. The file is a head, then samples of a number, then a tail.
  const auto moments_of = [](const std::string& head, std::uint64_t samples,
                             const std::string& tail, const std::string& note) {
    const std::uint64_t end = head.size() + 2 * samples;
    SoundFile recording({end + tail.size(), [&](std::uint64_t from, char* to, std::size_t count) {
                           for (std::size_t i = 0; i < count; ++i, ++from)
                             to[i] = from < head.size() ? head[from]
                                     : from < end
                                         ? static_cast<char>((from - head.size()) / 2 >> 28)
                                         : tail[from - end];
                         }});
    CHECK_THAT(recording.about(), ContainsSubstring(note));
    std::int16_t last = 0;
    recording.read(recording.info().frames - 1, 1, &last);
    CHECK(last == 0x101 * static_cast<std::int16_t>((samples - 1) >> 28));
    return recording.info().frames;
  };
  const std::string form = wav_format(format(1, 16));
  const auto head = [&](std::uint32_t riff_size, std::uint32_t size) {
    return "RIFF" + raw(riff_size) + "WAVE" + form + "data" + raw(size);
  };
  constexpr std::uint64_t kSamples = 2'600'000'000;
  const auto wrapped = static_cast<std::uint32_t>(2 * kSamples);
  const std::string longer = "longer than its header can say: read to its end";
  CHECK(moments_of(head(wrapped + 36, wrapped), kSamples, "", longer) == kSamples);
  CHECK(moments_of(head(wrapped + 50, wrapped), kSamples, wav_chunk("LIST", "INFO"), longer) ==
        kSamples);
  CHECK(moments_of(head(0xffffffff, 0xffffffff), kSamples, "", "") == kSamples);
  CHECK(moments_of(head(0, 0), kSamples, "", "never finished") == kSamples);
  CHECK(moments_of(head(0x7fffffff, 0x7fffffff - 36), kSamples, "", "") == kSamples);
  const std::uint64_t of_wide = 2 * kSamples;
  const std::string wide =
      "RF64" + raw(0xffffffffu) + "WAVE" +
      wav_chunk("ds64", raw(of_wide + 80) + raw(of_wide) + raw(kSamples) + raw(std::uint32_t{0})) +
      form + "data" + raw(0xffffffffu);
  CHECK(moments_of(wide, kSamples, wav_chunk("LIST", "INFO"), "(325000.00 s)") == kSamples);
}

TEST_CASE("a file that is no recording is rejected with the reason") {
  const auto refuses = [](const std::string& bytes, const std::string& reason) {
    CHECK_THROWS_WITH(recording_of(bytes), ContainsSubstring(reason));
  };
  refuses("", "is not a recording that libsndfile can read");
  refuses("hello", "is not a recording that libsndfile can read");
  refuses(wav_with(format(1, 16), ""), "has no samples");
  refuses(riff(wav_format(format(1, 16))), "is a damaged recording");
  refuses(wav_with(format(1, 16, 0), "1234"), "is a damaged recording");
  CHECK_THROWS_AS(recording_of("RIFF1234AVI "), FormatError);
}

TEST_CASE("bytes that cannot be read are the reason, through the library") {
  const std::string bytes = wav_with(format(1, 16), std::string(2000, 'x'));
  std::size_t allowed = 1000;
  const ByteSource source{bytes.size(), [&](std::uint64_t from, char* to, std::size_t count) {
                            if (from + count > allowed) throw FormatError("the disk is gone");
                            bytes.copy(to, count, from);
                          }};
  CHECK_THROWS_WITH(([&] {
                      allowed = 10;
                      SoundFile{source};
                    }()),
                    ContainsSubstring("the disk is gone"));
  allowed = bytes.size();
  SoundFile recording(source);
  allowed = 10;
  std::vector<float> samples(1000);
  CHECK_THROWS_WITH(recording.read(0, 1000, samples.data()), ContainsSubstring("the disk is gone"));
}

}  // namespace
}  // namespace imago::formats
