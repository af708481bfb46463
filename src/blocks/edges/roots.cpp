// This file computes the factors of points: exact constants for constant point numbers, else from
// the phase (work-groups) or from the table (vectors).
#include "blocks/edges/roots.hpp"

#include "base/roots.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Returns the entries of a section of the step's table: one for each point, and one more.
std::int64_t entries(const Frame& frame) { return static_cast<std::int64_t>(frame.step.line + 1); }

/// Returns the factor of a point. In the step's table, the real part of point 0 is entry `first`,
/// and the imaginary parts come `apart` entries after the real ones.
Cx root(const Frame& frame, const kernel::Roots& roots, std::int64_t first, std::int64_t apart,
        const Index& p, unsigned lanes) {
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
  const Value at = p.base + first;
  return {b.load(frame.table, at, loaded), b.load(frame.table, at + apart, loaded)};
}

Cx own_root(const Frame& frame, const kernel::EdgeFacts& edge, std::size_t offset, const Index& p,
            unsigned lanes) {
  const std::int64_t sections = edge.unfolds ? 2 : 1;
  return root(frame, edge.roots, static_cast<std::int64_t>(offset), sections * entries(frame), p,
              lanes);
}

Cx unfolding(const Frame& frame, const kernel::EdgeFacts& edge, std::size_t offset, const Index& p,
             unsigned lanes) {
  if (!edge.unfolds) return {};
  if (!frame.step.loads_roots()) return root_at(frame, edge.roots.fourth(), p.base);
  const std::int64_t section = entries(frame);
  return root(frame, edge.roots.fourth(), static_cast<std::int64_t>(offset) + section, 2 * section,
              p, lanes);
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
  return rotated(root(frame, roots, 0, entries(frame), {variable, 0}, 1),
                 static_cast<unsigned>(turns), static_cast<unsigned>(order));
}

}  // namespace imago::blocks
