// This file tests what `imago channel` is made of: its filter, rotations, written recordings, and
// the parts of recordings.
#include <cmath>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "channel_filter.hpp"
#include "fixtures.hpp"
#include "formats/open_recording.hpp"
#include "formats/sample_writer.hpp"
#include "support/catch.hpp"

namespace imago::formats {
namespace {

using command::LowPass;
using command::Rotation;
using test::ContainsSubstring;
using test::spill;
using test::TemporaryFolder;

TEST_CASE("a channel's filter is that of SciPy's kaiserord and firwin") {
  // kaiserord(80, 16e3 / 1.2e6), then firwin(n | 1, 16e3, window=("kaiser", beta), fs=2.4e6).
  const LowPass sharp{.pass = 8e3, .stop = 24e3, .rate = 2.4e6, .attenuation = 80};
  const std::vector<double> taps = sharp.response();
  REQUIRE(taps.size() == 755);
  CHECK(std::abs(sharp.beta() - 7.85726) < 1e-12);
  CHECK(std::abs(taps.front() - -1.8883338555470565e-07) < 1e-18);
  CHECK(std::abs(taps[100] - -9.23583140326166e-05) < 1e-16);
  CHECK(std::abs(taps[taps.size() / 2] - 0.013334014210483197) < 1e-15);
  CHECK(taps.front() == taps.back());
  const LowPass soft{.pass = 1e3, .stop = 3e3, .rate = 8e3, .attenuation = 30};
  CHECK(std::abs(soft.beta() - 2.1166248611409806) < 1e-12);
  CHECK(soft.taps() == 9);
}

TEST_CASE("rotations keep their phase over any number of steps") {
  // A third of a turn: three steps are a turn, also after 10^15 of them.
  const Rotation third(1, 1, 3);
  constexpr std::uint64_t kMany = 3'000'000'000'000'000;
  CHECK(std::abs(third.at(kMany) - third.at(0)) < 1e-3);
  CHECK(std::abs(third.at(4) - std::polar(1.0, -2 * std::numbers::pi / 3)) < 1e-15);
  // 0.3 turns, and whole turns in addition.
  const Rotation whole(1000.3, 1, 1);
  CHECK(std::abs(whole.at(10) - 1.0) < 1e-11);
  const Rotation back(-0.25, 3, 1);
  CHECK(std::abs(back.at(1) - std::complex<double>(0, -1)) < 1e-15);
  const Rotation exact(300012.3, 50, 2.4e6);
  const long double turns = static_cast<long double>(300012.3) * 50 / 2.4e6L * 100'000'000;
  const double angle = -2 * std::numbers::pi * static_cast<double>(turns - std::round(turns));
  CHECK(std::abs(exact.at(100'000'000) - std::polar(1.0, angle)) < 1e-8);
}

/// Writes samples, and reads them.
std::vector<double> through(const std::string& path, const char* format,
                            const std::vector<double>& numbers, RecordingInfo& info) {
  SampleWriter writer(path, {*raw_format(format), 48000, 100.5e6});
  writer.write(std::span(numbers).first(2));
  writer.write(std::span(numbers).subspan(2));
  writer.commit();
  const auto recording =
      open_recording(std::make_shared<InputFile>(path), std::filesystem::path(path), {});
  info = recording->info();
  std::vector<double> found(info.frames * info.numbers());
  recording->read(0, info.frames, found.data());
  return found;
}

TEST_CASE("written recordings are read with their samples, rate and centre") {
  const TemporaryFolder folder;
  const std::vector<double> numbers{0.5, -0.25, 0, 1, -1, 0.125};
  for (const char* name : {"x.wav", "x.sigmf-meta", "x.sigmf-data"}) {
    for (const char* format : {"cf32", "cf64", "ci16", "ci32", "cu8"}) {
      CAPTURE(name, format);
      RecordingInfo info;
      const auto found = through((folder / name).string(), format, numbers, info);
      CHECK(info.rate == 48000);
      CHECK(info.complex);
      CHECK(info.centre == 100.5e6);
      REQUIRE(found.size() == numbers.size());
      const double step = std::string(format) == "cu8" ? 1.0 / 100 : 1.0 / 32768;
      for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - numbers[i]) <= step);
    }
  }
  // Raw samples have the format that the ending names.
  RecordingInfo info;
  CHECK(through((folder / "x.cs16").string(), "cs16", numbers, info).size() == numbers.size());
  CHECK(info.encoding == "ci16");
  CHECK(!info.rate);
}

