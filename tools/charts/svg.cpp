// This file writes text and the frame of SVG pictures.
#include "charts/svg.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace imago::charts {

std::string escape(std::string_view text) {
  std::string safe;
  for (const char c : base::printable(text)) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string open_svg(double width, double height, std::string_view title,
                     std::string_view subtitle) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#333\">\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"white\"/>\n"
      "<text x=\"24\" y=\"30\" font-size=\"17\" font-weight=\"bold\" fill=\"#111\">{2}</text>\n"
      "<text x=\"24\" y=\"49\" fill=\"#666\">{3}</text>\n",
      width, height, escape(title), escape(subtitle));
}

std::string draw_footer(double width, double height, std::string_view text) {
  return fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\" font-size=\"11\" "
      "fill=\"#888\">{}</text>\n",
      width - 24, height - 10, escape(text));
}

std::string draw_text(double x, double y, std::string_view text, Anchor anchor) {
  const char* const place = anchor == Anchor::start    ? "start"
                            : anchor == Anchor::middle ? "middle"
                                                       : "end";
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\">{}</text>\n", x, y, place,
                     escape(text));
}

}  // namespace imago::charts
