// This file draws spectrograms as PNG, with text, by cairo if imago was built with it.
#pragma once

#include <string>

#include "formats/picture.hpp"

namespace imago::formats {

/// True if draw_png() works.
bool can_draw_png();
/// Draws the same picture as draw()'s SVG, with twice its pixels in each direction. Throws
/// FormatError without cairo, and for cairo's errors.
std::string draw_png(const SpectrogramPicture& picture);

}  // namespace imago::formats
