// This file draws spectrograms with cairo.
#include "formats/raster.hpp"

#include "formats/format_error.hpp"

#if defined(IMAGO_WITH_CAIRO)
#include <cairo.h>

#include <cstdint>
#include <memory>
#include <numbers>
#include <vector>

#include "base/text.hpp"
#endif

namespace imago::formats {

#if defined(IMAGO_WITH_CAIRO)
namespace {

constexpr double kScale = 2;
constexpr double kText = 12, kTitle = 17, kFooter = 11;  // sizes as in the SVG

struct Free {
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, Free>;

/// A page in the SVG's coordinates.
class Page {
 public:
  Page(double width, double height)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width * kScale),
                                            static_cast<int>(height * kScale))),
        context_(cairo_create(surface_.get())) {
    cairo_scale(context_.get(), kScale, kScale);
    cairo_set_source_rgb(context_.get(), 1, 1, 1);
    cairo_paint(context_.get());
  }

  enum class Anchor { start, middle, end };
  struct Style {
    double size = kText;
    double grey = 0.2;  ///< 0 is black, 1 is white
    bool bold = false;
  };
  /// Draws text with its anchor at a place.
  void text(double x, double y, const std::string& words, Anchor anchor, Style style) {
    cairo_t* const c = context_.get();
    cairo_select_font_face(c, "Helvetica, Arial, sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(c, style.size);
    cairo_set_source_rgb(c, style.grey, style.grey, style.grey);
    const std::string safe = base::printable(words);
    cairo_text_extents_t extents;
    cairo_text_extents(c, safe.c_str(), &extents);
    const double part = anchor == Anchor::start ? 0 : anchor == Anchor::middle ? 0.5 : 1;
    cairo_move_to(c, x - part * extents.x_advance, y);
    cairo_show_text(c, safe.c_str());
  }
  void text(double x, double y, const std::string& words, Anchor anchor) {
    text(x, y, words, anchor, Style{});
  }
  /// Draws text that runs upwards, centred at a place.
  void upward_text(double x, double y, const std::string& words) {
    cairo_save(context_.get());
    cairo_translate(context_.get(), x, y);
    cairo_rotate(context_.get(), -std::numbers::pi / 2);
    text(0, 0, words, Anchor::middle);
    cairo_restore(context_.get());
  }
  void line(double x0, double y0, double x1, double y1) {
    cairo_set_source_rgb(context_.get(), 0.53, 0.53, 0.53);
    cairo_set_line_width(context_.get(), 1);
    cairo_move_to(context_.get(), x0, y0);
    cairo_line_to(context_.get(), x1, y1);
    cairo_stroke(context_.get());
  }
  void image(const charts::Frame& frame, const Pixels& pixels) {
    const auto width = static_cast<int>(pixels.width), height = static_cast<int>(pixels.height);
    const Surface colours(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
    if (unsigned char* const rows = cairo_image_surface_get_data(colours.get())) {
      cairo_surface_flush(colours.get());
      const int stride = cairo_image_surface_get_stride(colours.get());
      for (int y = 0; y < height; ++y) {
        auto* to = reinterpret_cast<std::uint32_t*>(rows + static_cast<std::ptrdiff_t>(y) * stride);
        for (int x = 0; x < width; ++x) {
          const Colour& colour =
              palette()[pixels.indices[static_cast<std::size_t>(y) * pixels.width +
                                       static_cast<std::size_t>(x)]];
          *to++ = static_cast<std::uint32_t>(colour[0]) << 16 |
                  static_cast<std::uint32_t>(colour[1]) << 8 | colour[2];
        }
      }
      cairo_surface_mark_dirty(colours.get());
    }
    cairo_t* const c = context_.get();
    cairo_save(c);
    cairo_translate(c, frame.left, frame.top);
    cairo_scale(c, frame.width / width, frame.height / height);
    cairo_set_source_surface(c, colours.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(c), CAIRO_FILTER_NEAREST);
    cairo_paint(c);
    cairo_restore(c);
  }

  std::string png() const {
    std::string bytes;
    const auto append = [](void* to, const unsigned char* data, unsigned size) {
      static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), size);
      return CAIRO_STATUS_SUCCESS;
    };
    cairo_status_t status = cairo_status(context_.get());
    if (status == CAIRO_STATUS_SUCCESS)
      status = cairo_surface_write_to_png_stream(surface_.get(), append, &bytes);
    if (status != CAIRO_STATUS_SUCCESS)
      throw FormatError(std::string("the picture cannot be drawn: ") +
                        cairo_status_to_string(status));
    return bytes;
  }

 private:
  Surface surface_;
  std::unique_ptr<cairo_t, Free> context_;
};

using Anchor = Page::Anchor;

void draw_x_axis(Page& page, const charts::Frame& frame, const Axis& axis) {
  const double bottom = frame.top + frame.height;
  for (const double value : charts::x_ticks(frame, axis)) {
    const double x = frame.x(axis, value);
    page.line(x, bottom, x, bottom + 5);
    page.text(x, bottom + 19, charts::number_on(axis, value), Anchor::middle);
  }
  page.text(frame.left + frame.width / 2, bottom + 39, axis.title, Anchor::middle);
}

void draw_y_axis(Page& page, const charts::Frame& frame, const Axis& axis) {
  for (const double value : charts::y_ticks(frame, axis)) {
    const double y = frame.y(axis, value);
    page.line(frame.left - 5, y, frame.left, y);
    page.text(frame.left - 9, y + 4, charts::number_on(axis, value), Anchor::end);
  }
  page.upward_text(frame.left - charts::kTitleDistance, frame.top + frame.height / 2, axis.title);
}

void draw_bar(Page& page, const charts::Frame& bar, const Axis& level,
              const std::vector<Panel>& panels) {
  page.image(bar, {1, all_levels().size(), all_levels()});
  for (const auto& [value, text] : colour_ticks(panels, level))
    page.text(bar.left + 18, bar.y(level, value) + 4, text, Anchor::start);
}

}  // namespace

bool can_draw_png() { return true; }

std::string draw_png(const SpectrogramPicture& picture) {
  const SpectrogramPage where = page_of(picture);
  const Axis level = picture.level();
  Page page(where.width, where.height);
  page.text(24, 30, picture.captions.title, Anchor::start, {kTitle, 0.07, true});
  page.text(24, 49, picture.captions.subtitle, Anchor::start, {kText, 0.4, false});
  const auto wide = static_cast<std::size_t>(kScale * where.panels[0].width),
             high = static_cast<std::size_t>(kScale * where.panels[0].height);
  page.text(where.width - 24, where.height - 10, footer_of(picture, wide, high), Anchor::end,
            {kFooter, 0.53, false});
  page.text(where.width - 16, where.bar.top - 10, level.title, Anchor::end);
  draw_bar(page, where.bar, level, picture.panels);
  for (std::size_t i = 0; i < where.panels.size(); ++i) {
    const charts::Frame& frame = where.panels[i];
    page.image(frame, picture.pixels_of(picture.panels[i], level, wide, high));
    draw_y_axis(page, frame, picture.upwards());
    page.text(frame.left, frame.top - 8, picture.panels[i].name, Anchor::start);
  }
  draw_x_axis(page, where.panels.back(), picture.across());
  return page.png();
}
#else
bool can_draw_png() { return false; }

std::string draw_png(const SpectrogramPicture&) {
  throw FormatError("PNG needs cairo, which this imago was built without: use .svg");
}
#endif

}  // namespace imago::formats
