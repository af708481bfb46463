// This file holds what becomes of a tile's points on the way into a convolution and out of it.
#include "blocks/vector/tile_edge.hpp"

#include "base/integers.hpp"
#include "blocks/convolution.hpp"

namespace imago::blocks {

using ir::Value;

Value TileEdge::start(Value column) const {
  if (!column.valid() || points_.number_step == 0) return points_.number;
  const Value own = column * to_signed(points_.number_step);
  return points_.number.valid() ? points_.number + own : own;
}

namespace {

class PlainEdge final : public TileEdge {
 public:
  PlainEdge(const Frame& f, const TileSide& tile, const plan::Side& side)
      : TileEdge({f.step.length, f.step.length, tile.point, tile.point_step}),
        tile_(tile),
        side_(side) {}

  Value number(Value element, Value start) const override {
    const Value p = element * to_signed(side_.point);
    return start.valid() ? start + p : p;
  }
  /// Nothing asks for it. Where points are moved one by one, their column is found first.
  Index position(Value, Value column) const override {
    if (column.valid()) start(column), tile_.base_of(column);
    return {};
  }

 private:
  const TileSide& tile_;
  const plan::Side& side_;
};

TilePoints convolved_points(const TileSite& site) {
  const plan::Convolution& c = site.f.step.convolution;
  TilePoints points{c.elements() / c.stride, base::ceil_divide(c.elements(), c.stride)};
  points.number = site.tile.number;
  points.number_step = static_cast<std::uint64_t>(site.columns > 1 ? site.tile.number_step : 0);
  points.in_order = !c.rader && c.stride == 1;
  points.lone_element = c.rader;
  return points;
}

/// Numbers of a convolution, by which elements exist.
class ConvolutionEdge : public TileEdge {
 public:
  ConvolutionEdge(const TileSite& site, bool in)
      : TileEdge(convolved_points(site)), f_(site.f), along_(site.columns > 1 ? 0 : 1), in_(in) {}

  Value first_column() const override { return f_.b.integer(0); }
  Value number(Value element, Value start) const override {
    return number_of(f_, {element, 0}, {start, 0}).base;
  }
  Index position(Value point, Value column) const override {
    const auto step = static_cast<int>(points().number_step);
    return number_of(f_, {point, along_}, {start(column), step});
  }
  Value exists(const Index& position) const override { return blocks::exists(f_, position.base); }

 protected:
  const Frame& f_;
  const int along_;  ///< points from lane to lane
  const bool in_;    ///< else out
};

/// Points are multiplied by the chirp.
class BluesteinEdge final : public ConvolutionEdge {
 public:
  using ConvolutionEdge::ConvolutionEdge;

  Cx changed(const Cx& x, const Index& position, Value condition) const override {
    const Cx factor = chirp(f_, position, x.re.type().lanes, condition);
    return in_ ? x * factor : returned(x, factor);
  }
};

/// All elements but the first go to Rader's places.
class RaderEdge final : public ConvolutionEdge {
 public:
  using ConvolutionEdge::ConvolutionEdge;

  Value element(Value point) const override { return point + 1; }
  Value place(Value point) const override {
    return in_ ? place_in(f_, point) : place_out(f_, point);
  }
  Cx changed(const Cx& x, const Index&, Value) const override { return in_ ? x : returned(x, {}); }
};

TileEdgePtr convolution_edge(const TileSite& site, bool in) {
  if (site.f.step.convolution.rader) return std::make_unique<RaderEdge>(site, in);
  return std::make_unique<BluesteinEdge>(site, in);
}

}  // namespace

TileEdgePtr edge_in(const TileSite& site) {
  const plan::Step& step = site.f.step;
  if (step.convolution.load) return convolution_edge(site, true);
  return std::make_unique<PlainEdge>(site.f, site.tile.in, step.in);
}

TileEdgePtr edge_out(const TileSite& site) {
  const plan::Step& step = site.f.step;
  if (step.convolution.store) return convolution_edge(site, false);
  return std::make_unique<PlainEdge>(site.f, site.tile.out, step.out);
}

}  // namespace imago::blocks
