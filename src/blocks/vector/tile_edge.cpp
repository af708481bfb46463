// This file holds what becomes of a tile's points on the way into a convolution and out of it.
#include "blocks/vector/tile_edge.hpp"

#include "base/integers.hpp"
#include "blocks/convolution.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

class PlainEdge final : public TileEdge {
 public:
  PlainEdge(const TileSite& site, const TileSide& tile, const plan::Side& side)
      : length_(site.f.step.length), tile_(tile), side_(side) {}

  std::uint64_t everywhere() const override { return length_; }
  std::uint64_t somewhere() const override { return length_; }

  Value start(Value column) const override {
    if (!column.valid() || tile_.point_step == 0) return tile_.point;
    const Value own = column * to_signed(tile_.point_step);
    return tile_.point.valid() ? tile_.point + own : own;
  }
  Value number(Value element, Value start) const override {
    const Value p = element * to_signed(side_.point);
    return start.valid() ? start + p : p;
  }
  /// Nothing asks for it: a column is found before its points are moved, one after the other.
  Index position(Value, Value column) const override {
    if (column.valid()) start(column), tile_.base_of(column);
    return {};
  }

 private:
  const std::uint64_t length_;
  const TileSide& tile_;
  const plan::Side& side_;
};

/// Numbers of a convolution, by which elements exist.
class ConvolutionEdge : public TileEdge {
 public:
  explicit ConvolutionEdge(const TileSite& site)
      : f_(site.f), c_(site.f.step.convolution), site_(site) {}

  std::uint64_t everywhere() const override { return c_.elements() / c_.stride; }
  std::uint64_t somewhere() const override { return base::ceil_divide(c_.elements(), c_.stride); }

  Value first_column() const override { return f_.b.integer(0); }
  Value start(Value column) const override {
    const Value first = site_.tile.number;
    if (!first.valid() || !column.valid()) return first;
    return first + column * std::int64_t{column_step()};
  }
  Value number(Value element, Value start) const override {
    return number_of(f_, {element, 0}, {start, 0}).base;
  }
  Index position(Value point, Value column) const override {
    return number_of(f_, {point, site_.columns > 1 ? 0 : 1}, {start(column), column_step()});
  }
  Value exists(const Index& position) const override { return blocks::exists(f_, position.base); }

 protected:
  int column_step() const { return site_.columns > 1 ? site_.tile.number_step : 0; }

  const Frame& f_;
  const plan::Convolution& c_;
  const TileSite& site_;
};

/// Points are multiplied by the chirp.
class BluesteinEdge final : public ConvolutionEdge {
 public:
  BluesteinEdge(const TileSite& site, bool in) : ConvolutionEdge(site), in_(in) {}

  bool in_order() const override { return c_.stride == 1; }
  Cx changed(const Cx& x, const Index& position, Value condition) const override {
    const Cx factor = chirp(f_, position, x.re.type().lanes, condition);
    return in_ ? x * factor : returned(x, factor);
  }

 private:
  const bool in_;
};

/// All elements but the first go to Rader's places.
class RaderEdge final : public ConvolutionEdge {
 public:
  RaderEdge(const TileSite& site, bool in) : ConvolutionEdge(site), in_(in) {}

  Value element(Value point) const override { return point + 1; }
  Value place(Value point) const override {
    return in_ ? place_in(f_, point) : place_out(f_, point);
  }
  bool in_order() const override { return false; }
  bool has_lone_element() const override { return true; }
  Cx changed(const Cx& x, const Index&, Value) const override { return in_ ? x : returned(x, {}); }

 private:
  const bool in_;
};

std::unique_ptr<const TileEdge> convolution_edge(const TileSite& site, bool in) {
  if (site.f.step.convolution.rader) return std::make_unique<RaderEdge>(site, in);
  return std::make_unique<BluesteinEdge>(site, in);
}

}  // namespace

std::unique_ptr<const TileEdge> edge_in(const TileSite& site) {
  const plan::Step& step = site.f.step;
  if (step.convolution.load) return convolution_edge(site, true);
  return std::make_unique<PlainEdge>(site, site.tile.in, step.in);
}

std::unique_ptr<const TileEdge> edge_out(const TileSite& site) {
  const plan::Step& step = site.f.step;
  if (step.convolution.store) return convolution_edge(site, false);
  return std::make_unique<PlainEdge>(site, site.tile.out, step.out);
}

}  // namespace imago::blocks
