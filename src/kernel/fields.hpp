// This file lists every field of the structs that make up a Step. Structured bindings do not
// compile until a new field is listed here, so a key made of all fields cannot miss one.
#pragma once

#include "kernel/step.hpp"

namespace imago::kernel {

/// Calls visit(field, field, ..) with all fields, in the order of the struct. The functions for
/// edges are in the files of the edges.
template <class Visit>
void each_field(const FusedConvolution& value, Visit&& visit) {
  const auto& [stride, passes_forth, spectrum, lone_element, swaps_back, hooked] = value;
  visit(stride, passes_forth, spectrum, lone_element, swaps_back, hooked);
}

template <class Visit>
void each_field(const FourStep& value, Visit&& visit) {
  const auto& [order, twiddles, from] = value;
  visit(order, twiddles);
  if (from != FourStep::From::zero) visit(from);  // keys of the others have no such field
}

template <class Visit>
void each_field(const Number& value, Visit&& visit) {
  const auto& [bits] = value;
  visit(bits);
}

template <class Visit>
void each_field(const Strided& value, Visit&& visit) {
  const auto& [strides, distance, before] = value;
  visit(strides, distance, before);
}

template <class Visit>
void each_field(const Scaling& value, Visit&& visit) {
  const auto& [factor, argument] = value;
  visit(factor, argument);
}

template <class Visit>
void each_field(const Factors& value, Visit&& visit) {
  const auto& [argument, complex, conjugate, of_real, places, sharing] = value;
  visit(argument, complex, conjugate, of_real, places);
  if (sharing > 1) visit(sharing);  // keys of the others have no such field
}

template <class Visit>
void each_field(const WeightedSum& value, Visit&& visit) {
  const auto& [weights, count, stride, set] = value;
  visit(weights, count, stride, set);
}

template <class Visit>
void each_field(const Box& value, Visit&& visit) {
  const auto& [axis, begin, end] = value;
  visit(axis, begin, end);
}

template <class Visit>
void each_field(const Framing& value, Visit&& visit) {
  const auto& [frames, axis, hop, before, samples, argument, unit] = value;
  visit(frames, axis, hop, before, samples, argument, unit);
}

template <class Visit>
void each_field(const Power& value, Visit&& visit) {
  const auto& [decibels, floor] = value;
  visit(decibels, floor);
}

template <class Visit>
void each_field(const Conjugation&, Visit&&) {}

template <class Visit>
void each_field(const Accumulation&, Visit&&) {}

template <class Visit>
void each_field(const RealPart&, Visit&&) {}

template <class Visit>
void each_field(const Rotation& value, Visit&& visit) {
  const auto& [axis, by] = value;
  visit(axis, by);
}

template <class Visit>
void each_field(const Modulation& value, Visit&& visit) {
  const auto& [axis, numerator, denominator] = value;
  visit(axis, numerator, denominator);
}

template <class Visit>
void each_field(const LineTwiddle& value, Visit&& visit) {
  const auto& [along, column, points, first, argument, conjugate] = value;
  visit(along, column, points, first, argument, conjugate);
}

template <class Visit>
void each_field(const Addition& value, Visit&& visit) {
  const auto& [terms, offset, factor, times, axis, argument, unit] = value;
  visit(terms, offset, factor, times, axis, argument, unit);
}

template <class Visit>
void each_field(const Snippet& value, Visit&& visit) {
  const auto& [text, function, field, arguments, lanes] = value;
  visit(text, function, field, arguments, lanes);
}

template <class Visit>
void each_field(const Access& value, Visit&& visit) {
  const auto& [call, bytes] = value;
  visit(call, bytes);
}

template <class Visit>
void each_field(const KernelArgument& value, Visit&& visit) {
  const auto& [type, number] = value;
  visit(type, number);
}

template <class Visit>
void each_field(const Hooked& value, Visit&& visit) {
  const auto& [lengths, memory, line_axis, distance, grain, wide, stored, steps, arguments] = value;
  visit(lengths, memory, line_axis, distance, grain, wide, stored, steps, arguments);
}

template <class Visit>
void each_field(const Side& value, Visit&& visit) {
  const auto& [stride, point, elements, edge, pair_stride, planar, f16, doubles, packed, roots,
               convolved, convolved_table, hooked] = value;
  visit(stride, point, elements, edge, pair_stride, planar, f16, doubles, packed, roots, convolved,
        convolved_table, hooked);
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
  const auto& [radix, done, left, outer, twiddles, lane, width, joined, columns_fastest, coupled,
               table_offset, reversed] = value;
  visit(radix, done, left, outer, twiddles, lane, width, joined, columns_fastest, coupled,
        table_offset, reversed);
}

template <class Visit>
void each_field(const WorkGroup& value, Visit&& visit) {
  const auto& [items, exchange, padding, column_pad, staged, axes, loads_in_order, reorders_at_load,
               reorders_at_store, store_run, fetches_partners_at_load, fetches_partners_at_store,
               loads_together] = value;
  visit(items, exchange, padding, column_pad, staged, axes, loads_in_order, reorders_at_load,
        reorders_at_store, store_run, fetches_partners_at_load, fetches_partners_at_store);
  // Kernels of other devices keep their names, and thus their place in caches.
  if (loads_together) visit(loads_together);
}

template <class Visit>
void each_field(const Vectors& value, Visit&& visit) {
  const auto& [repeat, abreast, unrolled] = value;
  visit(repeat, abreast, unrolled);
}

template <class Visit>
void each_field(const Generic& value, Visit&& visit) {
  const auto& [lanes, items, rows] = value;
  visit(lanes, items);
  if (rows) visit(rows);  // keys of the others have no such field
}

template <class Visit>
void each_field(const GenericHooks& value, Visit&& visit) {
  const auto& [items, block] = value;
  visit(items, block);
}

template <class Visit>
void each_field(const Step& value, Visit&& visit) {
  const auto& [precision, pairs, ring, lanes, inverse, reproducible, scaled, wide_index, length,
               line, passes, in, out, columns, tile, four_step, convolution, has_table] = value;
  visit(precision, pairs, lanes, inverse, scaled, wide_index, length, line, passes, in, out,
        columns, tile, four_step, convolution, has_table);
  // Keys of the others have no such fields.
  if (reproducible)
    visit(reproducible, ring);
  else if (ring != base::Ring::none)
    visit(ring);
}

}  // namespace imago::kernel
