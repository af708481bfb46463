// This file tests the reading of raw samples and of SigMF recordings, and rejected ones.
#include "formats/raw_recording.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "fixtures.hpp"
#include "formats/open_recording.hpp"
#include "formats/sigmf.hpp"
#include "formats/sound_view.hpp"
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
  const std::string ends = raw<std::uint32_t>(0) + raw<std::uint32_t>(0xc0000000);
  CHECK(numbers_of<double>(ends, format_named("cu32")) == Doubles{-1, 0.5});
  CHECK(numbers_of<double>(raw<std::int32_t>(INT32_MIN) + raw<std::int32_t>(1),
                           format_named("ci32")) == Doubles{-1, 0x1p-31});
  CHECK(numbers_of<float>(raw<std::int32_t>(1 << 30), format_named("i32")) ==
        std::vector<float>{0.5f});
  CHECK(numbers_of<double>(raw<std::uint16_t>(0) + raw<std::uint16_t>(0x8001),
                           format_named("cu16")) == Doubles{-1, 1.0 / 32768});
  const std::string big{'\x3f', '\x80', 0, 0, '\xc0', 0, 0, 0};  // 1 and -2
  CHECK(numbers_of<double>(big, {RawType::f32, true, true}) == Doubles{1, -2});
}

TEST_CASE("integers of 16 bits and less are read unscaled, with their unit") {
  using Shorts = std::vector<std::int16_t>;
  CHECK(numbers_of<std::int16_t>("\x80\x7f", format_named("i8")) == Shorts{-128, 127});
  CHECK(numbers_of<std::int16_t>(std::string("\0\x80\xff", 3), format_named("u8")) ==
        Shorts{-255, 1, 255});
  CHECK(numbers_of<std::int16_t>(raw<std::int16_t>(-7), format_named("i16")) == Shorts{-7});
  CHECK(numbers_of<std::int16_t>(raw<std::uint16_t>(0xffff) + raw<std::uint16_t>(0x7fff),
                                 format_named("u16")) == Shorts{32767, -1});
  CHECK(numbers_of<std::int16_t>("\x01\x02", {RawType::i16, false, true}) == Shorts{0x102});
  for (const auto& [word, format] : kRawFormats) {
    CAPTURE(word);
    const RawRecording recording = raw_of(std::string(16, '\1'), format);
    CHECK(recording.info().encoding == word);
    CHECK(recording.info().complex == word.starts_with('c'));
    CHECK(recording.info().double_samples == word.ends_with("f64"));
    CHECK(recording.info().full_scale == (word.find('f') == word.npos));
    CHECK(recording.info().integer_scale.has_value() ==
          (recording.info().full_scale && !word.ends_with("32")));
    CHECK(raw_format(word) == format);
  }
}

TEST_CASE("formats have the names that radio programs give them, in any letters") {
  const auto is = [](const char* alias, const char* name) {
    CAPTURE(alias);
    CHECK(raw_format(alias) == format_named(name));
  };
  is("cs8", "ci8"), is("cs16", "ci16"), is("cs32", "ci32"), is("CS16", "ci16"), is("CF32", "cf32");
  is("sc8", "ci8"), is("sc16", "ci16"), is("sc32", "ci32"), is("fc32", "cf32"), is("fc64", "cf64");
  is("s8", "i8"), is("s16", "i16"), is("s32", "i32"), is("uc8", "cu8"), is("CU16", "cu16");
  for (const char* none : {"", "c", "cs12", "cf16", "cs16 ", "xf32"}) CHECK(!raw_format(none));
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
  const RawLayout one = parse_sigmf(sigmf(R"("core:datatype": "cu8", "core:sample_rate": 2.4e6)",
                                          R"([{"core:sample_start": 0, "core:frequency": 100e6}])"))
                            .layout;
  CHECK(one.format == format_named("cu8"));
  CHECK(one.rate == 2.4e6);
  CHECK(one.centre == 100e6);
  CHECK(one.channels == 1);
  const RawLayout other =
      parse_sigmf(sigmf(R"("core:datatype": "ri16_be", "core:num_channels": 3)",
                        R"([{"core:sample_start": 0}, {"core:sample_start": 9}])"))
          .layout;
  CHECK(other.format == RawFormat{RawType::i16, false, true});
  CHECK(!other.rate);
  CHECK(other.channels == 3);
  for (const char* word : {"cf64", "ci32", "cu32", "cu16"})
    CHECK(parse_sigmf(sigmf(fmt::format(R"("core:datatype": "{}_le")", word))).layout.format ==
          format_named(word));
}

