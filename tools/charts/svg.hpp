// This file holds what every SVG picture needs: text that is safe in it, its head and its foot.
#pragma once

#include <string>
#include <string_view>

namespace imago::charts {

/// Control characters and what is not UTF-8 replaced by '?'.
std::string printable(std::string_view text);
/// Text for SVG: printable, and markup escaped.
std::string escape(std::string_view text);

/// The head of an SVG with its white background, title and subtitle. Close it with "</svg>\n".
std::string open_svg(double width, double height, std::string_view title,
                     std::string_view subtitle);
/// Small text in the lower right corner.
std::string draw_footer(double width, double height, std::string_view text);

/// Where text lies beside its anchor.
enum class Anchor { start, middle, end };
/// Text at a place, in the picture's usual size and colour.
std::string draw_text(double x, double y, std::string_view text, Anchor anchor = Anchor::start);

}  // namespace imago::charts
