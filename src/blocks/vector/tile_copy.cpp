// This file moves a tile of the vector mapping between global and private memory.
#include "blocks/vector/tile_copy.hpp"

#include <utility>
#include <variant>

#include "base/integers.hpp"
#include "blocks/edges/edge.hpp"
#include "blocks/edges/roots.hpp"
#include "blocks/hooks.hpp"
#include "blocks/rearrange.hpp"
#include "blocks/vector/lines.hpp"

namespace imago::blocks {

using ir::Value;

// --- both directions ----------------------------------------------------------------------------

TileCopy::TileCopy(const TileSite& site, const TileSide& tile, const kernel::Side& side,
                   TilePointsPtr points)
    : site_(site), b_(site.f.b), tile_(tile), side_(side), points_(std::move(points)) {}

bool TileCopy::meets_columns_apart() const {
  const bool images_in_lanes =
      std::holds_alternative<kernel::HalfSpectrum>(side_.edge) && tile_.point_step != 0;
  return site_.columns > 1 && (!tile_.adjacent || images_in_lanes);
}

bool TileCopy::has_whole_line() const {
  const kernel::Step& step = site_.f.step;
  return site_.columns == 1 && step.line == step.length && kernel::is_any(side_.edge) &&
         !std::holds_alternative<kernel::RightAngle>(side_.edge) &&
         !std::holds_alternative<kernel::Halves>(side_.edge);
}

TileCopy::Block TileCopy::block() const {
  const unsigned columns = site_.columns;
  if (!side_.bare() || side_.planar) return {};
  if (columns > 1 && tile_.adjacent) return {1, 2, columns, false};
  if (side_.stride != 1) return {};
  // The columns' points are contiguous; each block has half as many points as a vector has lanes.
  if (columns > 1 && points_->facts().everywhere >= columns / 2)
    return {columns / 2, columns, columns, true};
  const unsigned width = widest_vector(site_.f.step);
  if (columns == 1 && points_->facts().in_order && width > 1 &&
      points_->facts().everywhere >= width)
    return {width, 2, width, false};
  return {};
}

void TileCopy::over_tile(const Block& block, const OnBlock& on_block,
                         const OnPoint& on_point) const {
  if (block.points > 0)
    over_blocks(block, on_block);
  else
    over_points(0, points_->facts().everywhere, on_point);
  over_points(points_->facts().everywhere, points_->facts().somewhere, on_point);
}

/// Covers the points that exist everywhere with blocks; the last two may overlap.
void TileCopy::over_blocks(const Block& block, const OnBlock& body) const {
  const std::uint64_t count = points_->facts().everywhere;
  const Value column = points_->first_column();
  b_.loop(to_signed(base::ceil_divide(count, block.points)),
          [&](Value i) { body(along(b_, i, block.points, count), column); });
}

void TileCopy::over_points(std::uint64_t from, std::uint64_t to, const OnPoint& body) const {
  b_.loop(to_signed(to - from), [&](Value i) {
    over_columns([&](Value column) {
      const Value point = i + to_signed(from);
      const Index position = points_->position(point, column);
      body(
          point, column,
          from < points_->facts().everywhere ? ir::Condition::always() : points_->exists(position));
    });
  });
}

void TileCopy::over_columns(const std::function<void(Value)>& body) const {
  b_.loop(site_.columns, body);
}

BlockVectors TileCopy::vectors(const Block& block, Value point, Value column) const {
  return [this, block, first = points_->element(point), column](unsigned v) -> BlockVector {
    if (block.rows) return {index(first, b_.integer(v))};
    return {index(first, column), v * block.width};
  };
}

BlockVectors TileCopy::abreast(Value point) const {
  return [this, point](unsigned v) -> BlockVector { return {index(point, b_.integer(v))}; };
}

Point TileCopy::element(Value element, Value column) const {
  const Value at = index(element, column);
  return {at, points_->number(element, points_->start(column))};
}

std::uint64_t TileCopy::apart() const {
  // Columns that are not adjacent are never in lanes here.
  return site_.columns > 1 && tile_.adjacent ? 1 : side_.stride;
}

// --- load ---------------------------------------------------------------------------------------

TileLoad::TileLoad(const TileSite& site)
    : TileCopy(site, site.tile.in, site.f.step.in, points_in(site)), input_(site.f) {}

bool TileLoad::copies() const {
  // Lanes along points take adjacent factors.
  const bool factors_apart =
      std::holds_alternative<kernel::Halves>(side_.edge) && site_.columns == 1 && side_.point > 1;
  return kernel::is_any(side_.convolved) || loads_lines() || meets_columns_apart() || factors_apart;
}

bool TileLoad::loads_lines() const { return !kernel::is_any(side_.convolved) && has_whole_line(); }

Value TileLoad::index(Value element, Value column) const {
  return input_.index(tile_.base_of(column), element);
}

Spread TileCopy::spread(unsigned width) const { return {width, apart(), site_.columns == 1}; }

Cx TileLoad::load(Value point, unsigned width) const {
  if (site_.present > 0) return load_present(element(point, {}), width, site_.present);
  if (site_.abreast > 1) return input_.block(2, width, abreast(point))[0];
  Point at = element(point, {});
  // Columns in lanes are points of one line, each with its own factor.
  if (std::holds_alternative<kernel::Halves>(side_.edge) && tile_.point_step != 0)
    at.root = root_in(site_.f, {at.p, static_cast<int>(tile_.point_step)}, width);
  return load_point(input_, at, spread(width));
}

bool TileLoad::needs_loop(Value point, unsigned width, unsigned legs) const {
  return side_.hooked && hooks_need_loop(site_.f, side_, {index(point, {}), spread(width)}, legs);
}

Cx TileLoad::load_present(const Point& at, unsigned width, unsigned present) const {
  if (present >= width) return load_point(input_, at, spread(width));
  const unsigned half = width / 2;
  const Cx low = load_present(at, half, present);
  const Cx high = present > half
                      ? load_present({at.index + std::int64_t{half}, at.p}, half, present - half)
                      : low;
  const Value re = from_halves(low.re, high.re);
  return {re, from_halves(low.im, high.im)};
}

Cx TileLoad::load_element(Value number, unsigned width) const {
  return input_.element(index(number, {}), spread(width));
}

Points TileLoad::as_loaded(const Points& x, const Legs& legs, Value column) const {
  Index phase{site_.tile.phase, site_.columns > 1 ? site_.tile.phase_step : 0};
  if (column.valid() && phase.base.valid())
    phase = {phase.base + column * std::int64_t{phase.step}, 0};
  return blocks::as_loaded(site_.f, x, legs, phase);
}

void TileLoad::copy(unsigned buffer, std::uint64_t leg) const {
  if (loads_lines()) return load_line(site_, *this, buffer);
  const Block block = this->block();
  over_tile(
      block,
      [&](Value point, Value column) {
        const Points x = input_.block(block.vectors, block.width, vectors(block, point, column));
        const Points y = as_loaded(x, {{point, 0}, 1});
        for (std::size_t p = 0; p < y.size(); ++p)
          keep(buffer, point + to_signed(p), column, y[p], ir::Condition::always());
      },
      [&](Value point, Value column, const ir::Condition& exists) {
        const Cx x = load_point(input_, element(points_->element(point), column), {}, exists);
        keep(buffer, point, column, as_loaded({x}, {{point, 0}, 1}, column)[0], exists);
      });
  copy_zeros(buffer, leg);
  if (points_->facts().lone_element) copy_lone_element();
}

void TileLoad::keep(unsigned buffer, Value point, Value column, const Cx& x,
                    const ir::Condition& exists) const {
  const Cx changed = points_->changed(x, points_->position(point, column), exists);
  site_.store(buffer, points_->place(point), changed, column);
}

void TileLoad::copy_zeros(unsigned buffer, std::uint64_t leg) const {
  const std::uint64_t from = point_count(), to = base::ceil_divide(from, leg) * leg;
  const Value zero = b_.real(0, site_.f.real.with_lanes(site_.columns));
  b_.loop(to_signed(to - from), [&](Value i) {
    site_.store(buffer, i + to_signed(from), {zero, zero});
  });
}

void TileLoad::copy_lone_element() const {
  const Value first = b_.integer(0);
  over_columns([&](Value column) {
    const Cx x = load_point(input_, element(first, column));
    site_.scratch.lone.store(b_, column, as_loaded({x}, {{first, 0}, 1}, column)[0]);
  });
}

// --- store --------------------------------------------------------------------------------------

TileStore::TileStore(const TileSite& site)
    : TileCopy(site, site.tile.out, site.f.step.out, points_out(site)),
      step_(site.f.step),
      output_(site.f) {}

bool TileStore::copies() const {
  return kernel::is_any(side_.convolved) || stores_lines() || meets_columns_apart();
}

bool TileStore::stores_lines() const {
  return !kernel::is_any(side_.convolved) && (step_.at_store().joins || has_whole_line());
}

Value TileStore::index(Value element, Value column) const {
  return output_.index(tile_.base_of(column), element);
}

void TileStore::store(Value point, const Cx& x, Value column) const {
  if (site_.abreast > 1) return output_.block({as_stored(x)}, abreast(point));
  const Value base = tile_.base_of(column);
  const Cx value = as_stored(x);
  const Point at{output_.index(base, point), points_->number(point, points_->start(column))};
  store_present(at, value, site_.present > 0 ? site_.present : value.re.type().lanes);
}

bool TileStore::needs_loop(Value point, unsigned width, unsigned legs) const {
  return side_.hooked && hooks_need_loop(site_.f, side_, {index(point, {}), spread(width)}, legs);
}

void TileStore::store_present(const Point& at, const Cx& x, unsigned present) const {
  const unsigned width = x.re.type().lanes, half = width / 2;
  if (present >= width) return store_point(output_, at, x, spread(width));
  for (const unsigned number : {0u, 1u}) {
    const unsigned before = number * half;
    if (present <= before) return;
    const Value re = half_of(x.re, number);
    store_present({at.index + std::int64_t{before}, at.p}, {re, half_of(x.im, number)},
                  present - before);
  }
}

void TileStore::copy(unsigned buffer) const {
  if (stores_lines()) return store_line(site_, *this, buffer);
  const Block block = this->block();
  over_tile(
      block,
      [&](Value point, Value column) {
        Points x(block.vectors / 2);
        for (std::size_t p = 0; p < x.size(); ++p)
          x[p] = fetch(buffer, point + to_signed(p), column, block.width);
        output_.block(x, vectors(block, point, column));
      },
      [&](Value point, Value column, const ir::Condition& exists) {
        b_.when(exists, [&] {
          const Cx x = fetch(buffer, point, column, 1);
          store_point(output_, element(points_->element(point), column), x);
        });
      });
  if (points_->facts().lone_element) copy_lone_element();
}

Cx TileStore::fetch(unsigned buffer, Value point, Value column, unsigned width) const {
  const Index position = points_->position(point, column);
  const Cx x = site_.load(buffer, points_->place(point), width, column);
  return as_stored(points_->changed(x, position, ir::Condition::always()));
}

void TileStore::copy_lone_element() const {
  over_columns([&](Value column) {
    const Cx x = as_stored(site_.scratch.lone.load(b_, column, 1));
    store_point(output_, element(b_.integer(0), column), x);
  });
}

}  // namespace imago::blocks
