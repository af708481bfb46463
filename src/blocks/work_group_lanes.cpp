// This file maps lanes to the work-items of a work-group. All butterflies of an item are held in
// registers; between two passes they go through local memory.
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "blocks/arranged_lanes.hpp"
#include "blocks/convolution.hpp"
#include "blocks/couples.hpp"
#include "blocks/edges/edge.hpp"
#include "blocks/edges/numbered.hpp"
#include "blocks/edges/roots.hpp"
#include "blocks/elements.hpp"
#include "blocks/images.hpp"
#include "blocks/lanes.hpp"
#include "blocks/local_exchange.hpp"
#include "blocks/seat.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

class WorkGroupLanes final : public Lanes {
 public:
  explicit WorkGroupLanes(const Frame& frame)
      : f_(frame),
        b_(frame.b),
        step_(frame.step),
        input_(frame),
        output_(frame),
        exchange_(frame),
        images_(frame, exchange_),
        arranged_(frame, exchange_) {}

  void pass(const Geometry& g, const Body& body) override {
    seat_ = seat_of(f_, g.pass->columns_fastest);
    backwards_ = g.pass->reversed ? is_odd(seat_.column) : Value{};
    const Butterflies mine = butterflies_of(g);
    // Twiddles are on their way while values are exchanged.
    std::vector<Butterfly> butterflies;
    butterflies.reserve(mine.digits.size());
    for (const Value& k : mine.digits) butterflies.push_back(body({k, 0}));
    const auto number = static_cast<std::size_t>(g.pass - step_.passes.data());
    if (g.first)
      load(seat_, mine.reads, g.left);
    else if (!g.in_place)
      held_ = arranged_.exchanged(number, {held_, held_at_}, mine.reads);
    held_ = arranged_alone(f_, number, true, std::move(held_), seat_.item);
    for (std::size_t i = 0; i < held_.size(); ++i) held_[i] = butterflies[i](held_[i]);
    held_ = arranged_alone(f_, number, false, std::move(held_), seat_.item);
    held_at_ = mine.writes;
    if (g.last) store(seat_);
  }

  Index number() const override { return {seat_.number, 0}; }

  Cx lone_element(const Index& k, const Cx& sum) override {
    const Value here = seat_.active && b_.binary(ir::Op::equal, k.base, b_.integer(0));
    const Value zero = b_.integer(0);
    const Cx raw = input_.point({seat_.in.base, zero}, {}, here);
    const Cx lone = load_hook(f_, {raw}, {{zero, 0}, 1}, {})[0];
    b_.when(here, [&] { output_.point({seat_.out.base, zero}, store_hook(f_, lone + sum)); });
    return lone;
  }

 private:
  /// Those of a work-item in a pass.
  struct Butterflies {
    std::vector<Site> reads, writes;
    std::vector<Value> digits;  ///< k
  };
  Butterflies butterflies_of(const Geometry& g) const {
    const auto count = static_cast<std::int64_t>(step_.length / g.radix),
               items = static_cast<std::int64_t>(step_.group().items);
    const auto left = static_cast<std::int64_t>(g.left), done = static_cast<std::int64_t>(g.done);
    Butterflies result;
    for (std::int64_t i = 0; i * items < count; ++i) {
      const Value j = butterfly(*g.pass, i, count);
      const Value busy = (i + 1) * items > count ? j < count : Value{};
      const Value inside = busy.valid() ? b_.binary(ir::Op::min, j, b_.integer(count - 1)) : j;
      const Value row = inside / left, q = inside % left;  // row: (o, k)
      const Value o = g.outer > 1 ? row / done : b_.integer(0);
      result.digits.push_back(g.outer > 1 ? row % done : row);
      const Value from = row * (left * static_cast<std::int64_t>(g.radix)) + q;
      result.reads.push_back(site(seat_, busy, from, left, g.radix));
      // The first pass of an axis writes where it reads.
      const Value to = g.done == 1 ? from : j + o * (done * left * (g.radix - 1));
      result.writes.push_back(site(seat_, busy, to, done * left, g.radix));
    }
    return result;
  }

  /// The number of the work-item's i-th butterfly of `count`.
  Value butterfly(const plan::Pass& pass, std::int64_t i, std::int64_t count) const {
    const std::int64_t members = pass.coupled > 0 ? 2 : 1;
    const Value each = seat_.item + i / members * static_cast<std::int64_t>(step_.group().items);
    if (pass.coupled > 0) return Couples(f_, pass).butterfly(each, static_cast<std::size_t>(i % 2));
    return backwards_.valid() ? b_.select(backwards_, b_.integer(count - 1) - each, each) : each;
  }

