// This file loads points.
#include "blocks/work_group/load.hpp"

#include <utility>
#include <variant>

#include "blocks/edges/cosines.hpp"
#include "blocks/edges/edge.hpp"
#include "blocks/work_group/index_map.hpp"
#include "blocks/work_group/line_points.hpp"
#include "blocks/work_group/order.hpp"
#include "blocks/work_group/partners.hpp"
#include "blocks/work_group/reordered_axes.hpp"
#include "blocks/work_group/staging.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

class Loader {
 public:
  Loader(const Frame& frame, const WorkItem& item, const ConvolvedEdge* convolved)
      : f_(frame),
        b_(frame.b),
        step_(frame.step),
        item_(item),
        convolved_(convolved),
        input_(frame) {}

  /// Loads points: each work-item finds the elements of its own points in memory.
  std::vector<Points> points(const std::vector<Site>& sites) const {
    std::vector<Points> result;
    for (const Site& site : sites) {
      const Value first = number_in_line(site.points[0]);
      const bool around = legs_around(f_, first, convolved_ != nullptr);
      const Cx root = around ? root_in(f_, {first, 0}, 1) : Cx{};
      const Site legs = step_.at_load().numbered ? as_moved(item_, site) : site;
      Points x;
      for (std::size_t r = 0; r < legs.points.size(); ++r) x.push_back(leg(legs, r, root));
      result.push_back(step_.at_load().numbered ? as_moved(item_, x) : x);
    }
    return result;
  }

  /// Loads points that are made of their own elements and those of their partners, which are
  /// exchanged through local memory.
  std::vector<Points> joined_points(Exchanger& exchange, const std::vector<Site>& sites) const {
    const CosineLine line{b_, std::get<kernel::Cosines>(step_.in.edge), step_.line};
    const Held elements{elements_of_points(line, sites), sites};
    std::vector<Points> points(sites.size());
    with_partners_in_memory(
        f_, exchange, item_, elements, [&](std::size_t i, std::size_t r, const Cx& partner) {
          const Value first = number_in_line(sites[i].points[0]);
          const Cx turned =
              step_.reproducible
                  ? Cx{}
                  : turned_root(f_, step_.at_load().roots, root_in(f_, {first, 0}, 1), sites[i], r);
          const Value p = number_in_line(sites[i].points[r]);
          const Cx root = step_.reproducible ? root_in(f_, {p, 0}, 1) : turned;
          points[i].push_back(point_of(line, p, {root, unfolding_in(f_, {p, 0}, 1)},
                                       own_and_partner(elements.values[i][r], partner)));
        });
    return points;
  }

 private:
  std::vector<Points> elements_of_points(const CosineLine& line,
                                         const std::vector<Site>& sites) const {
    std::vector<Points> elements(sites.size());
    for (std::size_t i = 0; i < sites.size(); ++i) {
      for (const Value& point : sites[i].points) {
        const Value p = number_in_line(point);
        elements[i].push_back(own_element(line, input_, {item_.in.base, p}, {{}, sites[i].active}));
      }
    }
    return elements;
  }

  /// Loads one leg; `root` is the factor of the first leg.
  Cx leg(const Site& site, std::size_t leg, const Cx& root) const {
    // Idle butterflies have the points of the last one (butterflies_of()).
    ir::Condition active = step_.group().loads_together ? ir::Condition::always() : site.active;
    Value point = site.points[leg];
    if (convolved_) {
      if (nothing_at(*convolved_, site, leg)) return {b_.real(0, f_.real), b_.real(0, f_.real)};
      active = active && convolved_->exists(number_at(f_, item_, site, leg));
      point = convolved_->element(point);
    }
    return load_point(input_,
                      {input_.index(item_.in.base, point), number_in_line(point),
                       turned_root(f_, step_.at_load().roots, root, site, leg)},
                      {}, active);
  }

  Value number_in_line(Value point) const {
    return line_point(item_.in.point, point, step_.in.point);
  }

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
  const WorkItem& item_;
  const ConvolvedEdge* const convolved_;
  const Input input_;
};

}  // namespace

std::vector<Points> load(const Frame& f, Exchanger& exchange, const WorkItem& item,
                         const std::vector<Site>& sites) {
  const kernel::Step& step = f.step;
  if (step.reorders()) return ReorderedAxes(f, exchange).load(item, sites);
  const std::optional<ConvolvedEdge> convolved = convolved_at(f, kernel::End::load);
  const Loader loader(f, item, convolved ? &*convolved : nullptr);
  Held held{{}, sites};
  held.values = step.group().staged                     ? std::vector<Points>{stage_in(f, item)}
                : step.group().fetches_partners_at_load ? loader.joined_points(exchange, sites)
                                                        : loader.points(sites);
  if (step.group().loads_together) f.b.fence();
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Legs legs{{sites[i].points[0], 0}, static_cast<std::uint64_t>(sites[i].stride)};
    held.values[i] = as_loaded(f, held.values[i], legs, {item.phase, 0});
  }
  return convolved ? convolved_in(f, exchange, item, *convolved, std::move(held)) : held.values;
}

}  // namespace imago::blocks
