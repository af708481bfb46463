// This file names every field of what a Step is made of, once. Structured bindings do not compile
// until a new field is named here too, so a key that is made of all of them cannot miss one.
#pragma once

#include "plan/step.hpp"

namespace imago::plan {

/// Calls visit(field, field, ..) with all fields, in the order of the struct.
template <class Visit>
void each_field(const NoEdge&, Visit&&) {}

template <class Visit>
void each_field(const HalfSpectrum&, Visit&&) {}

template <class Visit>
void each_field(const FoldedSpectrum&, Visit&&) {}

template <class Visit>
void each_field(const Cosines& value, Visit&& visit) {
  const auto& [kind, elements, orthonormal] = value;
  visit(kind, elements, orthonormal);
}

template <class Visit>
void each_field(const ReorderedAxis& value, Visit&& visit) {
  const auto& [edge, points, inner, first, last] = value;
  visit(edge, points, inner, first, last);
}

template <class Visit>
void each_field(const Convolution& value, Visit&& visit) {
  const auto& [points, rader, load, store, turn, stride, chirp, order, spectrum] = value;
  visit(points, rader, load, store, turn, stride, chirp, order, spectrum);
}

template <class Visit>
void each_field(const FourStep& value, Visit&& visit) {
  const auto& [order, twiddles] = value;
  visit(order, twiddles);
}

template <class Visit>
void each_field(const Side& value, Visit&& visit) {
  const auto& [stride, point, elements, edge, pair_stride, planar, f16, packed, roots] = value;
  visit(stride, point, elements, edge, pair_stride, planar, f16, packed, roots);
}

template <class Visit>
void each_field(const ColumnSide& value, Visit&& visit) {
  const auto& [stride, point] = value;
  visit(stride, point);
}

template <class Visit>
void each_field(const Column& value, Visit&& visit) {
  const auto& [extent, in, out, phase, number, mirror] = value;
  visit(extent, in, out, phase, number, mirror);
}

template <class Visit>
void each_field(const Pass& value, Visit&& visit) {
  const auto& [radix, done, left, outer, twiddles, lane, width, columns_fastest, coupled,
               table_offset, reversed] = value;
  visit(radix, done, left, outer, twiddles, lane, width, columns_fastest, coupled, table_offset,
        reversed);
}

template <class Visit>
void each_field(const WorkGroup& value, Visit&& visit) {
  const auto& [items, exchange, padding, column_pad, staged, axes, loads_in_order, reorders_at_load,
               reorders_at_store, store_run, fetches_partners_at_load, fetches_partners_at_store] =
      value;
  visit(items, exchange, padding, column_pad, staged, axes, loads_in_order, reorders_at_load,
        reorders_at_store, store_run, fetches_partners_at_load, fetches_partners_at_store);
}

template <class Visit>
void each_field(const Vectors& value, Visit&& visit) {
  const auto& [repeat] = value;
  visit(repeat);
}

template <class Visit>
void each_field(const Step& value, Visit&& visit) {
  const auto& [precision, lanes, inverse, scaled, wide_index, length, line, passes, in, out,
               columns, tile, four_step, convolution, has_table] = value;
  visit(precision, lanes, inverse, scaled, wide_index, length, line, passes, in, out, columns, tile,
        four_step, convolution, has_table);
}

}  // namespace imago::plan