TEST_CASE("SigMF metadata that imago cannot use is rejected with the reason") {
  const auto refuses = [](const std::string& text, const std::string& reason) {
    CHECK_THROWS_WITH(parse_sigmf(text), ContainsSubstring(reason));
  };
  const std::string type = R"("core:datatype": "cf32_le")";
  refuses("", "is no SigMF metadata, which is JSON: parse error at line 1, column 1");
  refuses("[1, 2]", "is no SigMF metadata");
  refuses(R"({"global": 3})", "is no SigMF metadata");
  refuses(sigmf(type).substr(0, 40), "is no SigMF metadata");
  refuses("{\"global\":\n  {\"core:datatype\" \"cu8\"}}", "parse error at line 2, column 24");
  refuses(R"({"global": {"core:sample_rate": 1e999}})", "number overflow");
  refuses(R"({"global": {}})", "has no core:datatype");
  refuses(sigmf(R"("core:datatype": 7)"), "has no core:datatype");
  refuses(sigmf(R"("core:datatype": "ci64_le")"), "core:datatype ci64_le: imago reads");
  refuses(sigmf(R"("core:datatype": "cs16_le")"), "core:datatype cs16_le: imago reads");
  refuses(sigmf(type + R"(, "core:sample_rate": "fast")"), "core:sample_rate is no number");
  refuses(sigmf(type + R"(, "core:sample_rate": -1)"), "-1, which must be from 1e-30 to 1e+30");
  refuses(sigmf(type + R"(, "core:sample_rate": 1e-300)"), "must be from 1e-30");
  refuses(sigmf(type + R"(, "core:num_channels": 1.5)"), "core:num_channels 1.5");
  refuses(sigmf(type + R"(, "core:num_channels": 0)"), "core:num_channels 0");
  for (const char* wrong : {"-8", "0.5", "\"8\""})
    refuses(sigmf(type + R"(, "core:trailing_bytes": )" + wrong),
            "core:trailing_bytes is no count");
  refuses(sigmf(type, R"([{"core:frequency": 1e6}, {"core:frequency": 2e6}])"),
          "at several frequencies (1.000000 MHz and 2.000000 MHz)");
  refuses(sigmf(type, R"([{"core:header_bytes": -4}])"), "core:header_bytes is no count");
  refuses(sigmf(type, R"([{"core:sample_start": 9}, {"core:sample_start": 8}])"),
          "not in the order");
  refuses(sigmf(type + R"(, "core:dataset": 3)"), "core:dataset is no text");
  for (const char* name : {"", ".", "..", "../a.raw", "/etc/passwd", "b\\\\a.raw", "a\\u0000b"})
    refuses(sigmf(type + R"(, "core:dataset": ")" + name + '"'),
            "must be the name of a file in the same folder");
}

