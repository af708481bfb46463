// This file holds the common parts of SVG pictures: escaped text, the head and the foot.
#pragma once

#include <string>
#include <string_view>

namespace imago::charts {

/// Returns text for SVG: printable, with escaped markup.
std::string escape(std::string_view text);

/// Returns the head of an SVG with white background, title and subtitle. Close it with "</svg>
/// ".
std::string open_svg(double width, double height, std::string_view title,
                     std::string_view subtitle);
/// Returns small text in the lower right corner.
std::string draw_footer(double width, double height, std::string_view text);

/// Position of text relative to its anchor.
enum class Anchor { start, middle, end };
/// Returns text at a place, in the picture's usual size and colour.
std::string draw_text(double x, double y, std::string_view text, Anchor anchor = Anchor::start);

}  // namespace imago::charts
