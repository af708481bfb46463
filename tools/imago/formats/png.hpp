// This file writes palette images as PNG (ISO/IEC 15948).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/format_error.hpp"

namespace imago::formats {

using Colour = std::array<std::uint8_t, 3>;

/// Returns the PNG of `pixels`, row by row from the top; each is an index into `palette` (at most
/// 256 entries). Throws FormatError if libpng fails.
std::string png(std::size_t width, std::size_t height, const std::vector<std::uint8_t>& pixels,
                const std::vector<Colour>& palette);
/// Encodes as in RFC 4648.
std::string base64(std::string_view bytes);

}  // namespace imago::formats
