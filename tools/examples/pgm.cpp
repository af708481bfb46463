// This file implements the reader of PGM pictures.
#include "pgm.hpp"

#include <fstream>
#include <limits>
#include <stdexcept>

namespace imago::examples {
namespace {

constexpr std::size_t kMostPixels = std::size_t{1} << 28;

/// Reads a number of the header; lines that begin with # are comments.
std::size_t number(std::istream& file) {
  while ((file >> std::ws).peek() == '#')
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  std::size_t value = 0;
  file >> value;
  return value;
}

}  // namespace

Picture read_pgm(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::string magic(2, '\0');
  file.read(magic.data(), 2);
  Picture picture;
  picture.columns = number(file);
  picture.rows = number(file);
  const std::size_t white = number(file);
  file.get();  // the single blank before the pixels
  if (!file || magic != "P5" || white != 255)
    throw std::runtime_error(path + ": is no PGM (P5) of 8 bits");
  if (picture.rows == 0 || picture.columns == 0 ||
      picture.columns > kMostPixels / picture.rows)
    throw std::runtime_error(path + ": must have 1 to 2^28 pixels");
  picture.pixels.resize(picture.rows * picture.columns);
  const auto size = static_cast<std::streamsize>(picture.pixels.size());
  if (!file.read(reinterpret_cast<char*>(picture.pixels.data()), size))
    throw std::runtime_error(path + ": is truncated");
  return picture;
}

}  // namespace imago::examples
