// This file names every field of what a Step is made of, once. Structured bindings do not compile
// until a new field is named here too, so a key that is made of all of them cannot miss one.
#pragma once

#include "plan/program.hpp"

namespace imago::plan {

/// Calls visit(field, field, ..) with all fields, in the order of the struct.
template <class Visit>
void each_field(const Cosines& value, Visit&& visit) {
  const auto& [kind, elements, orthonormal, load, store] = value;
  visit(kind, elements, orthonormal, load, store);
}

template <class Visit>
void each_field(const CosineAxis& value, Visit&& visit) {
  const auto& [cosines, inner, first, last] = value;
  visit(cosines, inner, first, last);
}

template <class Visit>
void each_field(const Convolution& value, Visit&& visit) {
  const auto& [points, rader, load, store, turn, stride, chirp, order, spectrum] = value;
  visit(points, rader, load, store, turn, stride, chirp, order, spectrum);
}

template <class Visit>
void each_field(const Column& value, Visit&& visit) {
  const auto& [extent, in_stride, out_stride, phase, in_point, out_point, number, mirror] = value;
  visit(extent, in_stride, out_stride, phase, in_point, out_point, number, mirror);
}

template <class Visit>
void each_field(const Pass& value, Visit&& visit) {
  const auto& [radix, done, left, outer, twiddles, lane, width, columns_fastest, coupled,
               table_offset, woven] = value;
  visit(radix, done, left, outer, twiddles, lane, width, columns_fastest, coupled, table_offset,
        woven);
}

template <class Visit>
void each_field(const Step& value, Visit&& visit) {
  const auto& [precision, mapping, inverse, scaled, wide_index, length, passes, in_stride,
               out_stride, line, in_point, out_point, in_form, out_form, in_planar, out_planar,
               in_f16, out_f16, in_pair_stride, out_pair_stride, in_roots, out_roots, columns,
               inter_order, inter_twiddles, items, tile, repeat, exchange, padding, column_pad,
               in_packed, out_packed, has_table, convolution, cosines, cosine_axes] = value;
  visit(precision, mapping, inverse, scaled, wide_index, length, passes, in_stride, out_stride,
        line, in_point, out_point, in_form, out_form, in_planar, out_planar, in_f16, out_f16,
        in_pair_stride, out_pair_stride, in_roots, out_roots, columns, inter_order, inter_twiddles,
        items, tile, repeat, exchange, padding, column_pad, in_packed, out_packed, has_table,
        convolution, cosines, cosine_axes);
}

}  // namespace imago::plan
