// This file computes the sizes that follow from the fields of a Step.
#include "kernel/step.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/precision.hpp"

namespace imago::kernel {

std::uint64_t Step::column_count() const {
  std::uint64_t count = 1;
  for (const Column& column : columns) count *= column.extent;
  return count;
}

std::uint64_t Step::place_count() const {
  std::uint64_t count = 1;
  for (const Column& column : columns)
    count *= column.mirrored() ? 2 * column.pairs() : column.extent;
  return count;
}

const ReorderedAxis* Step::halved_axis() const {
  const auto& axes = reordered_axes();
  return !axes.empty() && axes.back().halved() ? &axes.back() : nullptr;
}

bool Step::mirrored() const { return mirrors(Mirror::points) || mirrors(Mirror::elements); }

bool Step::mirrors(Mirror mirror) const {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const Column& c) { return c.mirror == mirror; });
}

std::uint64_t Pass::butterflies() const {
  switch (lane) {
    case Lane::column:
      return outer * done * left;
    case Lane::outer:
      return base::ceil_divide(outer, width);
    case Lane::k:
      return outer * left * base::ceil_divide(done, width);
    case Lane::q:
      break;
  }
  return outer * done * base::ceil_divide(left, width);
}

unsigned Step::work_group_size() const {
  if (const Generic* any = generic()) return any->items;
  if (const GenericHooks* any = generic_hooks()) return any->items;
  const auto* const g = std::get_if<WorkGroup>(&lanes);
  return g ? g->items * tile : 1;
}

unsigned Step::repeat() const {
  const auto* const v = std::get_if<Vectors>(&lanes);
  return v ? v->repeat : 1;
}

unsigned Step::rest_in_lanes() const {
  if (columns.empty() || !lanes_are_columns() || !bare() || !is_alone()) return 0;
  if (columns[0].in.stride != 1 || columns[0].out.stride != 1) return 0;
  const auto rest = static_cast<unsigned>(columns[0].extent % tile);
  return rest < kFewestInLanes ? 0 : rest;
}

std::uint64_t Step::span(End end) const {
  const bool load = end == End::load;
  const Side& side = load ? in : out;
  const EdgeFacts edge = load ? at_load() : at_store();
  // The elements of a line that the step transforms as a whole, or those of its points. A lone
  // element is stored in addition to the points of a convolution.
  const bool whole = edge.numbered || (is_any(side.edge) && length == line);
  const bool more = edge.one_more || convolution.lone_element;
  std::uint64_t last =
      whole ? (edge.elements - 1) * side.line_stride() : (length - (more ? 0 : 1)) * side.stride;
  if (side.elements == Elements::pairs) last += side.pair_stride;
  for (const Column& column : columns)
    last += (column.extent - 1) * base_stride(edge, load ? column.in : column.out);
  return last + 1;
}

const std::vector<ReorderedAxis>& Step::reordered_axes() const {
  static const std::vector<ReorderedAxis> kNone;
  const auto* const g = std::get_if<WorkGroup>(&lanes);
  return g ? g->axes : kNone;
}

std::size_t Step::column_span() const {
  const WorkGroup& g = group();
  return length + (g.padding == 0 ? 0 : (length - 1) / g.padding) + g.column_pad;
}

unsigned local_parts(Exchange exchange) {
  switch (exchange) {
    case Exchange::interleaved:
    case Exchange::in_place:
      return 2;
    case Exchange::split:
      return 1;
    case Exchange::automatic:
      break;
  }
  base::internal_error("local memory of an exchange that is not chosen");
}

std::size_t Step::local_bytes() const {
  const auto* const g = std::get_if<WorkGroup>(&lanes);
  if (!g) return 0;
  if (g->staged) return column_span() * tile * 2 * base::bytes_of(precision);
  if (passes.size() < 2 && !g->fetches_partners_at_store && !g->fetches_partners_at_load &&
      !reorders())
    return 0;
  const std::size_t parts = local_parts(g->exchange);
  return column_span() * tile * parts * base::bytes_of(precision);
}

std::size_t Step::bytes(const Side& side) const {
  return 2 * base::bytes_of(side.f16 ? Precision::f16 : precision);
}

}  // namespace imago::kernel
