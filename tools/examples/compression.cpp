// This file is an example of cosine transforms. It transforms blocks of 8x8
// pixels of a photograph by DCT-II, as in JPEG (N. Ahmed, T. Natarajan and K.
// R. Rao, "Discrete cosine transform", IEEE Trans. Computers C-23, 1974). It
// keeps the largest coefficients and computes a picture from them by the
// inverse.
//
// `compression <photograph.pgm> <pictures.png>` prints the quality of the
// picture for some fractions of kept coefficients. The transform is orthogonal,
// so the error of the picture equals the energy of the omitted coefficients;
// the program fails if it does not.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/file.hpp"
#include "pgm.hpp"
#include "sheet.hpp"
#include "transformer.hpp"

namespace imago::examples {
namespace {

using Values = std::vector<float>;

constexpr std::size_t kBlock = 8;
constexpr double kWhite = 255;
constexpr double kShares[] = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01};
constexpr double kShown[] = {0.1, 0.02};  // fractions that are drawn
// Relative error of the picture's energy in f32 after two transforms.
constexpr double kRounding = 1e-12;

/// Returns the part of a picture that consists of whole blocks.
Picture whole_blocks(const Picture& picture) {
  Picture whole{
      picture.rows / kBlock * kBlock, picture.columns / kBlock * kBlock, {}};
  if (whole.rows == 0 || whole.columns == 0)
    throw std::runtime_error(
        "the photograph must have at least 8 rows and 8 columns");
  for (std::size_t row = 0; row < whole.rows; ++row)
    for (std::size_t column = 0; column < whole.columns; ++column)
      whole.pixels.push_back(picture.at(row, column));
  return whole;
}

/// Returns the transform of all blocks. A packed picture has the axes block
/// rows x rows in a block x block columns x columns in a block. Two of these
/// four axes are transformed, and no pixel is moved.
Transform of_blocks(const Picture& picture) {
  return {.axes = {Kind::identity, Kind::dct2, Kind::identity, Kind::dct2},
          .lengths = {picture.rows / kBlock, kBlock, picture.columns / kBlock,
                      kBlock},
          .norm = Norm::ortho};
}

double energy(const Values& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

/// Sets all but the largest `share` of the values to 0; returns the energy of
/// these.
double keep_largest(Values& values, double share) {
  const auto kept =
      static_cast<std::size_t>(share * static_cast<double>(values.size()));
  Values sizes(values.size());
  std::transform(values.begin(), values.end(), sizes.begin(),
                 [](float value) { return std::abs(value); });
  const auto least =
      sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() - kept);
  std::nth_element(sizes.begin(), least, sizes.end());
  double dropped = 0;
  for (float& value : values) {
    if (std::abs(value) >= *least) continue;
    dropped += static_cast<double>(value) * value;
    value = 0;
  }
  return dropped;
}

Picture to_picture(const Values& values, const Picture& like) {
  Picture picture{like.rows, like.columns, {}};
  for (const float value : values)
    picture.pixels.push_back(static_cast<std::uint8_t>(
        std::lround(std::clamp<double>(value, 0, kWhite))));
  return picture;
}

/// Returns the peak signal-to-noise ratio of pixels from 0 to 255.
double psnr(double squared_error, std::size_t pixels) {
  return 10 * std::log10(kWhite * kWhite * static_cast<double>(pixels) /
                         squared_error);
}

/// Computes a picture from the largest coefficients, and its quality.
class Compressor {
 public:
  explicit Compressor(const Picture& picture)
      : picture_(picture),
        pixels_(picture.pixels.begin(), picture.pixels.end()) {
    coefficients_ = pixels_;
    transformer_.run(of_blocks(picture), Directions::forward, coefficients_);
  }

  Picture picture(double share) const {
    Values values = coefficients_;
    const double dropped = keep_largest(values, share);
    transformer_.run(of_blocks(picture_), Directions::inverse, values);
    Values difference = values;
    for (std::size_t i = 0; i < values.size(); ++i) difference[i] -= pixels_[i];
    const double error = energy(difference);
    std::printf("%6.1f %%   %10.2f dB\n", 100 * share,
                psnr(error, values.size()));
    if (std::abs(error - dropped) >
        1e-4 * dropped + kRounding * energy(pixels_))
      throw std::runtime_error(
          "the error of the picture is " + std::to_string(error) +
          ", and what was left out has " + std::to_string(dropped));
    return to_picture(values, picture_);
  }

 private:
  Transformer transformer_;
  Picture picture_;
  Values pixels_, coefficients_;
};

int run(const std::string& photograph_path, const std::string& pictures_path) {
  const Picture photograph = whole_blocks(read_pgm(photograph_path));
  const Compressor compressor(photograph);
  const std::size_t step = photograph.columns + kGap;
  Sheet sheet(photograph.rows, (std::size(kShown) + 1) * step - kGap);
  sheet.paste(photograph, 0, 0);
  std::size_t left = 0;
  std::printf("%zux%zu pixels in blocks of 8x8\n    kept            PSNR\n",
              photograph.columns, photograph.rows);
  for (const double share : kShares) {
    const Picture picture = compressor.picture(share);
    if (std::find(std::begin(kShown), std::end(kShown), share) ==
        std::end(kShown))
      continue;
    sheet.paste(picture, 0, left += step);
  }
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
    std::fprintf(stderr, "compression: %s\n", error.what());
    return 1;
  }
}
