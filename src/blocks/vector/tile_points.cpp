// This file describes the points of a tile, with and without convolution.
#include "blocks/vector/tile_points.hpp"

#include "base/integers.hpp"
#include "blocks/convolution.hpp"
#include "blocks/edges/convolved.hpp"

namespace imago::blocks {

using ir::Value;

Value TilePoints::start(Value column) const {
  if (!column.valid() || facts_.number_step == 0) return facts_.number;
  const Value own = column * to_signed(facts_.number_step);
  return facts_.number.valid() ? facts_.number + own : own;
}

namespace {

class PlainPoints final : public TilePoints {
 public:
  PlainPoints(const Frame& f, const TileSide& tile, const kernel::Side& side)
      : TilePoints({f.step.length, f.step.length, tile.point, tile.point_step}),
        tile_(tile),
        side_(side) {}

  Value number(Value element, Value start) const override {
    const Value p = element * to_signed(side_.point);
    return start.valid() ? start + p : p;
  }
  /// Returns an empty number, because exists() and changed() of this class ignore it. If `column`
  /// is valid, the call generates code that computes where the column begins. This code then
  /// precedes the loads and stores, which reuse the values.
  Index position(Value, Value column) const override {
    if (column.valid()) start(column), tile_.base_of(column);
    return {};
  }

 private:
  const TileSide& tile_;
  const kernel::Side& side_;
};

PointFacts convolved_points(const TileSite& site, const kernel::ConvolvedFacts& convolved) {
  const std::uint64_t stride = site.f.step.convolution.stride;
  PointFacts points;
  points.everywhere = convolved.elements / stride;
  points.somewhere = base::ceil_divide(convolved.elements, stride);
  points.number = site.tile.number;
  points.number_step = static_cast<std::uint64_t>(site.columns > 1 ? site.tile.number_step : 0);
  points.in_order = !convolved.reorders && stride == 1;
  points.lone_element = convolved.lone_element;
  return points;
}

/// Points of a convolution, whose numbers determine which elements exist.
class ConvolvedPoints final : public TilePoints {
 public:
  ConvolvedPoints(const TileSite& site, const ConvolvedEdge& edge)
      : TilePoints(convolved_points(site, edge.facts())),
        f_(site.f),
        edge_(edge),
        along_(site.columns > 1 ? 0 : 1) {}

  Value first_column() const override { return f_.b.integer(0); }
  Value number(Value element, Value start) const override {
    return number_of(f_, {element, 0}, {start, 0}).base;
  }
  Value element(Value point) const override { return edge_.element(point); }
  Value place(Value point) const override { return edge_.place(point); }
  Index position(Value point, Value column) const override {
    const auto step = static_cast<int>(facts().number_step);
    return number_of(f_, {point, along_}, {start(column), step});
  }
  ir::Condition exists(const Index& position) const override { return edge_.exists(position.base); }
  Cx changed(const Cx& x, const Index& position, const ir::Condition& condition) const override {
    return edge_.changed(x, position, condition);
  }

 private:
  const Frame& f_;
  const ConvolvedEdge edge_;
  const int along_;  ///< points between consecutive lanes
};

TilePointsPtr points_of(const TileSite& site, const TileSide& tile, const kernel::Side& side,
                        kernel::End end) {
  if (const auto edge = convolved_at(site.f, end))
    return std::make_unique<ConvolvedPoints>(site, *edge);
  return std::make_unique<PlainPoints>(site.f, tile, side);
}

}  // namespace

TilePointsPtr points_in(const TileSite& site) {
  return points_of(site, site.tile.in, site.f.step.in, kernel::End::load);
}

TilePointsPtr points_out(const TileSite& site) {
  return points_of(site, site.tile.out, site.f.step.out, kernel::End::store);
}

}  // namespace imago::blocks
