// This file computes properties of a Request from its fields.
#include "lines/request.hpp"

#include <functional>
#include <numeric>

#include "base/integers.hpp"
#include "kernel/edges/convolved.hpp"
#include "lines/mapping.hpp"

namespace imago::lines {

bool Request::plain() const {
  const auto side = [](const LineSide& s) {
    return s.elements == kernel::Elements::complex && !is_any(s.edge);
  };
  return side(in) && side(out) && axis_edges.empty();
}

bool Request::reorders() const {
  const kernel::EdgeFacts facts = facts_of(in.edge, kernel::End::load, length);
  return (facts.numbered && facts.joins && length > 1) || !axis_edges.empty();
}

bool Request::joins_points() const {
  const kernel::EdgeFacts load = facts_of(in.edge, kernel::End::load, length);
  // Numbered elements can be loaded twice instead.
  return (load.joins && !load.numbered) || facts_of(out.edge, kernel::End::store, length).joins;
}

bool Request::can_be_split(Mapping mapping) const {
  return axes.size() < 2 && !facts_of(in.edge, kernel::End::load, length).whole &&
         (!joins_points() || rules_of(mapping).joins_across_columns);
}

std::uint64_t Request::elements(kernel::End end) const {
  if (!axis_edges.empty()) {
    const auto lengths = axis_lengths();
    return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{1}, std::multiplies<>());
  }
  return facts_of(end == kernel::End::load ? in.edge : out.edge, end, length).elements;
}

std::vector<std::uint64_t> Request::axis_lengths() const {
  std::vector<std::uint64_t> lengths = axes;
  for (std::size_t i = 0; i < axis_edges.size(); ++i)
    lengths[i] = facts_of(axis_edges[i], kernel::End::load, axes[i]).elements;
  return lengths;
}

bool Request::turns(const Parameters& p) const {
  return filter.has_value() || kernel::is_convolution(p.algorithm);
}

kernel::Mirror Request::mirror(const Parameters& p, std::size_t i) const {
  const bool first = i == 0, last = i + 1 == p.kernels.size();
  const bool meet = rules_of(p.mapping).joins_across_columns;
  if (first == last || !meet || turns(p)) return kernel::Mirror::none;
  const kernel::Mirror mirror = first ? facts_of(in.edge, kernel::End::load, length).columns
                                      : facts_of(out.edge, kernel::End::store, length).columns;
  return mirror == kernel::Mirror::elements && adjacent() ? kernel::Mirror::none : mirror;
}

kernel::AxisOrder Request::axis_order() const {
  bool at_store = !axis_edges.empty();
  for (std::size_t i = 0; i < axis_edges.size(); ++i)
    at_store = at_store && facts_of(axis_edges[i], kernel::End::store, axes[i]).joins;
  return at_store ? kernel::AxisOrder::slowest_last : kernel::AxisOrder::slowest_first;
}

std::uint64_t Request::lines() const {
  std::uint64_t count = 1;
  for (const Loop& loop : loops) {
    const auto product = base::checked_multiply(count, loop.extent);
    if (!product) return ~std::uint64_t{0};
    count = *product;
  }
  return count;
}

}  // namespace imago::lines
