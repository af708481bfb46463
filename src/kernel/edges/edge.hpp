// This file defines edges. An edge describes data in memory that is not a line of complex points:
// how the elements become points at load, and how points become elements at store. Each edge is a
// small struct in a file of this folder. Its only function, facts_of(), returns what planner, model
// and runtime need to know. The file of the same name in blocks/edges emits the loads and stores
// (for the edges of convolutions: blocks/edges/convolved).
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
#include "kernel/edges/halves.hpp"
#include "kernel/edges/right_angle.hpp"

namespace imago::kernel {

EdgeFacts facts_of(const NoEdge& edge, End end, std::uint64_t points);

using Edge = std::variant<NoEdge, HalfSpectrum, FoldedSpectrum, Cosines, RightAngle, Halves>;

/// Returns the facts of the edge at this end of lines of `points` points.
EdgeFacts facts_of(const Edge& edge, End end, std::uint64_t points);

/// Returns true if there is an edge.
inline bool is_any(const Edge& edge) { return !std::holds_alternative<NoEdge>(edge); }
/// Returns the kind of transform that a line with this edge computes; Kind::complex: a DFT.
Kind kind_of(const Edge& edge);

/// An axis of a work-group's transforms whose elements are reordered in local memory or between
/// passes: into points before its first pass, into elements after its last one.
struct ReorderedAxis {
  Edge edge = {};
  std::uint64_t points = 1;         ///< length of the axis
  std::uint64_t inner = 1;          ///< points of the faster axes
  std::size_t first = 0, last = 0;  ///< passes of the axis
  friend auto operator<=>(const ReorderedAxis&, const ReorderedAxis&) = default;

  /// Returns true if elements are counted from the other end of the axis.
  bool from_end() const { return facts_of(edge, End::load, points).from_end; }
  /// Returns true if each point is a pair of real elements.
  bool halved() const { return facts_of(edge, End::load, points).elements == 2 * points; }
  /// Returns true if each work-item holds the whole axis and needs no values of others.
  bool alone() const { return first == last; }
  /// Returns the end at which points are combined with their partners.
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
