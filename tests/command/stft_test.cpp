// This file tests `imago spectrogram`: its levels compared with a sum in double precision for each
// sample type, and the levels in pictures.
#include "stft.hpp"

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>

#include "fixtures.hpp"
#include "formats/raster.hpp"
#include "formats/raw_recording.hpp"
#include "level_map.hpp"
#include "support/catch.hpp"

namespace imago::command {
namespace {

using test::Approx;
using test::ContainsSubstring;
using test::WavFormat;

/// Returns the bytes of a file: a recording of two tones and noise in a sample format.
std::string recording(const WavFormat& format, std::size_t moments) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(-0.05, 0.05);
  std::string bytes;
  for (std::size_t i = 0; i < moments; ++i) {
    for (std::size_t channel = 0; channel < format.channels; ++channel) {
      const double t = static_cast<double>(i);
      const double x = 0.5 * std::sin(0.3 * t) +
                       0.3 * std::cos((1.1 + 0.2 * static_cast<double>(channel)) * t) +
                       noise(random);
      if (format.tag == 3 && format.bits == 32) bytes += test::raw(static_cast<float>(x));
      if (format.tag == 3 && format.bits == 64) bytes += test::raw(x);
      if (format.tag == 1 && format.bits == 8)
        bytes += static_cast<char>(std::lround(128 + 127 * x));
      if (format.tag == 1 && format.bits == 16)
        bytes += test::raw(static_cast<std::int16_t>(std::lround(32767 * x)));
      if (format.tag == 1 && format.bits == 24)
        bytes += test::raw(static_cast<std::int32_t>(std::lround(8388607 * x))).substr(0, 3);
    }
  }
  return test::wav_with(format, bytes);
}

/// Returns the level of a bin of a frame by its definition, in double precision.
double level(const std::vector<double>& samples, const StftRequest& request, std::size_t channel,
             std::size_t frame, std::size_t bin) {
  const std::size_t n = request.framing.length;
  std::complex<double> sum = 0;
  double gain = 0;
  for (std::size_t j = 0; j < request.span; ++j) {
    const double weight = window_value(request.window, j, request.span);
    gain += weight;
    const std::size_t moment = frame * request.framing.hop + j;
    if (moment >= samples.size() / request.channels) continue;
    const double x = samples[moment * request.channels + channel];
    sum += weight * x *
           std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * bin % n) /
                               static_cast<double>(n));
  }
  const bool twice = bin != 0 && 2 * bin != n;
  const double amplitude = std::abs(sum) * (twice ? 2 : 1) / gain;
  return 20 * std::log10(amplitude);
}

/// Returns the largest difference of levels above -90 dB, over all channels, in calls of few
/// frames.
double largest_difference(const Session& session, const WavFormat& format, const Framing& framing,
                          Window window, std::size_t moments) {
  const std::string bytes = recording(format, moments);
  formats::SoundFile wav = test::recording_of(bytes);
  std::vector<double> samples(moments * wav.info().channels);
  wav.read(0, moments, samples.data());
  const std::size_t frames = framing.count(moments);
  const StftRequest request{wav.info().channels,
                            false,
                            wav.info().integer_scale,
                            framing,
                            window,
                            std::min(moments, framing.length),
                            std::min<std::size_t>(frames, 5),
                            true,
                            format.bits == 64 ? Precision::f64 : Precision::f32};
  Stft stft(session, request, {.disk_cache = false, .profiles = false});
  double largest = 0;
  std::size_t compared = 0;
  for (std::size_t first = 0; first < frames; first += stft.frames()) {
    const std::size_t skipped = first * framing.hop,
                      count = std::min(stft.frames(), frames - first),
                      part =
                          std::min((count - 1) * framing.hop + framing.length, moments - skipped);
    stft.load(wav, skipped, part);
    for (std::size_t channel = 0; channel < wav.info().channels; ++channel) {
      const std::vector<float>& levels = stft.run(channel);
      for (std::size_t i = 0; i < count * stft.bins(); ++i) {
        const double wanted =
            level(samples, request, channel, first + i / stft.bins(), i % stft.bins());
        if (wanted < -90) continue;
        ++compared;
        const double off = std::abs(levels[i] - wanted);
        if (!(off <= largest)) largest = off;  // also for a NaN
      }
    }
  }
  CHECK(compared > frames * stft.bins() / 4);
  return largest;
}