  /// The legs of a butterfly in the order in which elements are moved, and values that are moved in
  /// this order, or were. Where it is not that of the legs, points have no factors on this side.
  Site as_moved(Site site) const {
    if (!backwards_.valid()) return site;
    const std::vector<Value> legs = site.points;
    for (std::size_t s = 0; s < legs.size(); ++s)
      site.points[s] = b_.select(backwards_, legs[legs.size() - 1 - s], legs[s]);
    return site;
  }
  Points as_moved(const Points& x) const {
    if (!backwards_.valid()) return x;
    Points result;
    for (std::size_t s = 0; s < x.size(); ++s)
      result.push_back(unless(backwards_, x[s], x[x.size() - 1 - s]));
    return result;
  }

  Site site(const Seat& seat, Value busy, Value first, std::int64_t stride, unsigned radix) const {
    Site result{seat.active && busy, busy, seat.column, stride, {}};
    for (unsigned r = 0; r < radix; ++r) result.points.push_back(first + stride * r);
    return result;
  }

  void load(const Seat& seat, const std::vector<Site>& sites, std::uint64_t stride) {
    if (step_.reorders()) {
      held_ = arranged_.load(seat, sites);
      return;
    }
    if (step_.group().fetches_partners_at_load)
      load_with_images(seat, sites);
    else
      load_points(seat, sites);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const Legs legs{{sites[i].points[0], 0}, stride};
      held_[i] = load_hook(f_, held_[i], legs, {seat.phase, 0});
    }
    if (!step_.convolution.load) return;
    if (step_.convolution.rader)
      order_in(sites);
    else
      over_existing(sites, [&](Cx& x, const Cx& factor) { x = x * factor; });
  }

  void load_points(const Seat& seat, const std::vector<Site>& sites) {
    held_.assign(sites.size(), {});
    if (step_.group().staged) stage_in();
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const Index first = first_of(sites[i], seat.in.point, step_.in.point);
      const Cx root = legs_around(first, step_.convolution.load) ? root_in(f_, first, 1) : Cx{};
      const Site legs = step_.at_load().numbered ? as_moved(sites[i]) : sites[i];
      for (std::size_t r = 0; r < legs.points.size(); ++r)
        held_[i].push_back(step_.group().staged ? staged_point(seat, r)
                                                : load_leg(seat, legs, r, root));
      if (step_.at_load().numbered) held_[i] = as_moved(held_[i]);
    }
  }

  /// Points that are made of their elements and those of their mirror images.
  void load_with_images(const Seat& seat, const std::vector<Site>& sites) {
    const NumberedLine line = line_in(f_);
    held_.assign(sites.size(), {}), held_at_ = sites;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      for (const Value& point : sites[i].points) {
        const Value number = from_its_end(line, line_point(seat.in.point, point, step_.in.point));
        held_[i].push_back(input_.element_of_line(seat.in.base, number, {}, sites[i].active));
      }
    }
    const std::vector<Points> elements = held_;
    std::vector<Points> points(sites.size());
    images_.of_elements(
        seat, {elements, held_at_}, [&](std::size_t i, std::size_t r, const Cx& image) {
          const Index first = first_of(sites[i], seat.in.point, step_.in.point);
          const Cx root = turned_root(step_.at_load().roots, root_in(f_, first, 1), sites[i], r);
          const Value p = line_point(seat.in.point, sites[i].points[r], step_.in.point);
          points[i].push_back(point_of(line, p, root, own_and_partner(elements[i][r], image)));
        });
    held_ = points;
  }

  /// `root`: the factor of the first leg.
  Cx load_leg(const Seat& seat, const Site& site, std::size_t leg, const Cx& root) {
    Value active = site.active, point = site.points[leg];
    if (step_.convolution.load) {
      if (nothing_at(site, leg)) return {b_.real(0, f_.real), b_.real(0, f_.real)};
      active = active && exists(f_, number_at(site, leg));
      if (step_.convolution.rader) point = point + 1;
    }
    return input_.point(
        {input_.index(seat.in.base, point), line_point(seat.in.point, point, step_.in.point),
         turned_root(step_.at_load().roots, root, site, leg)},
        {}, active);
  }

  /// The number of the first leg in its line.
  static Index first_of(const Site& site, Value first, std::uint64_t step) {
    return {line_point(first, site.points[0], step), 0};
  }

  /// Whether the legs of a butterfly lie all around the line, so that their factors follow from the
  /// first one's: not those of a convolution; known ones are better known for themselves.
  bool legs_around(const Index& first, bool convolves) const {
    return !convolves && !b_.constant_integer(first.base);
  }

  /// The factor of another leg: they differ by constants.
  Cx turned_root(const plan::Roots& roots, const Cx& root, const Site& site,
                 std::size_t leg) const {
    if (!root.re.valid()) return {};
    const auto legs = static_cast<unsigned>(site.points.size());
    return rotated(root, static_cast<unsigned>(leg), roots.turns(step_.line) * legs);
  }

  /// The number of a point in its line.
  static Value line_point(Value first, Value point, std::uint64_t step) {
    const Value p = point * static_cast<std::int64_t>(step);
    return first.valid() ? first + p : p;
  }

  void store(const Seat& seat) {
    if (step_.reorders()) return arranged_.store(seat, {held_, held_at_});
    const plan::Convolution& c = step_.convolution;
    out_roots_.assign(held_.size(), {});
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const Index first = first_of(held_at_[i], seat.out.point, step_.out.point);
      if (legs_around(first, c.store)) out_roots_[i] = root_out(f_, first, 1);
    }
    if (step_.at_store().one_more) store_last(seat);
    if (step_.at_store().joins) join_images(seat);
    if (c.store && c.rader) order_out();
    if (c.store && !c.rader)
      over_existing(held_at_, [&](Cx& x, const Cx& factor) { x = returned(x, factor); });
    if (step_.group().staged) return stage_out(seat);
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const Site legs = step_.at_store().numbered ? as_moved(held_at_[i]) : held_at_[i];
      if (step_.at_store().numbered) held_[i] = as_moved(held_[i]);
      b_.when(legs.active, [&] {
        for (std::size_t s = 0; s < held_[i].size(); ++s) store_leg(seat, legs, s, i);
      });
    }
  }

  // --- staging: the group's block as it lies in memory ----------------------------------------

  /// Calls body(place in local memory, whether it exists, element) for the group's elements,
  /// neighbours for neighbouring work-items.
  void over_block(Value offset, const std::function<void(Value, Value, Value)>& body) {
    const auto tile = static_cast<std::int64_t>(step_.tile),
               length = static_cast<std::int64_t>(step_.length);
    const ir::Type wide{ir::Base::i64, 1};
    const Value first = b_.convert(b_.group_id(), {ir::Base::i32, 1}) * tile;
    const Value members = b_.binary(ir::Op::min, f_.batch - first, b_.integer(tile));
    const Value base = offset + b_.convert(first, wide) * length;
    for (std::int64_t i = 0; i < length; ++i) {
      const Value e = b_.local_id(step_.work_group_size()) + i * tile;
      body(e, e < members * length, base + b_.convert(e, wide));
    }
  }

  void stage_in() {
    over_block(f_.in.offset, [&](Value place, Value there, Value element) {
      b_.store(f_.local, place, b_.load_if(there, f_.in.memory, element));
    });
    b_.barrier();
  }

  Value staged_place(const Seat& seat, std::size_t point) {
    return seat.column * static_cast<std::int64_t>(step_.length) + static_cast<std::int64_t>(point);
  }

  Cx staged_point(const Seat& seat, std::size_t point) {
    const Value pair = b_.load(f_.local, staged_place(seat, point));
    return {b_.extract(pair, 0), b_.extract(pair, 1)};
  }

  /// Every work-item writes where it has read: no barrier is needed before.
  void stage_out(const Seat& seat) {
    for (std::size_t s = 0; s < held_[0].size(); ++s)
      b_.store(f_.local, staged_place(seat, s), pair_of(store_hook(f_, held_[0][s])));
    b_.barrier();
    over_block(f_.out.offset, [&](Value place, Value there, Value element) {
      b_.when(there, [&] { b_.store(f_.out.memory, element, b_.load(f_.local, place)); });
    });
  }

  /// The last point of a half spectrum, one more than there are, is stored by who holds its first.
  void store_last(const Seat& seat) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const Value first = b_.binary(ir::Op::equal, held_at_[i].points[0], b_.integer(0));
      b_.when(held_at_[i].active && seat.foremost && first, [&] {
        const Cx zero = held_[i][0];
        const auto end = static_cast<std::int64_t>(step_.length);
        const Value index = output_.index(seat.out.base, b_.integer(end));
        output_.element(index, store_hook(f_, {zero.re - zero.im, b_.real(0, f_.real)}));
      });
    }
  }

  /// Each point meets its mirror image.
  void join_images(const Seat& seat) {
    const std::vector<Points> points = held_;
    images_.of_points(seat, {points, held_at_}, [&](std::size_t i, std::size_t s, const Cx& image) {
      const Cx root = out_root(i, s);
      const Index p{line_point(seat.out.point, held_at_[i].points[s], step_.out.point), 0};
      held_[i][s] = joined(f_, points[i][s], image, root.re.valid() ? root : root_out(f_, p, 1));
    });
  }

  Cx out_root(std::size_t butterfly, std::size_t leg) const {
    return turned_root(step_.at_store().roots, out_roots_[butterfly], held_at_[butterfly], leg);
  }

  void store_leg(const Seat& seat, const Site& site, std::size_t leg, std::size_t butterfly) {
    if (step_.convolution.store && nothing_at(site, leg)) return;
    const auto out = [&](Value point) {
      output_.point(
          {output_.index(seat.out.base, point), line_point(seat.out.point, point, step_.out.point),
           step_.at_store().joins ? Cx{} : out_root(butterfly, leg)},
          store_hook(f_, held_[butterfly][leg]));
    };
    if (!step_.convolution.store) return out(site.points[leg]);
    b_.when(exists(f_, number_at(site, leg)),
            [&] { out(site.points[leg] + (step_.convolution.rader ? 1 : 0)); });
  }

  // --- convolutions
  // --------------------------------------------------------------------------------

  Value number_at(const Site& site, std::size_t leg) const {
    return number_of(f_, {site.points[leg], 0}, number()).base;
  }

  /// Whether the leg lies beyond all elements in every butterfly.
  bool nothing_at(const Site& site, std::size_t leg) const {
    return nothing_from(step_, static_cast<std::uint64_t>(site.stride) * leg);
  }

  /// apply(value, its chirp) for every held element that can exist.
  template <class Apply>
  void over_existing(const std::vector<Site>& sites, Apply apply) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
      for (std::size_t r = 0; r < sites[i].points.size(); ++r) {
        if (nothing_at(sites[i], r)) continue;
        const Value number = number_at(sites[i], r);
        const Value there = sites[i].active && exists(f_, number);
        apply(held_[i][r], chirp(f_, {number, 0}, 1, there));
      }
    }
  }

  /// The loaded elements go where Rader's order has them.
  void order_in(const std::vector<Site>& sites) {
    held_at_ = sites;
    for (Site& site : held_at_) {
      for (Value& point : site.points) point = place_in(f_, point);
    }
    held_ = fetched(sites);
  }

  /// The results are fetched from where Rader's order has them, neighbouring elements for
  /// neighbouring work-items.
  void order_out() {
    const std::vector<Site> elements = held_at_;
    std::vector<Site> places = elements;
    for (Site& site : places) {
      for (Value& point : site.points) point = place_out(f_, point);
    }
    held_ = fetched(places);
    held_at_ = elements;
    for (Points& points : held_) {
      for (Cx& x : points) x = returned(x, {});
    }
  }

  Value pair_of(const Cx& x) { return b_.pair(x.re, x.im); }

  /// What all items hold, at `reads`: through local memory.
  std::vector<Points> fetched(const std::vector<Site>& reads) {
    std::vector<Points> next(reads.size());
    exchange_.fetch({held_, held_at_}, reads,
                    [&](std::size_t i, std::size_t, const Cx& x) { next[i].push_back(x); });
    return next;
  }

  const Frame& f_;
  ir::Builder& b_;
  const plan::Step& step_;
  const Input input_;
  const Output output_;
  LocalExchange exchange_;
  Images images_;
  ArrangedLanes arranged_;
  Seat seat_;                  ///< of the pass
  std::vector<Points> held_;   ///< values of each butterfly
  std::vector<Site> held_at_;  ///< where they belong
  Value backwards_;            ///< invalid: never; butterflies and legs go from the last one on
  std::vector<Cx> out_roots_;  ///< factors of their first points in the line, at store
};

}  // namespace

void with_work_group_lanes(const Frame& frame, const std::function<void(Lanes&)>& passes) {
  WorkGroupLanes lanes(frame);
  passes(lanes);
}

}  // namespace imago::blocks
