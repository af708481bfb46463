// This file is the program of docs/hooks/ready-made.md: imago's own hooks
// compute an 8-bit picture of the spectrum of an 8-bit picture.
//
// `hooks_ready_made <pictures.png>` draws both.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include <imago/imago.hpp>

#include "formats/file.hpp"
#include "sheet.hpp"

namespace imago::examples {
namespace {

using Pixels = std::vector<std::uint8_t>;

constexpr std::size_t kSide = 256;

/// Returns a disc with waves of 20 periods down and 12 across, and weaker ones
/// of -30 and 60.
Pixels waves() {
  constexpr double kRadius = 0.2, kTurn = 2 * std::numbers::pi;
  Pixels pixels;
  for (std::size_t i = 0; i < kSide; ++i) {
    for (std::size_t j = 0; j < kSide; ++j) {
      const double y = static_cast<double>(i) / kSide,
                   x = static_cast<double>(j) / kSide;
      const double grey = 128 + 90 * std::cos(kTurn * (20 * y + 12 * x)) +
                          30 * std::cos(kTurn * (60 * x - 30 * y));
      const bool inside = std::hypot(x - 0.5, y - 0.5) < kRadius;
      pixels.push_back(
          static_cast<std::uint8_t>(inside ? std::lround(grey) : 0));
    }
  }
  return pixels;
}

std::vector<float> hann() {
  std::vector<float> window;
  for (std::size_t j = 0; j < kSide; ++j)
    window.push_back(static_cast<float>(
        0.5 -
        0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(j) / kSide)));
  return window;
}

// Shown in docs/hooks/ready-made.md:
/// Returns grey values of a picture's half spectrum, 60 dB from black to white,
/// with frequency 0 of the rows in the middle.
Pixels spectrum_of(Pixels pixels) {
  const cl::Device device = find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  std::vector<float> window = hann();

  Transform transform{.kind = Kind::real,
                      .lengths = {kSide, kSide},
                      .directions = Directions::forward};
  // The windows' means are one half, so a wave of amplitude 1 has kSide^2 / 8
  // at its point.
  const double unit = 1000 / (kSide * kSide / 8.0);
  transform.on_forward = {
      .load = {hook::from_integer(Integer::u8, 1.0 / 255),
               hook::window(0, "hann"), hook::window(1, "hann_again")},
      .store = {hook::shift({0}), hook::scale(unit), hook::decibels(1),
                hook::scale(255.0 / 60), hook::to_integer(Integer::u8)}};
  const Plan plan(context, device, transform);

  const cl::Buffer in(context, CL_MEM_COPY_HOST_PTR, pixels.size(),
                      pixels.data());
  const cl::Buffer out(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
  const cl::Buffer factors(context, CL_MEM_COPY_HOST_PTR, 4 * kSide,
                           window.data());
  plan.forward(queue, in, out,
               {.arguments = {{"hann", factors}, {"hann_again", factors}}});
  pixels.resize(plan.spectrum_bytes());
  queue.enqueueReadBuffer(out, CL_TRUE, 0, pixels.size(), pixels.data());
  std::printf("%zu bytes in, %zu bytes out\n", plan.signal_bytes(),
              plan.spectrum_bytes());
  return pixels;
}
// Until here.

int run(const std::string& path) {
  const Picture picture{kSide, kSide, waves()};
  const Picture spectrum{kSide, kSide / 2 + 1, spectrum_of(picture.pixels)};
  const auto grey = [&](std::ptrdiff_t turns_down, std::size_t turns_across) {
    constexpr auto kMiddle = static_cast<std::ptrdiff_t>(kSide / 2);
    return spectrum.at(static_cast<std::size_t>(kMiddle + turns_down),
                       turns_across);
  };
  std::printf("waves: grey %d and %d, far from both %d\n", grey(20, 12),
              grey(-30, 60), grey(90, 100));
  Sheet sheet(kSide, kSide + kGap + spectrum.columns);
  sheet.paste(picture, 0, 0);
  sheet.paste(spectrum, 0, kSide + kGap);
  formats::OutputFile file(path);
  file.write(sheet.png());
  file.commit();
  return grey(20, 12) > grey(-30, 60) && grey(-30, 60) > grey(90, 100) + 50 ? 0
                                                                            : 1;
}

}  // namespace
}  // namespace imago::examples

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s <pictures.png>\n", arguments[0]);
    return 2;
  }
  try {
    return imago::examples::run(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hooks_ready_made: %s\n", error.what());
    return 1;
  }
}
