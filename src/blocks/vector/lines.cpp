// This file holds the vector mapping's way of whole lines.
#include "blocks/vector/lines.hpp"

#include <functional>
#include <vector>

#include "base/integers.hpp"
#include "blocks/edges/edge.hpp"
#include "blocks/edges/folded_spectrum.hpp"
#include "blocks/edges/roots.hpp"
#include "blocks/vector/tile_load.hpp"
#include "blocks/vector/tile_store.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

Cx reversed(const Cx& x) {
  std::vector<int> lanes(x.re.type().lanes);
  for (std::size_t l = 0; l < lanes.size(); ++l) lanes[l] = static_cast<int>(lanes.size() - 1 - l);
  if (lanes.size() == 1) return x;
  ir::Builder& b = x.re.builder();
  return {b.shuffle(x.re, x.re, lanes), b.shuffle(x.im, x.im, lanes)};
}

/// Lanes along `count` points: the widest vectors of the step that fit, the last moved back.
void over_points(const Frame& f, std::uint64_t count,
                 const std::function<void(Value, unsigned)>& body) {
  unsigned width = widest_vector(f.step);
  while (width > count) width /= 2;
  f.b.loop(to_signed(base::ceil_divide(count, width)),
           [&](Value i) { body(along(f.b, i, width, count), width); });
}

}  // namespace

// --- load
// -----------------------------------------------------------------------------------------

void LineLoad::copy(unsigned stage) const {
  const plan::Step& step = f_.step;
  if (step.at_load().numbered)
    b_.loop(to_signed(step.line), [&](Value p) { keep(stage, p, load_.load(p, 1)); });
  else if (step.at_load().one_more)
    copy_folded(stage);
  else
    copy_half(stage);
}

void LineLoad::copy_folded(unsigned stage) const {
  const Value zero = b_.integer(0), none = b_.real(0, f_.real);
  const auto n = to_signed(f_.step.line);
  over_points(f_, f_.step.line, [&](Value p, unsigned width) {
    const Value image = b_.integer(n - width + 1) - p;
    const Cx root = root_in(f_, {p, 1}, width);
    const Cx x = reversed(element(image, width));
    keep(stage, p, folded(element(p, width), x, root));
  });
  const Cx first = element(zero, 1), last = element(b_.integer(n), 1);
  keep(stage, zero, folded({first.re, none}, {last.re, none}, {b_.real(1, f_.real), none}));
}

void LineLoad::copy_half(unsigned stage) const {
  const Value zero = b_.integer(0), none = b_.real(0, f_.real);
  const auto n = to_signed(f_.step.line);
  over_points(f_, f_.step.line / 2 + 1, [&](Value p, unsigned width) {
    const Cx x = element(p, width);
    keep(stage, p, x);
    // Of point 0 there is no image: it goes beyond the last point.
    keep(stage, b_.integer(n - width + 1) - p, reversed({x.re, -x.im}));
  });
  keep(stage, zero, {element(zero, 1).re, none});
  if (n % 2 != 0) return;
  const Value half = b_.integer(n / 2);
  keep(stage, half, {element(half, 1).re, none});
}

Cx LineLoad::element(Value number, unsigned width) const {
  return input_.element(input_.index(site_.tile.in.base, number), {width, f_.step.in.stride});
}

void LineLoad::keep(unsigned stage, Value point, const Cx& x) const {
  site_.store(stage, point, load_.hooked({x}, {{point, 0}, 1})[0]);
}

// --- store
// ----------------------------------------------------------------------------------------

void LineStore::copy(unsigned stage) const {
  const plan::Step& step = f_.step;
  if (step.at_store().joins) return copy_images(stage);
  const auto copy = [&](Value p, unsigned width) { store_.store(p, site_.load(stage, p, width)); };
  if (step.at_store().numbered) return b_.loop(to_signed(step.line), [&](Value p) { copy(p, 1); });
  over_points(f_, step.line / 2 + 1, copy);
}

void LineStore::copy_images(unsigned stage) const {
  const plan::Step& step = f_.step;
  const unsigned columns = site_.columns;
  const std::uint64_t count = step.line + (step.at_store().one_more ? 1 : 0);
  site_.store(stage, b_.integer(to_signed(step.line)), site_.load(stage, b_.integer(0), columns));
  if (columns > 1 && !site_.tile.out.adjacent) return copy_images_of_columns(stage, count);
  if (columns > 1 || step.at_store().numbered)
    return b_.loop(to_signed(count), [&](Value p) { copy_image(stage, p, columns); });
  over_points(f_, count, [&](Value p, unsigned width) { copy_image(stage, p, width); });
}

/// Lanes are columns, or `width` points of one line.
void LineStore::copy_image(unsigned stage, Value p, unsigned width) const {
  const bool along = site_.columns == 1;
  const Value last = b_.integer(to_signed(f_.step.line) - (along ? width - 1 : 0));
  Cx image = site_.load(stage, last - p, width);
  if (along) image = reversed(image);
  const Cx root = root_out(f_, {p, along && width > 1 ? 1 : 0}, width);
  store_.store(p, joined(f_, site_.load(stage, p, width), image, root));
}

void LineStore::copy_images_of_columns(unsigned stage, std::uint64_t count) const {
  const Value last = b_.integer(to_signed(f_.step.line));
  b_.loop(to_signed(count), [&](Value p) {
    b_.loop(site_.columns, [&](Value column) {
      const Cx image = site_.load(stage, last - p, 1, column);
      const Cx root = root_out(f_, {p, 0}, 1);
      const Cx x = joined(f_, site_.load(stage, p, 1, column), image, root);
      const Value base = site_.tile.out.base_of(column);
      const Cx value = store_.hooked(x);
      output_.point({output_.index(base, p), p}, value);
    });
  });
}

}  // namespace imago::blocks
