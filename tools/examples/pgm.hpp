// This file reads grey pictures in the PGM format (netpbm's "P5"), which most
// image programs write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace imago::examples {

/// Grey values, row by row from the top.
struct Picture {
  std::size_t rows = 0, columns = 0;
  std::vector<std::uint8_t> pixels;
  std::uint8_t at(std::size_t row, std::size_t column) const {
    return pixels[row * columns + column];
  }
};

/// Throws std::runtime_error with the file's name unless the file is one whole
/// picture of 8 bits.
Picture read_pgm(const std::string& path);

}  // namespace imago::examples
