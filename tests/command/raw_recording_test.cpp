// This file tests the reading of raw samples and of SigMF recordings, and rejected ones.
#include "formats/raw_recording.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "formats/open_recording.hpp"
#include "formats/sigmf.hpp"
#include "support/catch.hpp"

namespace imago::formats {
namespace {

using test::ContainsSubstring;
using test::raw;
using test::spill;
using test::TemporaryFolder;

RawRecording raw_of(const std::string& bytes, const RawFormat& format, std::size_t channels = 1) {
  return RawRecording({bytes.size(),
                       [bytes](std::uint64_t from, char* to, std::size_t count) {
                         REQUIRE(from + count <= bytes.size());
                         bytes.copy(to, count, from);
                       }},
                      {format, channels, {}});
}

/// Returns all numbers of raw samples, read as this type.
template <class Number>
std::vector<Number> numbers_of(const std::string& bytes, const RawFormat& format) {
  RawRecording recording = raw_of(bytes, format);
  std::vector<Number> numbers(recording.info().frames * recording.info().numbers());
  recording.read(0, recording.info().frames, numbers.data());
  return numbers;
}

RawFormat format_named(const char* word) { return base::value_of(kRawFormats, word).value(); }

TEST_CASE("raw numbers of every type have a full scale of 1") {
  const std::string i8 = "\x80\x7f", u8 = std::string("\0\xff", 2);
  using Doubles = std::vector<double>;
  CHECK(numbers_of<double>(i8, format_named("ci8")) == Doubles{-1, 127.0 / 128});
  CHECK(numbers_of<double>(u8, format_named("cu8")) == Doubles{-1, 1});
  CHECK(numbers_of<double>("\x7f\x80", format_named("u8")) == Doubles{-1.0 / 255, 1.0 / 255});
  CHECK(numbers_of<double>(raw<std::int16_t>(-32768) + raw<std::int16_t>(16384),
                           format_named("ci16")) == Doubles{-1, 0.5});
  CHECK(numbers_of<double>(raw(-1.25f) + raw(3.0f), format_named("cf32")) == Doubles{-1.25, 3});
  CHECK(numbers_of<double>(raw(0.1) + raw(-2.0), format_named("cf64")) == Doubles{0.1, -2});
  CHECK(numbers_of<float>(raw(0.1) + raw(-2.0), format_named("f64")) ==
        std::vector<float>{0.1f, -2});
  CHECK(numbers_of<float>(u8, format_named("cu8")) == std::vector<float>{-1, 1});
  const std::string big{'\x3f', '\x80', 0, 0, '\xc0', 0, 0, 0};  // 1 and -2
  CHECK(numbers_of<double>(big, {RawType::f32, true, true}) == Doubles{1, -2});
}

TEST_CASE("integers of 16 bits and less are read unscaled, with their unit") {
  using Shorts = std::vector<std::int16_t>;
  CHECK(numbers_of<std::int16_t>("\x80\x7f", format_named("i8")) == Shorts{-128, 127});
  CHECK(numbers_of<std::int16_t>(std::string("\0\x80\xff", 3), format_named("u8")) ==
        Shorts{-255, 1, 255});
  CHECK(numbers_of<std::int16_t>(raw<std::int16_t>(-7), format_named("i16")) == Shorts{-7});
  CHECK(numbers_of<std::int16_t>("\x01\x02", {RawType::i16, false, true}) == Shorts{0x102});
  for (const auto& [word, format] : kRawFormats) {
    CAPTURE(word);
    const RawRecording recording = raw_of(std::string(16, '\1'), format);
    CHECK(recording.info().encoding == word);
    CHECK(recording.info().complex == word.starts_with('c'));
    CHECK(recording.info().double_samples == word.ends_with("f64"));
    CHECK(recording.info().full_scale == (word.find('f') == word.npos));
    CHECK(recording.info().integer_scale.has_value() == recording.info().full_scale);
  }
}

TEST_CASE("moments of several channels are read from any place") {
  std::string bytes;
  constexpr std::int16_t kMoments = 30000;  // more numbers than are converted at a time
  for (std::int16_t i = 0; i < kMoments; ++i)
    for (std::int16_t part = 0; part < 4; ++part)
      bytes += raw(static_cast<std::int16_t>(part % 2 == 0 ? i : -part));
  RawRecording recording = raw_of(bytes, format_named("ci16"), 2);
  CHECK(recording.info().frames == kMoments);
  std::vector<std::int16_t> all(std::size_t{4} * (kMoments - 5));
  recording.read(5, kMoments - 5, all.data());
  CHECK(all[0] == 5);
  CHECK(all[3] == -3);
  CHECK(all[all.size() - 2] == kMoments - 1);
  CHECK(all.back() == -3);
}

TEST_CASE("whole samples of truncated files are read, and the rest is noted") {
  const auto about = [](std::size_t bytes, const char* word) {
    return raw_of(std::string(bytes, '\1'), format_named(word)).about();
  };
  CHECK(about(11, "ci16") ==
        "ci16, rate unknown, 1 channel, 2 samples, cut short: the last 3 of 4 bytes of a sample "
        "are not read");
  CHECK(about(12, "ci16") == "ci16, rate unknown, 1 channel, 3 samples");
  CHECK_THROWS_WITH(about(0, "cu8"), ContainsSubstring("is empty"));
  CHECK_THROWS_WITH(about(15, "cf64"), ContainsSubstring("has 15 bytes, but one sample of cf64"));
}

std::string sigmf(const std::string& global, const std::string& captures = "[]") {
  return R"({"global": {"core:version": "1.2.0", )" + global + R"(}, "captures": )" + captures +
         R"(, "annotations": []})";
}

TEST_CASE("SigMF metadata describes samples, their rate and their frequency") {
  const RawLayout one =
      parse_sigmf(sigmf(R"("core:datatype": "cu8", "core:sample_rate": 2.4e6)",
                        R"([{"core:sample_start": 0, "core:frequency": 100e6}])"));
  CHECK(one.format == format_named("cu8"));
  CHECK(one.rate == 2.4e6);
  CHECK(one.centre == 100e6);
  CHECK(one.channels == 1);
  const RawLayout other =
      parse_sigmf(sigmf(R"("core:datatype": "ri16_be", "core:num_channels": 3)",
                        R"([{"core:sample_start": 0}, {"core:sample_start": 9}])"));
  CHECK(other.format == RawFormat{RawType::i16, false, true});
  CHECK(!other.rate);
  CHECK(other.channels == 3);
  CHECK(parse_sigmf(sigmf(R"("core:datatype": "cf64_le")")).format == format_named("cf64"));
}

TEST_CASE("SigMF metadata that imago cannot use is rejected with the reason") {
  const auto refuses = [](const std::string& text, const std::string& reason) {
    CHECK_THROWS_WITH(parse_sigmf(text), ContainsSubstring(reason));
  };
  const std::string type = R"("core:datatype": "cf32_le")";
  refuses("", "is no SigMF metadata");
  refuses("[1, 2]", "is no SigMF metadata");
  refuses(R"({"global": 3})", "is no SigMF metadata");
  refuses(sigmf(type).substr(0, 40), "is no SigMF metadata");
  refuses(R"({"global": {}})", "has no core:datatype");
  refuses(sigmf(R"("core:datatype": 7)"), "has no core:datatype");
  refuses(sigmf(R"("core:datatype": "ci32_le")"), "core:datatype ci32_le: imago reads");
  refuses(sigmf(type + R"(, "core:sample_rate": "fast")"), "core:sample_rate is no number");
  refuses(sigmf(type + R"(, "core:sample_rate": -1)"), "must be above 0");
  refuses(sigmf(type + R"(, "core:num_channels": 1.5)"), "core:num_channels 1.5");
  refuses(sigmf(type + R"(, "core:num_channels": 0)"), "core:num_channels 0");
  refuses(sigmf(type + R"(, "core:trailing_bytes": 8)"), "bytes after its samples");
  refuses(sigmf(type, R"([{"core:frequency": 1e6}, {"core:frequency": 2e6}])"),
          "at several frequencies (1.000000 MHz and 2.000000 MHz)");
  refuses(sigmf(type, R"([{"core:header_bytes": 4}])"), "headers within its samples");
}

std::unique_ptr<Recording> open(const std::filesystem::path& path,
                                const RecordingOptions& options = {}) {
  return open_recording(std::make_shared<InputFile>(path), path, options);
}

TEST_CASE("both files of a SigMF recording name it") {
  const TemporaryFolder folder;
  const auto meta = folder / "a.b.sigmf-meta", data = folder / "a.b.sigmf-data";
  spill(data, raw(0.5f) + raw(-0.5f));
  CHECK_THROWS_WITH(open(data), ContainsSubstring("needs a.b.sigmf-meta next to it, or --format"));
  spill(meta, sigmf(R"("core:datatype": "cf32_le", "core:sample_rate": 1000)",
                    R"([{"core:frequency": 5e6}])"));
  for (const auto& path : {meta, data}) {
    const auto recording = open(path);
    CHECK(recording->about() == "cf32, 1000 Hz, centre 5.000000 MHz, 1 channel, 1 sample (0.00 s)");
    float numbers[2] = {};
    recording->read(0, 1, numbers);
    CHECK(numbers[1] == -0.5f);
  }
  CHECK(open(meta, {.format = {}, .rate = 10, .centre = 20})->about() ==
        "cf32, 10 Hz, centre 20.0 Hz, 1 channel, 1 sample (0.10 s)");
  CHECK(open(data, {.format = format_named("i8"), .rate = {}, .centre = {}})->info().frames == 8);
  CHECK_THROWS_WITH(open(meta, {.format = format_named("i8"), .rate = {}, .centre = {}}),
                    ContainsSubstring("omit --format"));
  std::filesystem::remove(data);
  CHECK_THROWS_WITH(open(meta), ContainsSubstring("needs a.b.sigmf-data next to it"));
}

TEST_CASE("options that do not suit the file are rejected") {
  const TemporaryFolder folder;
  const auto refuses = [&](const std::string& bytes, const RecordingOptions& options,
                           const std::string& reason) {
    spill(folder / "x", bytes);
    CHECK_THROWS_WITH(open(folder / "x", options), ContainsSubstring(reason));
  };
  const RecordingOptions samples{.format = format_named("cu8"), .rate = {}, .centre = {}};
  refuses(test::wav_with({}, "1234"), samples, "is a WAV file, whose header names its format");
  refuses("fLaC1234", samples, "is a FLAC file");
  refuses("\x93NUMPY__", samples, "is a .npy file");
  refuses("12345678", {.format = format_named("cu8"), .rate = {}, .centre = 1e6}, "use --rate");
  refuses("12345678", {.format = format_named("u8"), .rate = 8e3, .centre = 1e6}, "real samples");
  refuses(test::wav_with({}, "1234"), {.format = {}, .rate = {}, .centre = 1e6}, "real samples");
  spill(folder / "a.sigmf", "a.sigmf-meta");
  CHECK_THROWS_WITH(open(folder / "a.sigmf"), ContainsSubstring("unpack it with tar -xf"));
}

}  // namespace
}  // namespace imago::formats