TEST_CASE("levels are those of a sum in double, for every kind of sample") {
  const Session session = open_session("", Precision::f32);
  constexpr double kNear = 2e-2;  // decibels; 90 dB below the highest level, f32 has two digits
  for (const WavFormat& format :
       {WavFormat{1, 1, 8000, 16}, WavFormat{1, 2, 8000, 16}, WavFormat{1, 1, 8000, 8},
        WavFormat{1, 3, 8000, 8}, WavFormat{1, 2, 8000, 24}, WavFormat{3, 1, 8000, 32},
        WavFormat{3, 2, 8000, 64}}) {
    CAPTURE(format.bits, format.channels);
    CHECK(largest_difference(session, format, {64, 16}, Window::hann, 300) < kNear);
  }
  const WavFormat pcm{1, 2, 8000, 16};
  for (const Window window : {Window::none, Window::hamming, Window::blackman,
                              Window::blackman_harris, Window::flat_top}) {
    CAPTURE(window);
    CHECK(largest_difference(session, pcm, {64, 64}, window, 300) < kNear);
  }
  CHECK(largest_difference(session, pcm, {45, 13}, Window::hann, 200) < kNear);    // an odd frame
  CHECK(largest_difference(session, pcm, {256, 256}, Window::hann, 100) < kNear);  // a long one
  CHECK(largest_difference(session, pcm, {2, 1}, Window::none, 9) < kNear);
}

TEST_CASE("complex samples have levels below and above frequency 0") {
  const Session session = open_session("", Precision::f32);
  // In channel 1, a sinusoid of amplitude 1/2 at bin -5, and of 1/4 at 9, of frames of n samples.
  const auto levels_of = [&](const char* word, std::size_t n, bool decibels) {
    const auto format = base::value_of(formats::kRawFormats, word).value();
    std::string bytes;
    for (std::size_t i = 0; i < 4 * n; ++i) {
      const auto turn = [&](double bin) {
        return std::polar(
            1.0, 2 * std::numbers::pi * bin * static_cast<double>(i) / static_cast<double>(n));
      };
      const std::complex<double> x = 0.5 * turn(-5) + 0.25 * turn(9);
      for (const double part : {0.0, 0.0, x.real(), x.imag()})
        bytes += format.type == formats::RawType::f32
                     ? test::raw(static_cast<float>(part))
                     : test::raw(static_cast<std::uint8_t>(std::lround(127.5 * part + 127.5)));
    }
    formats::RawRecording recording(test::source_of(bytes), {format, 2, {}});
    const StftRequest request{.channels = 2,
                              .complex = true,
                              .integer_scale = recording.info().integer_scale,
                              .framing = {n, n / 2},
                              .window = Window::hann,
                              .span = n,
                              .frames = 7,
                              .decibels = decibels};
    Stft stft(session, request, {.disk_cache = false, .profiles = false});
    CHECK(stft.bins() == n);
    const std::size_t moments = 6 * (n / 2) + n;
    stft.load(recording, 0, moments);
    CHECK(stft.not_finite(1, moments) == 0);
    return stft.run(1);
  };
  for (const std::size_t n : {64u, 45u}) {
    const std::size_t zero = n / 2;
    for (const char* word : {"cf32", "cu8"}) {
      CAPTURE(n, word);
      const auto levels = levels_of(word, n, true);
      for (std::size_t frame = 0; frame < 7; ++frame) {
        CHECK(levels[frame * n + zero - 5] == Approx(20 * std::log10(0.5)).margin(0.05));
        CHECK(levels[frame * n + zero + 9] == Approx(20 * std::log10(0.25)).margin(0.05));
        CHECK(levels[frame * n + zero + 5] < -40);
      }
    }
    CHECK(levels_of("cf32", n, false)[3 * n + zero - 5] == Approx(0.25).margin(1e-5));
  }
}

