// This file implements the sheet.
#include "sheet.hpp"

#include <algorithm>
#include <vector>

#include "formats/png.hpp"

namespace imago::examples {

Sheet::Sheet(std::size_t rows, std::size_t columns)
    : sheet_{rows, columns, {}} {
  sheet_.pixels.resize(rows * columns, 255);
}

void Sheet::paste(const Picture& picture, std::size_t top, std::size_t left) {
  for (std::size_t row = 0; row < picture.rows; ++row)
    std::copy_n(&picture.pixels[row * picture.columns], picture.columns,
                &sheet_.pixels[(top + row) * sheet_.columns + left]);
}

std::string Sheet::png() const {
  std::vector<formats::Colour> greys;
  for (unsigned i = 0; i < 256; ++i) {
    const auto grey = static_cast<std::uint8_t>(i);
    greys.push_back({grey, grey, grey});
  }
  return formats::png(sheet_.columns, sheet_.rows, sheet_.pixels, greys);
}

}  // namespace imago::examples
