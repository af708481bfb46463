// This file holds what becomes of a tile's points on the way into a convolution and out of it.
#include "blocks/vector/tile_points.hpp"

#include "base/integers.hpp"
#include "blocks/convolution.hpp"

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
  PlainPoints(const Frame& f, const TileSide& tile, const plan::Side& side)
      : TilePoints({f.step.length, f.step.length, tile.point, tile.point_step}),
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

PointFacts convolved_points(const TileSite& site) {
  const plan::Convolution& c = site.f.step.convolution;
  PointFacts points{c.elements() / c.stride, base::ceil_divide(c.elements(), c.stride)};
  points.number = site.tile.number;
  points.number_step = static_cast<std::uint64_t>(site.columns > 1 ? site.tile.number_step : 0);
  points.in_order = !c.rader && c.stride == 1;
  points.lone_element = c.rader;
  return points;
}

/// Numbers of a convolution, by which elements exist.
class ConvolutionPoints : public TilePoints {
 public:
  ConvolutionPoints(const TileSite& site, bool in)
      : TilePoints(convolved_points(site)), f(site.f), in(in), along_(site.columns > 1 ? 0 : 1) {}

  Value first_column() const override { return f.b.integer(0); }
  Value number(Value element, Value start) const override {
    return number_of(f, {element, 0}, {start, 0}).base;
  }
  Index position(Value point, Value column) const override {
    const auto step = static_cast<int>(facts().number_step);
    return number_of(f, {point, along_}, {start(column), step});
  }
  Value exists(const Index& position) const override { return blocks::exists(f, position.base); }

 protected:
  const Frame& f;
  const bool in;  ///< else out

 private:
  const int along_;  ///< points from lane to lane
};

/// Points are multiplied by the chirp.
class BluesteinPoints final : public ConvolutionPoints {
 public:
  using ConvolutionPoints::ConvolutionPoints;

  Cx changed(const Cx& x, const Index& position, Value condition) const override {
    const Cx factor = chirp(f, position, x.re.type().lanes, condition);
    return in ? x * factor : returned(x, factor);
  }
};

/// All elements but the first go to Rader's places.
class RaderPoints final : public ConvolutionPoints {
 public:
  using ConvolutionPoints::ConvolutionPoints;

  Value element(Value point) const override { return point + 1; }
  Value place(Value point) const override { return in ? place_in(f, point) : place_out(f, point); }
  Cx changed(const Cx& x, const Index&, Value) const override { return in ? x : returned(x, {}); }
};

TilePointsPtr convolution_points(const TileSite& site, bool in) {
  if (site.f.step.convolution.rader) return std::make_unique<RaderPoints>(site, in);
  return std::make_unique<BluesteinPoints>(site, in);
}

}  // namespace

TilePointsPtr points_in(const TileSite& site) {
  const plan::Step& step = site.f.step;
  if (step.convolution.load) return convolution_points(site, true);
  return std::make_unique<PlainPoints>(site.f, site.tile.in, step.in);
}

TilePointsPtr points_out(const TileSite& site) {
  const plan::Step& step = site.f.step;
  if (step.convolution.store) return convolution_points(site, false);
  return std::make_unique<PlainPoints>(site.f, site.tile.out, step.out);
}

}  // namespace imago::blocks