TEST_CASE("numbers beyond full scale are clipped and counted") {
  const TemporaryFolder folder;
  const std::string path = (folder / "x.ci8").string();
  SampleWriter writer(path, {*raw_format("ci8"), 1, 0});
  writer.write(std::vector<double>{1, -1, 1.5, -2, 0.004, 0.003});
  writer.commit();
  CHECK(read_file(path) == "\x7f\x80\x7f\x80\x01" + std::string(1, '\0'));
  CHECK(writer.clipped() == 2);
}

TEST_CASE("formats that an output cannot have are rejected") {
  const auto refused = [](const char* path, const char* wish, const char* why) {
    const auto format = wish ? raw_format(wish) : std::nullopt;
    CHECK_THROWS_WITH(written_format(path, format, true), ContainsSubstring(why));
  };
  refused("x.bin", nullptr, "no known ending");
  refused("x.wav", "ci8", "WAV file, which cannot have ci8");
  refused("x.cf32", "f32", "has the format f32, but the samples are complex");
  refused("x.f32", nullptr, "has the format f32");
  CHECK(written_format("x.wav", {}, true) == *raw_format("cf32"));
  CHECK(written_format("x.CS16", {}, true) == *raw_format("ci16"));
  CHECK(written_format("-", {}, true) == *raw_format("cf32"));
  CHECK(written_format("x.bin", raw_format("cu8"), true) == *raw_format("cu8"));
}

TEST_CASE("names of raw files have their formats") {
  const TemporaryFolder folder;
  spill(folder / "x.cs8", "\x40\x80");
  spill(folder / "x.CFILE", test::raw(0.5f) + test::raw(1.f));
  const auto open = [&](const char* name, const RecordingOptions& options = {}) {
    return open_recording(std::make_shared<InputFile>(folder / name), folder / name, options)
        ->info()
        .encoding;
  };
  CHECK(open("x.cs8") == "ci8");
  CHECK(open("x.CFILE") == "cf32");
  CHECK(open("x.cs8", {.format = raw_format("u8")}) == "u8");
}

TEST_CASE("parts of recordings begin and end where they should") {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += test::raw(static_cast<std::int16_t>(i));
  spill(folder / "x.i16", bytes);
  const auto part = [&](std::optional<double> start, std::optional<double> duration) {
    return open_recording(std::make_shared<InputFile>(folder / "x.i16"), folder / "x.i16",
                          {.rate = 10, .start = start, .duration = duration});
  };
  const auto middle = part(2.5, 1);
  CHECK(middle->info().frames == 10);
  CHECK(middle->info().first == 25);
  std::vector<std::int16_t> numbers(3);
  middle->read(1, 3, numbers.data());
  CHECK(numbers == std::vector<std::int16_t>{26, 27, 28});
  CHECK_THAT(middle->about(), ContainsSubstring("10 samples (1.00 s) from 2.50 s on"));
  CHECK(part(9, 5)->info().frames == 10);
  CHECK(part({}, 3)->info().frames == 30);
  CHECK_THROWS_WITH(part(10, {}), ContainsSubstring("has 10.000 s: --start must be less"));
  CHECK_THROWS_WITH(part({}, 0.0), ContainsSubstring("--duration of 0 s"));
  CHECK_THROWS_WITH(
      open_recording(std::make_shared<InputFile>(folder / "x.i16"), folder / "x.i16", {.start = 1}),
      ContainsSubstring("use --rate"));
}

