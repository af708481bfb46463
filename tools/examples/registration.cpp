// This file is an example of two-dimensional transforms. It finds the shift
// between two overlapping photographs by phase correlation (C. D. Kuglin and D.
// C. Hines, "The phase correlation image alignment method", Proc. IEEE Conf. on
// Cybernetics and Society, 1975), and joins them.
//
// The two are cut from one photograph, each with its own noise, so that the
// answer is known: `registration <photograph.pgm> <joined.png> <rows>
// <columns>` fails if it finds another shift.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/file.hpp"
#include "pgm.hpp"
#include "sheet.hpp"
#include "transformer.hpp"

namespace imago::examples {
namespace {

using Spectrum = std::vector<std::complex<float>>;

/// Position of the second picture's origin, down and to the right of the first
/// one's.
struct Shift {
  std::ptrdiff_t rows = 0, columns = 0;
  friend bool operator==(const Shift&, const Shift&) = default;
};
struct Found {
  Shift shift;
  float peak = 0;  ///< correlation at the shift, at most 1
  float next = 0;  ///< the highest correlation elsewhere
};

constexpr double kNoise = 8;  // standard deviation in grey levels of 255

/// Returns a part of the photograph with noise, like a camera.
Picture take(const Picture& photograph, Shift origin, std::size_t rows,
             std::size_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, kNoise);
  Picture picture{rows, columns, {}};
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      const double grey =
          photograph.at(static_cast<std::size_t>(origin.rows) + row,
                        static_cast<std::size_t>(origin.columns) + column);
      picture.pixels.push_back(static_cast<std::uint8_t>(
          std::lround(std::clamp(grey + noise(random), 0.0, 255.0))));
    }
  return picture;
}

/// Appends a picture without its mean and faded towards the borders (Hann).
/// Without that, the borders would correlate as a cross.
void append_faded(const Picture& picture, Spectrum& values) {
  const auto fade = [](std::size_t i, std::size_t n) {
    return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) /
                                static_cast<double>(n));
  };
  double mean = 0;
  for (const std::uint8_t grey : picture.pixels) mean += grey;
  mean /= static_cast<double>(picture.pixels.size());
  for (std::size_t row = 0; row < picture.rows; ++row)
    for (std::size_t column = 0; column < picture.columns; ++column)
      values.emplace_back(static_cast<float>((picture.at(row, column) - mean) *
                                             fade(row, picture.rows) *
                                             fade(column, picture.columns)));
}

/// Returns the phases of a product of spectra. A shift multiplies a spectrum by
/// a wave, and the inverse transform of that wave is one peak.
Spectrum waves(const Spectrum& both) {
  const std::size_t count = both.size() / 2;
  Spectrum wave(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::complex<float> product = both[i] * std::conj(both[count + i]);
    const float size = std::abs(product);
    wave[i] = size > 0 ? product / size : 0;
  }
  return wave;
}

/// Converts an index to a shift, which is to the right in the lower half and to
/// the left in the upper half.
std::ptrdiff_t signed_index(std::size_t i, std::size_t n) {
  return static_cast<std::ptrdiff_t>(i) -
         static_cast<std::ptrdiff_t>(i > n / 2 ? n : 0);
}

Found find_shift(const Picture& first, const Picture& second) {
  const Transformer transformer;
  const std::vector<std::size_t> lengths{first.rows, first.columns};
  Spectrum both;
  append_faded(first, both);
  append_faded(second, both);
  transformer.run({.lengths = lengths, .batch = 2}, Directions::forward, both);
  Spectrum correlation = waves(both);
  transformer.run({.lengths = lengths}, Directions::inverse, correlation);

  const auto smaller = [](std::complex<float> a, std::complex<float> b) {
    return a.real() < b.real();
  };
  const auto peak =
      std::max_element(correlation.begin(), correlation.end(), smaller);
  const auto place = static_cast<std::size_t>(peak - correlation.begin());
  Found found;
  found.shift = {signed_index(place / first.columns, first.rows),
                 signed_index(place % first.columns, first.columns)};
  found.peak = peak->real();
  *peak = -1;
  found.next =
      std::max_element(correlation.begin(), correlation.end(), smaller)->real();
  return found;
}

/// Returns the two pictures, and to the right of them the second on the first,
/// shifted as found.
std::string joined(const Picture& first, const Picture& second, Shift shift) {
  const auto below = [](std::ptrdiff_t by) {
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(by, 0));
  };
  const std::size_t left = 2 * (first.columns + kGap);
  Sheet sheet(first.rows + below(std::abs(shift.rows)),
              left + first.columns + below(std::abs(shift.columns)));
  sheet.paste(first, 0, 0);
  sheet.paste(second, 0, first.columns + kGap);
  sheet.paste(first, below(-shift.rows), left + below(-shift.columns));
  sheet.paste(second, below(shift.rows), left + below(shift.columns));
  return sheet.png();
}

std::ptrdiff_t shift_of(const std::string& text, std::size_t most) {
  std::ptrdiff_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      static_cast<std::size_t>(std::abs(value)) > most)
    throw std::runtime_error("the shift " + text +
                             " must be a whole number of at most " +
                             std::to_string(most));
  return value;
}

int run(const std::string& photograph_path, const std::string& joined_path,
        const std::string& rows_text, const std::string& columns_text) {
  const Picture photograph = read_pgm(photograph_path);
  // Each picture covers five eighths of the photograph, so three eighths are
  // left for the shift.
  const std::size_t rows = photograph.rows * 5 / 8,
                    columns = photograph.columns * 5 / 8;
  const Shift wanted{shift_of(rows_text, photograph.rows - rows),
                     shift_of(columns_text, photograph.columns - columns)};
  const auto origin = [](std::ptrdiff_t shift) {
    return std::max<std::ptrdiff_t>(-shift, 0);
  };
  const Shift start{origin(wanted.rows), origin(wanted.columns)};
  const Picture first = take(photograph, start, rows, columns, 1);
  const Picture second = take(
      photograph, {start.rows + wanted.rows, start.columns + wanted.columns},
      rows, columns, 2);

  const Found found = find_shift(first, second);
  std::printf("two pictures of %zux%zu, noise of %g grey levels\n", columns,
              rows, kNoise);
  std::printf("shift found   %td rows, %td columns\n", found.shift.rows,
              found.shift.columns);
  std::printf("correlation   %.3f there, %.3f at most elsewhere\n", found.peak,
              found.next);
  if (found.shift != wanted)
    throw std::runtime_error("the shift is " + rows_text + " rows, " +
                             columns_text +
                             " columns: the pictures overlap too little");
  formats::OutputFile file(joined_path);
  file.write(joined(first, second, found.shift));
  file.commit();
  return 0;
}

}  // namespace
}  // namespace imago::examples

int main(int count, char** arguments) {
  if (count != 5) {
    std::fprintf(stderr,
                 "usage: %s <photograph.pgm> <joined.png> <rows> <columns>\n",
                 arguments[0]);
    return 2;
  }
  try {
    return imago::examples::run(arguments[1], arguments[2], arguments[3],
                                arguments[4]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "registration: %s\n", error.what());
    return 1;
  }
}
