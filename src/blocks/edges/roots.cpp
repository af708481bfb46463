// This file computes the factors of points: exact constants for constant point numbers, else from
// the phase (work-groups) or from the table (vectors).
#include "blocks/edges/roots.hpp"

#include "base/roots.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// The factors in the step's table, which has `places` factors for each point; this is number
/// `place`.
struct Place {
  std::size_t offset = 0;
  std::int64_t place = 0, places = 1;
};

Cx root(const Frame& frame, const kernel::Roots& roots, const Place& place, const Index& p,
        unsigned lanes) {
  if (roots.order == 0) return {};
  ir::Builder& b = frame.b;
  if (const auto at = b.constant_integer(p.base); at && p.step == 0) {
    const auto exact = base::root_of_unity(
        static_cast<std::uint64_t>(*at) * roots.multiple + roots.shift, roots.order);
    return {b.real(exact.real(), frame.real), b.real(exact.imag(), frame.real)};
  }
  if (!frame.step.loads_roots()) {
    const Index multiple{b.integer(roots.multiple), 0};
    const Value phase = phase_product(p, multiple, roots.order, lanes) + roots.shift;
    return polynomial_root(phase, roots.order, frame.real);
  }
  const unsigned loaded = p.step == 0 ? 1 : lanes;
  const auto entries = static_cast<std::int64_t>(frame.step.line + 1);
  const Value at = p.base + (static_cast<std::int64_t>(place.offset) + place.place * entries);
  return {b.load(frame.table, at, loaded),
          b.load(frame.table, at + place.places * entries, loaded)};
}

Cx own_root(const Frame& frame, const kernel::EdgeFacts& edge, std::size_t offset, const Index& p,
            unsigned lanes) {
  return root(frame, edge.roots, {offset, 0, edge.unfolds ? 2 : 1}, p, lanes);
}

Cx unfolding(const Frame& frame, const kernel::EdgeFacts& edge, std::size_t offset, const Index& p,
             unsigned lanes) {
  if (!edge.unfolds) return {};
  if (!frame.step.loads_roots()) return root_at(frame, edge.roots.fourth(), p.base);
  return root(frame, edge.roots.fourth(), {offset, 1, 2}, p, lanes);
}

}  // namespace

Cx root_in(const Frame& frame, const Index& p, unsigned lanes) {
  return own_root(frame, frame.step.at_load(), frame.step.in.roots, p, lanes);
}

Cx root_out(const Frame& frame, const Index& p, unsigned lanes) {
  return own_root(frame, frame.step.at_store(), frame.step.out.roots, p, lanes);
}

Factors factors_in(const Frame& frame, const Index& p, unsigned lanes) {
  return {root_in(frame, p, lanes), unfolding_in(frame, p, lanes)};
}

Factors factors_out(const Frame& frame, const Index& p, unsigned lanes) {
  return {root_out(frame, p, lanes), unfolding_out(frame, p, lanes)};
}

Cx unfolding_in(const Frame& frame, const Index& p, unsigned lanes) {
  return unfolding(frame, frame.step.at_load(), frame.step.in.roots, p, lanes);
}

Cx unfolding_out(const Frame& frame, const Index& p, unsigned lanes) {
  return unfolding(frame, frame.step.at_store(), frame.step.out.roots, p, lanes);
}

Cx root_at(const Frame& frame, const kernel::Roots& roots, Value p) {
  if (roots.order == 0) return {};
  const auto [variable, offset] = frame.b.split(p);
  const auto order = static_cast<std::int64_t>(roots.order);
  const std::int64_t turns = (offset * roots.multiple % order + order) % order;
  return rotated(root(frame, roots, {}, {variable, 0}, 1), static_cast<unsigned>(turns),
                 static_cast<unsigned>(order));
}

}  // namespace imago::blocks
