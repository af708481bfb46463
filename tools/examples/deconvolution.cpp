// This file is an example of filters and convolutions. It blurs a photograph
// like a lens out of focus, adds noise, and restores it by a Wiener filter (N.
// Wiener, "Extrapolation, Interpolation, and Smoothing of Stationary Time
// Series", 1949), with bytes as input and output.
//
// `deconvolution <photograph.pgm> <pictures.png>` prints the differences of the
// blurred and the restored picture from the photograph, and draws all three. It
// fails if the restored picture is not better.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "formats/file.hpp"
#include "pgm.hpp"
#include "sheet.hpp"

namespace imago::examples {
namespace {

// Pixels across the image of a point of light, and its radius.
constexpr std::size_t kSpot = 13;
constexpr double kRadius = 6;
constexpr double kNoise = 1;  // grey levels of 255
constexpr double kFloors[] = {1e-6, 1e-4, 1e-3, 3e-3, 1e-2, 1e-1};
constexpr double kShown = 3e-3;

struct Machine {
  cl::Device device = find_device();
  cl::Context context{device};
  cl::CommandQueue queue{context, device};

  template <class Number>
  cl::Buffer upload(std::vector<Number> numbers) const {
    return {context, CL_MEM_COPY_HOST_PTR, numbers.size() * sizeof(Number),
            numbers.data()};
  }
  cl::Buffer make(std::size_t bytes) const {
    return {context, CL_MEM_READ_WRITE, bytes};
  }
  template <class Number>
  std::vector<Number> download(const cl::Buffer& buffer,
                               std::size_t count) const {
    std::vector<Number> numbers(count);
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(Number),
                            numbers.data());
    return numbers;
  }
};

/// Returns the image of a point of light out of focus: a disc of sum 1. Pixels
/// on its border are weighted by their covered part.
std::vector<float> make_spot() {
  constexpr int kParts = 16;
  std::vector<float> spot(kSpot * kSpot);
  double sum = 0;
  for (std::size_t i = 0; i < kSpot * kParts; ++i) {
    for (std::size_t j = 0; j < kSpot * kParts; ++j) {
      const auto place = [](std::size_t part) {
        return (static_cast<double>(part) + 0.5) / kParts - kSpot / 2.0;
      };
      if (std::hypot(place(i), place(j)) > kRadius) continue;
      spot[i / kParts * kSpot + j / kParts] += 1;
      ++sum;
    }
  }
  for (float& light : spot) light /= static_cast<float>(sum);
  return spot;
}

/// Returns the photograph on black, as the lens sees it: larger by the spot,
/// with noise, in bytes.
Picture blurred(const Machine& machine, const Picture& photograph) {
  const Convolution convolution(
      machine.context, machine.device,
      {.signal = {photograph.rows, photograph.columns},
       .kernel = {kSpot, kSpot}});
  const cl::Buffer spectrum = machine.make(convolution.spectrum_bytes()),
                   result = machine.make(convolution.result_bytes());
  const std::vector<float> light(photograph.pixels.begin(),
                                 photograph.pixels.end());
  convolution.prepare(machine.queue, machine.upload(make_spot()), spectrum);
  convolution.apply(machine.queue, machine.upload(light), spectrum, result);
  Picture seen{convolution.result()[0], convolution.result()[1], {}};
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0, kNoise);
  for (const float grey :
       machine.download<float>(result, seen.rows * seen.columns))
    seen.pixels.push_back(static_cast<std::uint8_t>(
        std::lround(std::clamp(grey + noise(random), 0.0, 255.0))));
  return seen;
}

/// Restores pictures; one plan serves all of them.
class Restorer {
 public:
  Restorer(const Machine& machine, const Picture& seen,
           const Picture& photograph)
      : machine_(machine),
        rows_(photograph.rows),
        columns_(photograph.columns),
        lengths_{good_size(machine.device, seen.rows),
                 good_size(machine.device, seen.columns, {.kind = Kind::real})},
        filter_(machine.context, machine.device, restoring(seen)),
        seen_(machine.upload(seen.pixels)),
        spectrum_(spectrum_of_spot()) {}

  Picture picture(double floor) const {
    const cl::Buffer result = machine_.make(filter_.result_bytes());
    filter_.apply(machine_.queue, seen_, result,
                  {.arguments = {{"h", spectrum_}, {"floor", floor}}});
    return {rows_, columns_,
            machine_.download<std::uint8_t>(result, rows_ * columns_)};
  }

