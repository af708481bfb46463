// This file is the program of docs/hooks/convolution.md: a long signal with a
// short kernel, the extents of a convolution, and a picture of bytes with two
// kernels.
//
// `hooks_convolution` computes the latter two, `hooks_convolution long` the
// first.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

// Shown in docs/hooks/convolution.md:
#include <imago/imago.hpp>

namespace {

using imago::Convolution, imago::ConvolutionShape;
using imago::Extent, imago::Integer;

constexpr std::size_t kRows = 200, kColumns = 300;  // size of a picture

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

/// Convolves a signal with its kernels; these are all the steps.
template <class Out, class In>
std::vector<Out> convolved(const Machine& machine,
                           const ConvolutionShape& shape,
                           const std::vector<In>& signal,
                           const std::vector<float>& kernels) {
  const Convolution convolution(machine.context, machine.device, shape);
  const cl::Buffer spectrum(machine.context, CL_MEM_READ_WRITE,
                            convolution.spectrum_bytes());
  const cl::Buffer result(machine.context, CL_MEM_READ_WRITE,
                          convolution.result_bytes());
  // Transform the kernels once; then convolve as many signals as you like.
  convolution.prepare(machine.queue, machine.upload(kernels), spectrum);
  convolution.apply(machine.queue, machine.upload(signal), spectrum, result);
  std::vector<Out> numbers(convolution.result_bytes() / sizeof(Out));
  machine.queue.enqueueReadBuffer(result, CL_TRUE, 0,
                                  convolution.result_bytes(), numbers.data());
  return numbers;
}
// Until here.

std::vector<float> noise(std::size_t count, std::uint32_t seed) {
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    seed = seed * 1664525 + 1013904223;
    number = static_cast<float>(seed >> 8) * 0x1p-24f - 0.5f;
  }
  return numbers;
}

/// Returns the largest error relative to the largest value, from sums in double
/// precision of every 101st element.
double off(const std::vector<float>& found, const std::vector<float>& signal,
           const std::vector<float>& kernel) {
  double worst = 0, largest = 0;
  for (std::size_t t = 0; t < found.size(); t += 101) {
    double sum = 0;
    for (std::size_t j = 0; j < kernel.size() && j <= t; ++j) {
      if (t - j < signal.size())
        sum += static_cast<double>(kernel[j]) * signal[t - j];
    }
    worst = std::max(worst, std::abs(found[t] - sum));
    largest = std::max(largest, std::abs(sum));
  }
  return worst / largest;
}

/// Prints the kinds of a plan and of its kernels, which are the beginnings of
/// these lines.
void print_kernels(const std::string& description) {
  std::istringstream lines(description);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    if (number == 0 || line.find(". ") == 1)
      std::printf("  %s\n", line.substr(0, line.find(", radices")).c_str());
  }
}

/// Returns the milliseconds of a call, the minimum over several.
double time(const Machine& machine, const ConvolutionShape& shape,
            const cl::Buffer& signal) {
  const Convolution convolution(machine.context, machine.device, shape);
  print_kernels(convolution.describe());
  const cl::Buffer spectrum(machine.context, CL_MEM_READ_WRITE,
                            convolution.spectrum_bytes());
  const cl::Buffer result(machine.context, CL_MEM_READ_WRITE,
                          convolution.result_bytes());
  convolution.prepare(machine.queue, machine.upload(noise(shape.kernel[0], 2)),
                      spectrum);
  double best = 1e9;
  for (int i = 0; i < 8; ++i) {
    machine.queue.finish();
    const auto start = std::chrono::steady_clock::now();
    convolution.apply(machine.queue, signal, spectrum, result);
    machine.queue.finish();
    const std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

/// Returns the number of wrong differences of a picture.
std::size_t wrong_differences(const std::vector<std::uint8_t>& picture,
                              const std::vector<std::int16_t>& found) {
  const auto grey = [&](std::size_t row, std::size_t column) {
    return static_cast<int>(picture[row * kColumns + column]);
  };
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size() / 2; ++i) {
    const std::size_t r = i / (kColumns - 2), c = i % (kColumns - 2);
    int down = 0, across = 0;
    for (const std::size_t j : {0, 1, 2}) {
      const int weight = j == 1 ? 2 : 1;
      down += weight * (grey(r + 2, c + j) - grey(r, c + j));
      across += weight * (grey(r + j, c + 2) - grey(r + j, c));
    }
    wrong += (found[i] != down) + (found[found.size() / 2 + i] != across);
  }
  return wrong;
}

// Shown in docs/hooks/convolution.md:

/// Convolves a million samples with a kernel of a thousand.
bool long_signal(const Machine& machine) {
  ConvolutionShape shape{.signal = {1000000}, .kernel = {1000}};
  const auto signal = noise(1000000, 1), kernel = noise(1000, 2);
  const auto found = convolved<float>(machine, shape, signal, kernel);
  const double error = off(found, signal, kernel);
  std::printf("%zu samples, off by %.0e\n", found.size(), error);
  for (const bool blocks : {true, false}) {
    shape.blocks = blocks;
    std::printf("%s\n", blocks ? "in blocks" : "as one line");
    std::printf("  %.1f ms\n", time(machine, shape, machine.upload(signal)));
  }
  return error < 1e-5;
}

/// Prints the extents, with the example of NumPy's manual.
void extents(const Machine& machine) {
  constexpr const char* kNames[] = {"full", "same", "valid", "circular"};
  for (const bool correlate : {false, true}) {
    for (const Extent extent :
         {Extent::full, Extent::same, Extent::valid, Extent::circular}) {
      ConvolutionShape shape{.signal = {3}, .kernel = {3}, .extent = extent};
      shape.correlate = correlate;
      std::printf("%s %-8s ", correlate ? "correlate" : "convolve ",
                  kNames[static_cast<int>(extent)]);
      for (const float y :
           convolved<float, float>(machine, shape, {1, 2, 3}, {0, 1, 0.5f}))
        std::printf(" %4.1f", std::round(100 * y) / 100 + 0.0);
      std::printf("\n");
    }
  }
}

/// Reads bytes and writes sums of 16 bits: a picture's differences down and
/// across (Sobel's).
bool edges(const Machine& machine) {
  std::vector<std::uint8_t> picture;
  for (std::size_t i = 0; i < kRows * kColumns; ++i)
    picture.push_back(static_cast<std::uint8_t>(i * i / 977));
  ConvolutionShape shape{
      .signal = {kRows, kColumns}, .kernel = {3, 3}, .extent = Extent::valid};
  shape.correlate = true;
  // Convolves with both kernels; the results follow each other.
  shape.of = imago::Kernels::all;
  shape.kernels = 2;
  shape.ends = {.load = {imago::hook::from_integer(Integer::u8)},
                .store = {imago::hook::to_integer(Integer::i16)}};
  const auto found = convolved<std::int16_t>(
      machine, shape, picture,
      {-1, -2, -1, 0, 0, 0, 1, 2, 1, -1, 0, 1, -2, 0, 2, -1, 0, 1});
  const std::size_t wrong = wrong_differences(picture, found);
  std::printf("%zu differences, %zu of them wrong\n", found.size(), wrong);
  return wrong == 0;
}

}  // namespace

int main(int count, char** arguments) {
  const Machine machine;
  if (count > 1 && std::string(arguments[1]) == "long")
    return long_signal(machine) ? EXIT_SUCCESS : EXIT_FAILURE;
  extents(machine);
  return edges(machine) ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
