// This file is the program of docs/hooks/filter.md: forward transform, hooks
// and inverse in one plan. It computes a band of frequencies, delayed by a
// fraction of a sample, and solves Poisson's equation.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

// Shown in docs/hooks/filter.md:
#include <imago/imago.hpp>

namespace {

using imago::FilterShape, imago::Kind, imago::Storage;

using Type = imago::hook::Parameter::Type;

constexpr double kTurn = 2 * std::numbers::pi;
// One second of 100 channels.
constexpr std::size_t kSamples = 4000, kLines = 100;
constexpr std::size_t kFrom = 50, kTo = 300;  // Hz
constexpr double kDelay = 0.3;                // samples
constexpr std::size_t kSide = 256;            // side of a grid

struct Machine {
  cl::Device device = imago::find_device();
  cl::Context context{device};
  cl::CommandQueue queue{context, device};

  template <class Number>
  cl::Buffer upload(std::vector<Number> numbers) const {
    return {context, CL_MEM_COPY_HOST_PTR, numbers.size() * sizeof(Number),
            numbers.data()};
  }
};

/// Returns the filtered signal, which consists of real numbers.
std::vector<float> filtered(const Machine& machine, const FilterShape& shape,
                            std::vector<float> signal,
                            const imago::Call& call = {}) {
  const imago::Filter filter(machine.context, machine.device, shape);
  const cl::Buffer out(machine.context, CL_MEM_READ_WRITE,
                       filter.result_bytes());
  filter.apply(machine.queue, machine.upload(signal), out, call);
  machine.queue.enqueueReadBuffer(out, CL_TRUE, 0, filter.result_bytes(),
                                  signal.data());
  std::printf("kernels: %zu, ",
              imago::Filter::estimate(machine.device, shape).kernels);
  return signal;
}

/// Keeps frequencies from 50 to 300 Hz, delayed by 0.3 samples, by hooks alone.
FilterShape by_hooks() {
  return {.kind = Kind::real,
          .lengths = {kSamples},
          .batch = kLines,
          .spectrum = {imago::hook::zero_outside(0, kFrom, kTo + 1),
                       // Multiplies by exp(-2 pi i k 0.3 / n).
                       imago::hook::modulate(0, -3, 10 * kSamples)}};
}

/// Multiplies by factors instead; rows of real numbers.
FilterShape by_factors() {
  return {.lengths = {kSamples},
          .batch = kLines,
          .signal = {.storage = Storage::real},
          .result = {.storage = Storage::real},
          .spectrum = {imago::hook::multiply(
              "response", {.axes = {{0}}, .of_real = true})}};
}

/// Factor n - k is the conjugate of factor k, so the result is real.
std::vector<std::complex<float>> response() {
  std::vector<std::complex<float>> factors(kSamples);
  for (std::size_t k = kFrom; k <= kTo; ++k) {
    factors[k] = std::polar<double>(
        1, -kTurn * kDelay * static_cast<double>(k) / kSamples);
    factors[kSamples - k] = std::conj(factors[k]);
  }
  return factors;
}

/// Solves -(u_yy + u_xx) = f on a periodic square with sides of 2 pi by
/// U = F / (k_y^2 + k_x^2). f has mean 0; the mean of u is set to 0.
FilterShape poisson() {
  const char* const text =
      "float2 solved(float2 x, const imago_at* at, int side) {\n"
      "  long down = at->index[0], across = at->index[1];\n"
      "  if (down > side / 2) down -= side;\n"
      "  const long squares = down * down + across * across;\n"
      "  return squares == 0 ? (float2)(0) : x / (float)squares;\n"
      "}\n";
  return {.kind = Kind::real,
          .lengths = {kSide, kSide},
          .spectrum = {
              imago::hook::code(text, "solved", {{Type::integer, "side"}})}};
}
// Until here.

constexpr double kTones[] = {20, 90, 123, 250, 700};  // Hz

/// Returns tones in each channel: those between two frequencies, delayed by
/// `later` samples.
std::vector<float> tones(double from, double to, double later) {
  std::vector<float> signal;
  for (std::size_t line = 0; line < kLines; ++line) {
    for (std::size_t j = 0; j < kSamples; ++j) {
      const double t = (static_cast<double>(j) - later) / kSamples;
      double sum = 0;
      for (const double tone : kTones) {
        if (tone >= from && tone <= to)
          sum += std::cos(kTurn * tone * t + static_cast<double>(line));
      }
      signal.push_back(static_cast<float>(sum));
    }
  }
  return signal;
}

/// Returns u = exp(sin y) cos 3x minus its mean (which is 0), or the
/// corresponding f.
std::vector<float> field(bool source) {
  std::vector<float> values;
  for (std::size_t i = 0; i < kSide; ++i) {
    for (std::size_t j = 0; j < kSide; ++j) {
      const double y = kTurn * static_cast<double>(i) / kSide,
                   x = kTurn * static_cast<double>(j) / kSide;
      const double u = std::exp(std::sin(y)) * std::cos(3 * x);
      const double u_yy = u * (std::cos(y) * std::cos(y) - std::sin(y)),
                   u_xx = -9 * u;
      values.push_back(static_cast<float>(source ? -(u_yy + u_xx) : u));
    }
  }
  return values;
}

/// True if the errors are small, relative to the largest value.
bool near(const std::vector<float>& found, const std::vector<float>& wanted) {
  float off = 0, largest = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    off = std::max(off, std::abs(found[i] - wanted[i]));
    largest = std::max(largest, std::abs(wanted[i]));
  }
  std::printf("off by %.0e of the largest\n", off / largest);
  return off < 1e-5f * largest;
}

// Shown in docs/hooks/filter.md:

}  // namespace

int main() {
  const Machine machine;
  const auto signal = tones(0, 1000, 0), wanted = tones(kFrom, kTo, kDelay);
  bool good = near(filtered(machine, by_hooks(), signal), wanted);
  const imago::Call call{
      .arguments = {{"response", machine.upload(response())}}};
  good = near(filtered(machine, by_factors(), signal, call), wanted) && good;
  const imago::Call of_grid{.arguments = {{"side", kSide}}};
  good =
      near(filtered(machine, poisson(), field(true), of_grid), field(false)) &&
      good;
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
