// This file is a program of docs/programs.md: arrays in host memory. It
// transforms a cube that exceeds the device memory that it may use, shows the
// progress, and stops the inverse in the middle.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

// Shown in docs/programs.md:
#include <imago/imago.hpp>

namespace {

using Numbers = std::vector<std::complex<float>>;

// The cube has 54 MiB; the plan may use 32 MiB of the device's memory.
constexpr std::size_t kSide = 192;
constexpr std::size_t kAllowed = std::size_t{32} << 20;

/// The element at (z, y, x) is the product of z's, y's and x's number. The
/// spectrum has the same form, with the spectra of the three rows.
Numbers cube_of(const Numbers& down, const Numbers& across,
                const Numbers& along) {
  Numbers cube;
  for (const auto z : down)
    for (const auto y : across)
      for (const auto x : along) cube.push_back(z * y * x);
  return cube;
}
// Until here.

Numbers noise(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Numbers line(kSide);
  for (auto& number : line) number = {normal(random), normal(random)};
  return line;
}

/// Returns the relative L2 distance.
double off(const Numbers& found, const Numbers& expected) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    difference += std::norm(found[i] - expected[i]);
    size += std::norm(expected[i]);
  }
  return std::sqrt(difference / size);
}

// Shown in docs/programs.md:

bool there(const imago::HostPlan& plan, Numbers& cube) {
  const Numbers down = noise(1), across = noise(2), along = noise(3);
  cube = cube_of(down, across, along);
  double done = 0;
  plan.forward(cube, {.progress = [&](double share) {
                 done = share;
                 std::fprintf(stderr, "\r%3.0f %%", 100 * share);
               }});
  const double error = off(
      cube, cube_of(imago::fft(down), imago::fft(across), imago::fft(along)));
  std::printf("%.0f %% done, off by %.0e\n", 100 * done, error);
  return done == 1 && error < 1e-6;
}

/// Starts the inverse, and stops it after the first of two passes.
bool stopped(const imago::HostPlan& plan, Numbers& cube) {
  // Any thread may request the stop: a button, a signal, a time limit.
  std::stop_source stop;
  const auto enough = [&](double share) {
    if (share >= 0.5) stop.request_stop();
  };
  try {
    plan.inverse(cube, {.progress = enough, .stop = stop.get_token()});
  } catch (const imago::Stopped& reason) {
    // The contents of the cube are undefined now.
    std::printf("%s\n", reason.what());
    return true;
  }
  return false;
}

}  // namespace

int main() {
  const imago::Pool pool({imago::find_device()}, {.copies = true});
  const imago::HostPlan plan(pool,
                             {.lengths = {kSide, kSide, kSide},
                              .placement = imago::Placement::in_place},
                             {.memory_limit = kAllowed});
  const std::string text = plan.describe();
  std::printf("%s", text.substr(0, text.find("inverse")).c_str());
  Numbers cube;
  return there(plan, cube) && stopped(plan, cube) ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
