// This file computes the factors of points: exact constants for constant point numbers, else from
// the phase (work-groups) or from the table (vectors, and reproducible plans).
#include "blocks/edges/roots.hpp"

#include "base/roots.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Returns the entries of a section of the step's table: one for each point, and one more.
std::int64_t entries(const Frame& frame) { return static_cast<std::int64_t>(frame.step.line + 1); }

/// The place of a section of roots in the step's table.
struct RootSection {
  std::int64_t offset = 0;  ///< place of the first section, in real numbers
  std::int64_t sections = 1, index = 0;
};

/// Returns the entry of a point in a section.
Cx loaded_root(const Frame& frame, const RootSection& section, const Index& p, unsigned lanes) {
  ir::Builder& b = frame.b;
  const std::int64_t count = entries(frame);
  if (b.element(frame.table).lanes == 2) {
    // Points of idle work-items may be beyond the last one.
    const Value last = b.convert(b.integer(count - 1), p.base.type());
    const Value at = b.binary(ir::Op::min, p.base, last);
    const Value both = b.load(frame.table, at + (section.offset / 2 + section.index * count));
    return factor_of(both);
  }
  const unsigned loaded = p.step == 0 ? 1 : lanes;
  const Value at = p.base + (section.offset + section.index * count);
  return loaded_factors(frame.table, {at, 0, section.sections * count}, loaded);
}

/// Returns the factor of a point.
Cx root(const Frame& frame, const kernel::Roots& roots, const RootSection& section, const Index& p,
        unsigned lanes) {
  if (roots.order == 0) return {};
  ir::Builder& b = frame.b;
  if (const auto at = b.constant_integer(p.base); at && p.step == 0 && !is_word(frame.real)) {
    const auto exact = base::root_of_unity(
        static_cast<std::uint64_t>(*at) * roots.multiple + roots.shift, roots.order);
    return {b.real(exact.real(), frame.real), b.real(exact.imag(), frame.real)};
  }
  if (frame.step.loads_roots()) return loaded_root(frame, section, p, lanes);
  const Index multiple{b.integer(roots.multiple), 0};
  const Value phase = phase_product(p, multiple, roots.order, lanes) + roots.shift;
  return polynomial_root(phase, roots.order, frame.real);
}

RootSection section_of(const kernel::EdgeFacts& edge, std::size_t offset, std::int64_t index) {
  return {static_cast<std::int64_t>(offset), edge.unfolds ? 2 : 1, index};
}

Cx own_root(const Frame& frame, const kernel::EdgeFacts& edge, std::size_t offset, const Index& p,
            unsigned lanes) {
  return root(frame, edge.roots, section_of(edge, offset, 0), p, lanes);
}

/// Returns the factor of a point. The factors of points that differ by a constant are computed from
/// one root.
Cx computed_root(const Frame& frame, const kernel::Roots& roots, Value p) {
  if (roots.order == 0) return {};
  const auto [variable, offset] = frame.b.split(p);
  const auto order = static_cast<std::int64_t>(roots.order);
  const std::int64_t turns = (offset * roots.multiple % order + order) % order;
  return rotated(root(frame, roots, {}, {variable, 0}, 1), static_cast<unsigned>(turns),
                 static_cast<unsigned>(order));
}

Cx unfolding(const Frame& frame, const kernel::EdgeFacts& edge, std::size_t offset, const Index& p,
             unsigned lanes) {
  if (!edge.unfolds) return {};
  if (!frame.step.loads_roots()) return computed_root(frame, edge.roots.fourth(), p.base);
  return root(frame, edge.roots.fourth(), section_of(edge, offset, 1), p, lanes);
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

Factors factors_along(const Frame& frame, const kernel::EdgeFacts& edge, std::size_t offset,
                      Value p) {
  if (frame.step.loads_roots())
    return {own_root(frame, edge, offset, {p, 0}, 1), unfolding(frame, edge, offset, {p, 0}, 1)};
  Factors factors{computed_root(frame, edge.roots, p), {}};
  if (edge.unfolds) factors.unfolding = computed_root(frame, edge.roots.fourth(), p);
  return factors;
}

}  // namespace imago::blocks