TEST_CASE("bytes around the samples of a SigMF recording are skipped") {
  // Samples of two bytes: their numbers, and headers and a trailer of x.
  const auto samples = [](const std::string& file, const std::string& global,
                          const std::string& captures) {
    const ByteSource found = samples_of(
        test::source_of(file), parse_sigmf(sigmf(R"("core:datatype": "cu8")" + global, captures)));
    std::string all = bytes_at(found, 0, found.size);
    for (std::uint64_t from = 0; from < found.size; ++from)  // any part of them
      for (std::uint64_t count = 0; count <= found.size - from; ++count)
        CHECK(bytes_at(found, from, count) == all.substr(from, count));
    return all;
  };
  const std::string trailing = R"(, "core:trailing_bytes": 3)";
  const auto capture = [](int start, int bytes) {
    return fmt::format(R"({{"core:sample_start": {}, "core:header_bytes": {}}})", start, bytes);
  };
  CHECK(samples("001122xxx", trailing, "[]") == "001122");
  CHECK(samples("xx001122", "", "[" + capture(0, 2) + "]") == "001122");
  CHECK(samples("xxxx0011xxxx2233xxx", trailing, "[" + capture(0, 4) + "," + capture(2, 4) + "]") ==
        "00112233");
  CHECK(samples("0011x22", "", "[" + capture(2, 1) + "]") == "001122");
  CHECK(samples("0011xx22", "",
                "[" + capture(0, 0) + "," + capture(2, 1) + "," + capture(2, 1) + "]") == "001122");
  // All numbers of samples count from core:offset. Captures after the end do not matter.
  CHECK(samples("x0011x22", R"(, "core:offset": 100)",
                "[" + capture(100, 1) + "," + capture(102, 1) + "," + capture(900, 7) + "]") ==
        "001122");
  CHECK(samples("x00x", "", "[" + capture(0, 1) + "," + capture(1, 9) + "]") == "00");
  CHECK(samples("00", "",
                R"([{"core:sample_start": 18446744073709551615, "core:header_bytes": 1}])") ==
        "00");
  CHECK_THROWS_WITH(samples("xx", trailing, "[]"),
                    ContainsSubstring("has 2 bytes, but its metadata has 3 core:trailing_bytes"));
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
    CHECK(recording->about() ==
          "cf32, 1000 Hz, centre 5.000000 MHz, 1 channel, 1 sample (0.001 s)");
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

TEST_CASE("a SigMF recording names the file with its samples") {
  const TemporaryFolder folder;
  const auto meta = folder / "a.sigmf-meta", data = folder / "a.sigmf-data";
  const std::string type = R"("core:datatype": "rf32_le", "core:sample_rate": 1000)";
  const auto value_of = [](const std::filesystem::path& path) {
    float number = 0;
    open(path)->read(0, 1, &number);
    return number;
  };
  spill(meta, sigmf(type + R"(, "core:dataset": "b\u001b.raw")"));
  spill(data, raw(1.0f));  // belongs to another recording
  CHECK_THROWS_WITH(open(meta), ContainsSubstring("b\x1b.raw next to it"));
  spill(folder / "b\x1b.raw", raw(2.0f));
  CHECK(value_of(meta) == 2);
  CHECK(open(meta)->about() == "f32 in b\\x1b.raw, 1000 Hz, 1 channel, 1 sample (0.001 s)");
  CHECK_THROWS_WITH(open(data),
                    ContainsSubstring("is not the file that a.sigmf-meta describes, b\x1b.raw"));
  spill(meta, sigmf(type + R"(, "core:dataset": "a.sigmf-data")"));
  CHECK(value_of(meta) == 1);
  CHECK(value_of(data) == 1);
  // A WAV file, whose header has 44 bytes.
  spill(folder / "c.wav", test::wav_with({3, 1, 8000, 32}, raw(3.0f)));
  spill(meta, sigmf(type + R"(, "core:dataset": "c.wav")",
                    R"([{"core:sample_start": 0, "core:header_bytes": 44}])"));
  CHECK(value_of(meta) == 3);
  CHECK(open(meta)->info().frames == 1);
}

TEST_CASE("the names of a SigMF recording may have capital letters") {
  const TemporaryFolder folder;
  const auto meta = folder / "A.SIGMF-META", data = folder / "A.SIGMF-DATA";
  spill(meta, sigmf(R"("core:datatype": "ci8")"));
  spill(data, "abcd");
  for (const auto& path : {meta, data}) CHECK(open(path)->info().frames == 2);
  std::filesystem::rename(data, folder / "A.sigmf-data");
  CHECK(open(meta)->info().frames == 2);
  spill(folder / "B.SIGMF", "");
  CHECK_THROWS_WITH(open(folder / "B.SIGMF"), ContainsSubstring("unpack it"));
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

TEST_CASE("each format of the table is found by its first bytes, or by its ending") {
  for (const Format& format : all_formats()) {
    std::string head(format.magic);
    head.resize(8);
    head += format.form;
    INFO(format.magic << format.ending << ": " << format.name);
    CHECK(format.magic.empty() != format.ending.empty());
    CHECK(format.open != nullptr);
    CHECK(format_of(head, "x" + std::string(format.ending)) == &format);  // none before hides it
  }
  CHECK(format_of("\x93NUMPY\1", "x")->array);
  CHECK_FALSE(format_of("fLaC", "x")->array);
  CHECK(format_of("RIFF1234AVI ", "x.avi") == nullptr);
  CHECK(format_of("", "x.sigmf-dat") == nullptr);
  CHECK(endings_text() == ".wav, .sigmf-meta, ...");
}

}  // namespace
}  // namespace imago::formats
