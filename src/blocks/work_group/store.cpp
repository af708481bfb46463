// This file stores points.
#include "blocks/work_group/store.hpp"

#include <algorithm>
#include <utility>

#include "blocks/edges/edge.hpp"
#include "blocks/edges/roots.hpp"
#include "blocks/elements.hpp"
#include "blocks/hooks.hpp"
#include "blocks/work_group/index_map.hpp"
#include "blocks/work_group/line_points.hpp"
#include "blocks/work_group/order.hpp"
#include "blocks/work_group/partners.hpp"
#include "blocks/work_group/reordered_axes.hpp"
#include "blocks/work_group/staging.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Points that are loaded together before accumulate() adds to them: enough to cover latency, few
/// enough for registers.
constexpr std::size_t kLegsAhead = 8;

class Storer {
 public:
  Storer(const Frame& frame, const WorkItem& item, const ConvolvedEdge* convolved)
      : f_(frame),
        b_(frame.b),
        step_(frame.step),
        item_(item),
        convolved_(convolved),
        output_(frame) {}

  /// Returns the factor of each butterfly's first leg, from which factor() computes those of its
  /// other legs. The result is not valid (an empty Cx) if there are no factors, or if legs_around()
  /// is false.
  std::vector<Cx> first_factors(const std::vector<Site>& sites) const {
    std::vector<Cx> factors(sites.size());
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const Value first = number_in_line(sites[i].points[0]);
      if (legs_around(f_, first, convolved_ != nullptr)) factors[i] = root_out(f_, {first, 0}, 1);
    }
    return factors;
  }

  /// Stores the last point of a half spectrum, which has one point more than the transform. The
  /// work-item that holds the first point stores it.
  void last_point(const Held& held) const {
    for (std::size_t i = 0; i < held.values.size(); ++i) {
      const ir::Condition first = ir::equal(held.at[i].points[0], b_.integer(0));
      b_.when(held.at[i].active && item_.holds_first && first, [&] {
        const Cx zero = held.values[i][0];
        const auto end = static_cast<std::int64_t>(step_.length);
        const Value index = output_.index(item_.out.base, b_.integer(end));
        output_.element(index, as_stored(f_, {zero.re - zero.im, b_.real(0, f_.real)}));
      });
    }
  }

  /// Returns each point joined with its partner.
  std::vector<Points> joined(Exchanger& exchange, const Held& held,
                             const std::vector<Cx>& factors) const {
    std::vector<Points> result = held.values;
    with_partners_of_points(
        f_, exchange, item_, held, [&](std::size_t i, std::size_t s, const Cx& partner) {
          const Cx root = factor(factors[i], held.at[i], s);
          const Index p{number_in_line(held.at[i].points[s]), 0};
          const Point at{{}, p.base, root.re.valid() ? root : root_out(f_, p, 1)};
          result[i][s] = blocks::joined(f_, at, held.values[i][s], partner);
        });
    return result;
  }

  void points(const Held& held, const std::vector<Cx>& factors) const {
    for (std::size_t i = 0; i < held.values.size(); ++i) {
      const bool moves = step_.at_store().numbered;
      const Site legs = moves ? as_moved(item_, held.at[i]) : held.at[i];
      const Points x = moves ? as_moved(item_, held.values[i]) : held.values[i];
      b_.when(legs.active, [&] {
        for (std::size_t s = 0; s < x.size(); ++s) {
          if (s % kLegsAhead == 0) load_summands(legs, s);
          leg(legs, s, x[s], factors[i]);
        }
      });
    }
  }

 private:
  /// Loads the numbers to which accumulate() adds the next legs.
  void load_summands(const Site& site, std::size_t first) const {
    const kernel::Side& out = step_.out;
    if (!out.hooked || !out.hooked->accumulates() || is_any(out.edge) || convolved_) return;
    for (std::size_t s = first; s < std::min(first + kLegsAhead, site.points.size()); ++s) {
      const Value index = output_.index(item_.out.base, site.points[s]);
      if (output_.joins_pairs()) {
        load_summand(output_, {index, kNeighbours});
        continue;
      }
      load_summand(output_, {index, {}});
      if (out.elements == kernel::Elements::pairs)
        load_summand(output_, {index + static_cast<std::int64_t>(out.pair_stride), {}});
    }
  }
  /// Stores one leg; `root` is the factor of the first leg.
  void leg(const Site& site, std::size_t leg, const Cx& x, const Cx& root) const {
    if (convolved_ && nothing_at(*convolved_, site, leg)) return;
    const auto out = [&](Value point) {
      const Cx stored = as_stored(f_, x);
      store_point(output_,
                  {output_.index(item_.out.base, point), number_in_line(point),
                   step_.at_store().joins ? Cx{} : factor(root, site, leg)},
                  stored);
    };
    if (!convolved_) return out(site.points[leg]);
    b_.when(convolved_->exists(number_at(f_, item_, site, leg)),
            [&] { out(convolved_->element(site.points[leg])); });
  }

  Cx factor(const Cx& first, const Site& site, std::size_t leg) const {
    return turned_root(f_, step_.at_store().roots, first, site, leg);
  }

  Value number_in_line(Value point) const {
    return line_point(item_.out.point, point, step_.out.point);
  }

  const Frame& f_;
  ir::Builder& b_;
  const kernel::Step& step_;
  const WorkItem& item_;
  const ConvolvedEdge* const convolved_;
  const Output output_;
};

}  // namespace

void load_factors(const Frame& f, const WorkItem& item, const std::vector<Site>& sites) {
  const kernel::Step& step = f.step;
  if (!step.out.hooked || !step.out.plain() || step.reorders() || step.convolution.is_any()) return;
  const Output output(f);
  for (const Site& site : sites) {
    for (const Value& point : site.points)
      load_factors(output, {output.index(item.out.base, point), {}}, site.active);
  }
}

void store(const Frame& f, Exchanger& exchange, const WorkItem& item, Held held) {
  const kernel::Step& step = f.step;
  if (step.reorders()) return ReorderedAxes(f, exchange).store(item, held);
  const std::optional<ConvolvedEdge> convolved = convolved_at(f, kernel::End::store);
  const Storer storer(f, item, convolved ? &*convolved : nullptr);
  const std::vector<Cx> factors = storer.first_factors(held.at);
  if (step.at_store().one_more) storer.last_point(held);
  if (step.at_store().joins) held.values = storer.joined(exchange, held, factors);
  if (convolved) held.values = convolved_out(f, exchange, item, *convolved, held);
  if (step.group().staged) return stage_out(f, item, held.values[0]);
  storer.points(held, factors);
}

}  // namespace imago::blocks
