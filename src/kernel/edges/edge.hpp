// This file says what an edge is: what memory holds beside a line of complex points, and how that
// becomes points at load and leaves them at store. Each edge is a small struct in a file of its own
// here, with the one function facts_of() that tells planner, model and runtime what it needs; the
// file of the same name in blocks/edges loads and stores through it (for convolutions: convolved).
#pragma once

#include <compare>
#include <cstdint>
#include <variant>
#include <vector>

#include <imago/transform.hpp>

#include "kernel/edges/cosines.hpp"
#include "kernel/edges/facts.hpp"
#include "kernel/edges/folded_spectrum.hpp"
#include "kernel/edges/half_spectrum.hpp"

namespace imago::kernel {

EdgeFacts facts_of(const NoEdge& edge, End end, std::uint64_t points);

using Edge = std::variant<NoEdge, HalfSpectrum, FoldedSpectrum, Cosines>;

/// What the edge needs at this end of lines of so many points.
EdgeFacts facts_of(const Edge& edge, End end, std::uint64_t points);

/// Whether there is one.
inline bool is_any(const Edge& edge) { return !std::holds_alternative<NoEdge>(edge); }
/// What a line with this edge stands for; complex: a DFT.
Kind kind_of(const Edge& edge);

/// An axis of the transforms of a work-group whose elements are reordered in local memory, or on
/// the way from pass to pass: into points before its first pass, into elements after its last one.
struct ReorderedAxis {
  Edge edge = {};
  std::uint64_t points = 1;         ///< of the axis
  std::uint64_t inner = 1;          ///< points of the faster axes
  std::size_t first = 0, last = 0;  ///< passes
  friend auto operator<=>(const ReorderedAxis&, const ReorderedAxis&) = default;

  /// Elements are counted from the other end of the axis.
  bool from_end() const { return facts_of(edge, End::load, points).from_end; }
  /// Points are pairs of reals, twice as many as points.
  bool halved() const { return facts_of(edge, End::load, points).elements == 2 * points; }
  /// Each work-item has all its points at once: no other one is asked for partners.
  bool alone() const { return first == last; }
  /// The end at which points are made of others and their partners.
  End joins() const { return facts_of(edge, End::load, points).joins ? End::load : End::store; }
  bool joins_at_load() const { return joins() == End::load; }
  std::size_t joining_pass() const { return joins_at_load() ? first : last; }
};
template <class Visit>
void each_field(const ReorderedAxis& value, Visit&& visit) {
  const auto& [edge, points, inner, first, last] = value;
  visit(edge, points, inner, first, last);
}

}  // namespace imago::kernel