 private:
  /// Returns the filter that restores. It reads bytes, padded with zeros,
  /// multiplies the spectrum by conj(H) / (|H|^2 + floor), and writes bytes,
  /// cropped to the photograph.
  FilterShape restoring(const Picture& seen) const {
    const char* const text =
        "float2 wiener(float2 x, const imago_at* at,\n"
        "              __global const float2* h, float floor) {\n"
        "  const float2 b = h[at->element];\n"
        "  const float2 y = (float2)(x.x * b.x + x.y * b.y,\n"
        "                            x.y * b.x - x.x * b.y);\n"
        "  return y / (dot(b, b) + floor);\n"
        "}\n";
    using Type = hook::Parameter::Type;
    return {.kind = Kind::real,
            .lengths = lengths_,
            .signal = {.strides = {seen.columns, 1}},
            .result = {.strides = {columns_, 1}},
            .ends = {.load = {hook::from_integer(Integer::u8),
                              hook::zero_outside(0, 0, seen.rows),
                              hook::zero_outside(1, 0, seen.columns)},
                     .store = {hook::zero_outside(0, 0, rows_),
                               hook::zero_outside(1, 0, columns_),
                               hook::to_integer(Integer::u8)}},
            .spectrum = {hook::code(
                text, "wiener",
                {{Type::complex_buffer, "h"}, {Type::real, "floor"}})}};
  }

  cl::Buffer spectrum_of_spot() const {
    const Plan plan(
        machine_.context, machine_.device,
        {.kind = Kind::real,
         .lengths = lengths_,
         .directions = Directions::forward,
         .signal = {.strides = {kSpot, 1}},
         .on_forward = {.load = {hook::zero_outside(0, 0, kSpot),
                                 hook::zero_outside(1, 0, kSpot)}}});
    cl::Buffer spectrum = machine_.make(plan.spectrum_bytes());
    plan.forward(machine_.queue, machine_.upload(make_spot()), spectrum);
    return spectrum;
  }

  const Machine& machine_;
  const std::size_t rows_, columns_;
  const std::vector<std::size_t> lengths_;
  const Filter filter_;
  const cl::Buffer seen_, spectrum_;
};

/// Returns the part of a picture that starts at a row and a column and has the
/// photograph's size.
Picture part(const Picture& picture, std::size_t top, std::size_t left,
             const Picture& like) {
  Picture cut{like.rows, like.columns, {}};
  for (std::size_t row = 0; row < cut.rows; ++row) {
    for (std::size_t column = 0; column < cut.columns; ++column)
      cut.pixels.push_back(picture.at(top + row, left + column));
  }
  return cut;
}

/// Returns the root mean square of the differences, in grey levels.
double difference(const Picture& a, const Picture& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    squares += std::pow(a.pixels[i] - b.pixels[i], 2);
  return std::sqrt(squares / static_cast<double>(a.pixels.size()));
}

int run(const std::string& photograph_path, const std::string& pictures_path) {
  const Picture photograph = read_pgm(photograph_path);
  if (photograph.rows < kSpot || photograph.columns < kSpot)
    throw std::runtime_error(photograph_path + ": must have at least " +
                             std::to_string(kSpot) + " rows and columns");
  const Machine machine;
  const Picture seen = blurred(machine, photograph);
  const Picture middle = part(seen, kSpot / 2, kSpot / 2, photograph);
  const double before = difference(middle, photograph);
  std::printf("%zux%zu pixels, a spot of %zu, noise of %g grey levels\n",
              photograph.columns, photograph.rows, kSpot, kNoise);
  std::printf("seen                 off by %6.2f\n", before);
  Sheet sheet(photograph.rows, 3 * photograph.columns + 2 * kGap);
  sheet.paste(photograph, 0, 0);
  sheet.paste(middle, 0, photograph.columns + kGap);
  const Restorer restorer(machine, seen, photograph);
  double after = before;
  for (const double floor : kFloors) {
    const Picture restored = restorer.picture(floor);
    const double off = difference(restored, photograph);
    std::printf("restored, floor %.0e off by %6.2f\n", floor, off);
    if (floor != kShown) continue;
    after = off;
    sheet.paste(restored, 0, 2 * (photograph.columns + kGap));
  }
  if (after >= before)
    throw std::runtime_error("the restored picture is no better");
  formats::OutputFile file(pictures_path);
  file.write(sheet.png());
  file.commit();
  return 0;
}

}  // namespace
}  // namespace imago::examples

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: %s <photograph.pgm> <pictures.png>\n",
                 arguments[0]);
    return 2;
  }
  try {
    return imago::examples::run(arguments[1], arguments[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "deconvolution: %s\n", error.what());
    return 1;
  }
}