/// Returns the levels of frames of 64 samples of a mono recording.
template <class Number>
std::vector<float> levels_of(const Session& session, const std::vector<Number>& samples) {
  std::string data;
  for (const Number sample : samples) data += test::raw(sample);
  const std::string bytes = test::wav_with(WavFormat{3, 1, 8000, 8 * sizeof(Number)}, data);
  formats::SoundFile wav = test::recording_of(bytes);
  const StftRequest request{
      .integer_scale = {},
      .framing = {64, 64},
      .window = Window::hann,
      .span = 64,
      .frames = samples.size() / 64,
      .precision = wav.info().double_samples ? Precision::f64 : Precision::f32};
  Stft stft(session, request, {.disk_cache = false, .profiles = false});
  stft.load(wav, 0, samples.size());
  CHECK(stft.not_finite(0, samples.size()) == 0);
  return stft.run(0);
}

TEST_CASE("levels of samples of any size are right, and silence has none") {
  const Session session = open_session("", Precision::f64);
  const auto check = [&](auto size, double decibels) {
    CAPTURE(decibels);
    using Number = decltype(size);
    std::vector<Number> samples(128);  // a tone in the first frame, and silence
    for (std::size_t i = 0; i < 64; ++i)
      samples[i] = static_cast<Number>(
          size * std::sin(2 * std::numbers::pi * 5 / 64.0 * static_cast<double>(i)));
    const auto levels = levels_of(session, samples);
    REQUIRE(levels.size() == 66);
    CHECK(levels[5] == Approx(decibels).margin(0.01));
    CHECK(levels[20] < decibels - 100);
    for (std::size_t bin = 33; bin < 66; ++bin)
      CHECK(levels[bin] == -std::numeric_limits<float>::infinity());
  };
  check(1e-21f, -420);
  check(1e-38f, -760);
  check(1e38f, 760);
  check(1e-21, -420);
  check(1e200, 4000);
  check(1e-200, -4000);
  check(5e-310, -6186.02);
  check(1.5e308, 6163.52);
}

TEST_CASE("recordings in double precision have levels in double precision") {
  const Session session = open_session("", Precision::f64);
  std::vector<double> samples(128);
  for (std::size_t i = 0; i < 64; ++i) {
    const double turn = 2 * std::numbers::pi * static_cast<double>(i) / 64;
    samples[i] = std::sin(5 * turn) + 1e-10 * std::sin(20 * turn);
  }
  CHECK(levels_of(session, samples)[20] == Approx(-200).margin(0.01));
}

TEST_CASE("a sinusoid of full scale has 0 dB in every window") {
  for (const Window window : {Window::none, Window::hann, Window::hamming, Window::blackman,
                              Window::blackman_harris, Window::flat_top})
    CHECK(window_sum(window, 64) == Approx(64 * (window == Window::none       ? 1
                                                 : window == Window::hann     ? 0.5
                                                 : window == Window::hamming  ? 0.54
                                                 : window == Window::blackman ? 0.42
                                                 : window == Window::flat_top ? 0.21557895
                                                                              : 0.35875)));
}