TEST_CASE("WAV files of radio programs have a centre frequency") {
  const auto centre = [](const std::string& contents, std::uint16_t channels = 2) {
    const std::string bytes =
        test::riff(test::wav_format({1, channels, 8000, 16}) + test::wav_chunk("auxi", contents) +
                   test::wav_chunk("data", std::string(8, '\1')));
    const SoundFile recording = test::recording_of(bytes);
    return recording.info().complex ? recording.info().centre : -1;
  };
  CHECK(centre(std::string(32, '\0') + test::raw(std::uint32_t{101'700'000})) == 101.7e6);
  CHECK(centre("<Definition RadioCenterFreq=\"7074000\" />") == 7.074e6);
  CHECK(centre(std::string("<\0R\0a\0d\0i\0o\0C\0e\0n\0t\0e\0r\0F\0r\0e\0q\0=\0\"\0007\0\"\0",
                           38)) == 7);
  // Other chunks, and other numbers of channels, are those of sounds.
  CHECK(centre(std::string(20, '\0')) == -1);
  CHECK(centre("<xml RadioCenterFreq=\"?\">") == -1);
  CHECK(centre(std::string(36, '\1'), 1) == -1);
}

/// Returns a header of a tar archive and the contents.
std::string tar_entry(const std::string& name, const std::string& contents, char kind = '0',
                      const std::string& folder = {}) {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  header.replace(100, 8, std::string("0000644\0", 8));
  header.replace(124, 12, fmt::format("{:011o}", contents.size()) + '\0');
  header.replace(148, 8, "        ");
  header[156] = kind;
  header.replace(257, 8, std::string("ustar\00000", 8));
  header.replace(345, folder.size(), folder);
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  header.replace(148, 8, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return header + contents + std::string((512 - contents.size() % 512) % 512, '\0');
}

TEST_CASE("SigMF archives are read as their files are") {
  const TemporaryFolder folder;
  const std::string meta =
      R"({"global": {"core:datatype": "ci16_le", "core:sample_rate": 8e3, "core:version": "1.2.0"},
          "captures": [{"core:sample_start": 0, "core:frequency": 5e6}], "annotations": []})";
  const std::string data = test::raw<std::int16_t>(-16384) + test::raw<std::int16_t>(8192);
  const auto open = [&](const std::string& archive) {
    spill(folder / "x.sigmf", archive);
    return open_recording(std::make_shared<InputFile>(folder / "x.sigmf"), folder / "x.sigmf", {});
  };
  const std::string end(1024, '\0');
  const std::string files = tar_entry("a/", "", '5') + tar_entry("a/b.sigmf-data", data) +
                            tar_entry("a/b.sigmf-meta", meta);
  const auto recording = open(files + end);
  CHECK(recording->info().centre == 5e6);
  CHECK(recording->info().frames == 1);
  std::vector<double> numbers(2);
  recording->read(0, 1, numbers.data());
  CHECK(numbers == std::vector<double>{-0.5, 0.25});
  // Long names: a folder, GNU's entries, and a pax header, which Python writes.
  const std::string pax = "18 mtime=123456.5\n23 path=a/b.sigmf-data\n";
  CHECK(open(tar_entry("b.sigmf-meta", meta, '0', "a") + tar_entry("PaxHeaders/b", pax, 'x') +
             tar_entry("cut", data) + end)
            ->info()
            .frames == 1);
  CHECK(open(tar_entry("b.sigmf-meta", meta) +
             tar_entry("././@LongLink", std::string("b.sigmf-data\0", 13), 'L') +
             tar_entry("cut", data))
            ->info()
            .frames == 1);
  CHECK_THROWS_WITH(open(files + tar_entry("a/c.sigmf-meta", meta)),
                    ContainsSubstring("has 2 recordings"));
  CHECK_THROWS_WITH(open(tar_entry("b.sigmf-meta", meta) + end),
                    ContainsSubstring("has no samples for b.sigmf-meta"));
  CHECK_THROWS_WITH(open(end), ContainsSubstring("has 0 recordings"));
  CHECK_THROWS_WITH(open(std::string(600, 'x')), ContainsSubstring("damaged tar archive"));
  CHECK_THROWS_WITH(open(tar_entry("b.sigmf-meta", meta).substr(0, 600)),
                    ContainsSubstring("cut short"));
  CHECK_THROWS_WITH(open(tar_entry("x", "99 path=a\n", 'x') + files),
                    ContainsSubstring("damaged tar archive"));
}

}  // namespace
}  // namespace imago::formats
