// This file is a program of docs/programs.md: a batch in the memory of all
// devices of this machine. Each of many rows is a wave, so that its spectrum
// has one nonzero number.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

// Shown in docs/programs.md:
#include <imago/imago.hpp>

namespace {

using Numbers = std::vector<std::complex<float>>;

constexpr std::size_t kPoints = 1024, kLines = 10000;

/// Returns the number of periods of the wave of a row.
std::size_t turns(std::size_t line) { return line * 37 % kPoints; }

struct Part {
  std::size_t first = 0, lines = 0;  // range of the batch
  cl::Buffer buffer;                 // none if the device has no rows

  std::size_t bytes() const {
    return lines * kPoints * sizeof(std::complex<float>);
  }
};

/// Returns the rows of each device, in a buffer on it.
std::vector<Part> parts_of(const imago::Pool& pool,
                           const imago::MultiDevicePlan& plan) {
  std::vector<Part> parts;
  std::size_t first = 0;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    Part part{.first = first, .lines = plan.shares()[i], .buffer = {}};
    if (part.lines > 0)
      part.buffer =
          cl::Buffer(pool.context(i), CL_MEM_READ_WRITE, part.bytes());
    first += part.lines;
    parts.push_back(part);
  }
  return parts;
}
// Until here.

Numbers waves(const Part& part) {
  Numbers numbers;
  for (std::size_t line = part.first; line < part.first + part.lines; ++line) {
    for (std::size_t j = 0; j < kPoints; ++j) {
      const auto turned =
          static_cast<double>(turns(line) * j % kPoints) / kPoints;
      numbers.emplace_back(std::polar(1.0, 2 * std::numbers::pi * turned));
    }
  }
  return numbers;
}

/// Returns the number of rows whose spectrum is n at the wave's frequency and 0
/// elsewhere.
std::size_t right_spectra(const Part& part, const Numbers& spectra) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < part.lines; ++i) {
    float worst = 0;
    for (std::size_t k = 0; k < kPoints; ++k) {
      const float expected = k == turns(part.first + i) ? kPoints : 0;
      worst = std::max(worst, std::abs(spectra[i * kPoints + k] - expected));
    }
    right += worst < 1e-3F ? 1 : 0;
  }
  return right;
}

// Shown in docs/programs.md:

}  // namespace

int main() {
  const imago::Pool pool(imago::devices());
  const imago::MultiDevicePlan plan(pool,
                                    {.lengths = {kPoints},
                                     .batch = kLines,
                                     .placement = imago::Placement::in_place});
  const std::vector<Part> parts = parts_of(pool, plan);
  std::vector<imago::Array> arrays;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    const Part& part = parts[i];
    if (part.lines > 0)
      plan.queue(i).enqueueWriteBuffer(part.buffer, CL_TRUE, 0, part.bytes(),
                                       waves(part).data());
    arrays.emplace_back(part.buffer);
  }

  plan.forward(arrays);  // all devices are computing when it returns
  plan.finish();

  std::size_t right = 0, at_work = 0;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    if (parts[i].lines == 0) continue;
    ++at_work;
    Numbers spectra(parts[i].lines * kPoints);
    plan.queue(i).enqueueReadBuffer(parts[i].buffer, CL_TRUE, 0,
                                    parts[i].bytes(), spectra.data());
    right += right_spectra(parts[i], spectra);
  }
  std::printf("%zu of %zu devices at work, %zu of %zu lines are right\n",
              at_work, pool.size(), right, kLines);
  return right == kLines ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