TEST_CASE("a map keeps the loudest of many frames and bins") {
  LevelMap map(10000, 3000, {});
  std::vector<float> quiet(3000, -90);
  for (std::size_t i = 0; i < 10000; i += 7) map.add(i, quiet);
  quiet[1234] = -3;
  map.add(4321, quiet);
  CHECK(map.loudest().decibels == Approx(-3).margin(1e-6));
  CHECK(map.loudest().frame == 4321);
  CHECK(map.loudest().bin == Approx(1234).margin(1e-3));
  const formats::Panel panel = map.panel("x");
  CHECK(panel.decibels.size() <= 1600);
  const auto& moment = panel.decibels.at(4321 * panel.decibels.size() / 10000);
  const auto top = std::max_element(moment.begin(), moment.end());
  CHECK(*top == -3);
  LevelMap silent(2, 3, {});
  silent.add(0, std::vector<float>(3, -std::numeric_limits<float>::infinity()));
  CHECK(silent.lost() == 0);
  CHECK(!std::isfinite(silent.loudest().decibels));
  silent.add(1, std::vector<float>{-800, -700, -900});
  CHECK(silent.loudest().decibels == Approx(-700).margin(0.1));
  CHECK(silent.loudest().frame == 1);
  CHECK(std::abs(static_cast<double>(top - moment.begin()) / static_cast<double>(moment.size()) -
                 1234.0 / 3000) < 2.0 / static_cast<double>(moment.size()));
}

TEST_CASE("frames that are not finite have no levels, and are counted") {
  const Session session = open_session("", Precision::f32);
  std::string samples;
  for (std::size_t i = 0; i < 64 * 20; ++i) {
    const auto x = static_cast<float>(0.5 * std::sin(0.4 * static_cast<double>(i)));
    const float left = i == 64 * 5 ? std::nanf("") : i == 64 * 9 ? HUGE_VALF : x;
    samples += test::raw(left) + test::raw(i < 64 * 15 ? x : 1e20f * x);
  }
  const std::string bytes = test::wav_with(WavFormat{3, 2, 8000, 32}, samples);
  formats::SoundFile wav = test::recording_of(bytes);
  Stft stft(session, {2, false, {}, {64, 64}, Window::none, 64, 20},
            {.disk_cache = false, .profiles = false});
  stft.load(wav, 0, 64 * 20);
  CHECK(stft.not_finite(0, 64 * 20) == 2);
  CHECK(stft.not_finite(0, 64 * 9) == 1);
  CHECK(stft.not_finite(1, 64 * 20) == 0);
  const auto map_of = [&](std::size_t channel) {
    LevelMap map(20, 33, {});
    const std::vector<float>& levels = stft.run(channel);
    for (std::size_t i = 0; i < 20; ++i)
      map.add(i, std::span<const float>(levels).subspan(33 * i, 33));
    return map;
  };
  const LevelMap left = map_of(0), right = map_of(1);
  CHECK(left.lost() == 2);
  CHECK(left.loudest().decibels == Approx(-6).margin(0.5));
  CHECK(right.lost() == 0);
  CHECK(right.loudest().decibels == Approx(394).margin(0.5));
  CHECK(right.loudest().frame >= 15);
  const formats::Panel panel = left.panel("");
  for (const std::size_t frame : {5, 9}) CHECK(std::isnan(panel.decibels.at(frame).at(3)));
  CHECK(std::isfinite(panel.decibels.at(6).at(3)));
}

TEST_CASE("a picture in PNG, where there is cairo") {
  formats::SpectrogramPicture picture;
  picture.captions.title = "a & b \xff";
  picture.time = {0, 2, "Time (s)"};
  picture.frequency = {0, 4, "Frequency (kHz)"};
  picture.level_title = "Level (dBFS)";
  picture.panels.push_back({"left", {{-20, -40, -60}, {-30, std::nan(""), -1e300}}});
  picture.panels.push_back({"right", {{-20, -40, -60}, {-30, -50, -70}}});
  if (!formats::can_draw_png()) {
    CHECK_THROWS_WITH(formats::draw_png(picture), ContainsSubstring("needs cairo"));
    return;
  }
  const std::string bytes = formats::draw_png(picture);
  CHECK(bytes.substr(0, 8) == "\x89PNG\r\n\x1a\n");
  const formats::SpectrogramPage page = formats::page_of(picture);
  const auto size = [&](std::size_t at) {
    return (static_cast<unsigned char>(bytes[at + 2]) << 8) +
           static_cast<unsigned char>(bytes[at + 3]);
  };
  CHECK(size(16) == 2 * page.width);
  CHECK(size(20) == 2 * page.height);
}

}  // namespace
}  // namespace imago::command
