// This file loads and stores whole lines in the vector mapping.
#include "blocks/vector/lines.hpp"

#include <variant>

#include "blocks/edges/edge.hpp"
#include "blocks/edges/folded_spectrum.hpp"
#include "blocks/edges/half_spectrum.hpp"
#include "blocks/edges/roots.hpp"
#include "blocks/vector/along_points.hpp"
#include "blocks/vector/halved_lines.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

bool is_halved(const kernel::Step& step, const kernel::Edge& edge) {
  const auto* const cosines = std::get_if<kernel::Cosines>(&edge);
  return cosines && cosines->halves_pairs(step.line);
}

/// One line, loaded into a buffer of the private memory.
struct LineLoad {
  const TileSite& site;
  const TileLoad& tile;
  unsigned buffer;

  void folded_spectrum() const;
  void half_spectrum() const;
  void keep(Value point, const Cx& x) const {
    site.store(buffer, point, tile.as_loaded({x}, {{point, 0}, 1})[0]);
  }
};

struct LineStore {
  const TileSite& site;
  const TileStore& tile;
  unsigned buffer;

  void join_all() const;
  void join(Value p, unsigned width, Value column) const;
};

void LineLoad::folded_spectrum() const {
  const Frame& f = site.f;
  const Value zero = f.b.integer(0), none = f.b.real(0, f.real);
  const auto n = to_signed(f.step.line);
  over_points(f.b, f.step, f.step.line, [&](Value p, unsigned width) {
    const Value partner = f.b.integer(n - width + 1) - p;
    const Cx root = root_in(f, {p, 1}, width);
    const Cx x = reversed(tile.load_element(partner, width));
    keep(p, folded(tile.load_element(p, width), x, root));
  });
  const Cx first = tile.load_element(zero, 1), last = tile.load_element(f.b.integer(n), 1);
  keep(zero, folded({first.re, none}, {last.re, none}, {f.b.real(1, f.real), none}));
}

void LineLoad::half_spectrum() const {
  const Frame& f = site.f;
  const Value zero = f.b.integer(0), none = f.b.real(0, f.real);
  const auto n = to_signed(f.step.line);
  over_points(f.b, f.step, f.step.line / 2 + 1, [&](Value p, unsigned width) {
    const Cx x = tile.load_element(p, width);
    keep(p, x);
    // Point 0 has no partner; its mirrored copy goes beyond the last point.
    const Cx mirrored = reversed({x.re, -x.im});
    keep(f.b.integer(n - width + 1) - p, mirrored);
  });
  keep(zero, {tile.load_element(zero, 1).re, none});
  if (n % 2 != 0) return;
  const Value half = f.b.integer(n / 2);
  keep(half, {tile.load_element(half, 1).re, none});
}

void LineStore::join_all() const {
  const kernel::Step& step = site.f.step;
  ir::Builder& b = site.f.b;
  const unsigned columns = site.columns;
  const std::uint64_t count = step.line + (step.at_store().one_more ? 1 : 0);
  const Value last = b.integer(to_signed(step.line));
  site.store(buffer, last, site.load(buffer, b.integer(0), columns));
  if (columns == 1 && !step.at_store().numbered)
    return over_points(site.f.b, site.f.step, count,
                       [&](Value p, unsigned width) { join(p, width, {}); });
  b.loop(to_signed(count), [&](Value p) {
    if (columns == 1 || site.tile.out.adjacent) return join(p, columns, {});
    b.loop(columns, [&](Value column) { join(p, 1, column); });
  });
}

/// Joins points with their partners. Lanes are columns or `width` points of one line, or the join
/// is for one column.
void LineStore::join(Value p, unsigned width, Value column) const {
  const Frame& f = site.f;
  const bool along = site.columns == 1;
  const Value last = f.b.integer(to_signed(f.step.line) - (along ? width - 1 : 0));
  const Cx there = site.load(buffer, last - p, width, column);
  const Cx partner = along ? reversed(there) : there;
  const Cx root = root_out(f, {p, along && width > 1 ? 1 : 0}, width);
  tile.store(p, joined(f, {{}, p, root}, site.load(buffer, p, width, column), partner), column);
}

}  // namespace

void load_line(const TileSite& site, const TileLoad& tile, unsigned buffer) {
  const kernel::Step& step = site.f.step;
  if (is_halved(step, step.in.edge)) return load_halved_line(site, tile, buffer);
  const LineLoad line{site, tile, buffer};
  if (step.at_load().numbered)
    site.f.b.loop(to_signed(step.line), [&](Value p) { line.keep(p, tile.load(p, 1)); });
  else if (std::holds_alternative<kernel::FoldedSpectrum>(step.in.edge))
    line.folded_spectrum();
  else
    line.half_spectrum();
}

void store_line(const TileSite& site, const TileStore& tile, unsigned buffer) {
  const kernel::Step& step = site.f.step;
  if (site.columns == 1 && is_halved(step, step.out.edge))
    return store_halved_line(site, tile, buffer);
  if (step.at_store().joins) return LineStore{site, tile, buffer}.join_all();
  const auto store = [&](Value p, unsigned width) { tile.store(p, site.load(buffer, p, width)); };
  if (step.at_store().numbered)
    return site.f.b.loop(to_signed(step.line), [&](Value p) { store(p, 1); });
  for (const std::int64_t point : rounded_real_points(step)) {
    const Value p = site.f.b.integer(point);
    site.store(buffer, p, {site.load(buffer, p, 1).re, site.f.b.real(0, site.f.real)});
  }
  over_points(site.f.b, site.f.step, step.line / 2 + 1, store);
}

}  // namespace imago::blocks
