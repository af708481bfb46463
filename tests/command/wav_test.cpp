// This file tests the reader of recordings, and what it refuses.
#include "formats/wav.hpp"

#include <cstdint>
#include <string>

#include "fixtures.hpp"
#include "support/catch.hpp"

namespace imago::formats {
namespace {

using test::ContainsSubstring;
using test::raw;
using test::riff;
using test::wav_chunk;
using test::wav_format;
using test::wav_with;
using test::WavFormat;

WavFormat format(std::uint16_t tag, std::uint16_t bits, std::uint16_t channels = 1) {
  return {tag, channels, 8000, bits};
}

TEST_CASE("samples of every width have a full scale of 1") {
  const auto first = [](const WavFormat& form, const std::string& samples) {
    return parse_wav(wav_with(form, samples)).samples.at(0);
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

TEST_CASE("channels, rate and other chunks") {
  const std::string samples =
      raw<std::int16_t>(1) + raw<std::int16_t>(2) + raw<std::int16_t>(3) + raw<std::int16_t>(4);
  const std::string bytes =
      riff(wav_chunk("LIST", "odd") + wav_format(format(1, 16, 2)) + wav_chunk("fact", "1234") +
           wav_chunk("data", samples) + wav_chunk("LIST", "after"));
  const Wav wav = parse_wav(bytes);
  CHECK(wav.rate == 8000);
  CHECK(wav.channels == 2);
  CHECK(wav.frames() == 2);
  CHECK(wav.samples.at(1) == 2 / 32768.0);
}

TEST_CASE("an extensible format names its samples in the sub-format") {
  const std::string extension = raw<std::uint16_t>(22) + raw<std::uint16_t>(32) +
                                raw<std::uint32_t>(0) + raw<std::uint16_t>(3) +
                                std::string(14, '\0');
  const Wav wav =
      parse_wav(riff(wav_format(format(0xfffe, 32), extension) + wav_chunk("data", raw(0.5f))));
  CHECK(wav.floating);
  CHECK(wav.samples.at(0) == 0.5);
}

TEST_CASE("a .wav that cannot be used is refused with the reason") {
  const auto refuses = [](const std::string& bytes, const std::string& reason) {
    CHECK_THROWS_WITH(parse_wav(bytes), ContainsSubstring(reason));
  };
  const std::string good = wav_with(format(1, 16), "1234");
  refuses("", "not a RIFF WAVE");
  refuses("RIFF1234AVI ", "not a RIFF WAVE");
  refuses(good.substr(0, good.size() - 1), "truncated: chunk 'data' needs 4 bytes, the file has 3");
  refuses(good.substr(0, 20), "truncated: chunk 'fmt '");
  refuses(riff(wav_chunk("data", "1234")), "no format");
  refuses(riff(wav_format(format(1, 16))), "no samples");
  refuses(wav_with(format(1, 16), ""), "no samples");
  refuses(wav_with(format(1, 16, 2), "12"), "truncated inside a sample");
  refuses(wav_with(format(1, 12), "1234"), "12 bits");
  refuses(wav_with(format(85, 16), "1234"), "format 85");
  refuses(wav_with(format(1, 16, 0), "1234"), "0 channels");
  WavFormat silent = format(1, 16);
  silent.rate = 0;
  refuses(wav_with(silent, "1234"), "0 Hz");
}

}  // namespace
}  // namespace imago::formats
