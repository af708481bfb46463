// This file draws spectrograms as PNG, with text: by cairo, where imago was built with it.
#pragma once

#include <string>

#include "formats/picture.hpp"

namespace imago::formats {

/// Whether draw_png() is there.
bool can_draw_png();
/// The same picture as draw()'s SVG, two pixels for one of its. Throws FormatError where there is
/// no cairo, and for what cairo says.
std::string draw_png(const SpectrogramPicture& picture);

}  // namespace imago::formats
