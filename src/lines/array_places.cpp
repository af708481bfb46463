// This file computes the places of an array's points.
#include "lines/array_places.hpp"

#include <utility>

#include "lines/hooks.hpp"
#include "problem/layout.hpp"

namespace imago::lines {
namespace {

/// Returns the place of a direction's input or output.
ArrayPlace place_of(const LineContext& context, bool store) {
  const problem::Side& side = context.problem.side(context.inverse, store);
  const kernel::Memory memory = store ? kernel::Memory::output : kernel::Memory::input;
  std::optional<kernel::Hooked> hooked = hooked_end(context.problem, context.inverse, store);
  // Hooks identify elements by their numbers in the packed array.
  ArrayPlace place = hooked ? packed_place(memory, side.lengths)
                            : ArrayPlace{memory, side.strides, side.distance, {}, {}, {}};
  place.hooked = std::move(hooked);
  place.planar = side.storage == Storage::planar;
  place.real = side.storage == Storage::real;
  return place;
}

}  // namespace

ArrayPlace packed_place(kernel::Memory memory, const std::vector<std::uint64_t>& lengths) {
  ArrayPlace place{memory, std::vector<std::uint64_t>(lengths.size()), 1, {}, {}, {}};
  for (std::size_t i = lengths.size(); i-- > 0;) {
    place.strides[i] = place.distance;
    place.distance *= lengths[i];
  }
  return place;
}

ArrayPlaces places_of(const LineContext& context) {
  const problem::Problem& p = context.problem;
  const problem::Side &from = p.side(context.inverse, false), &to = p.side(context.inverse, true);
  const bool in_place = p.placement == Placement::in_place;
  ArrayPlaces places{place_of(context, false), place_of(context, true), {}};
  const bool half = p.real_axis() && !p.filter;
  places.moves = in_place && (half ? !problem::rows_meet(p)
                                   : from.strides != to.strides ||
                                         (p.batch > 1 && from.distance != to.distance));
  // An inverse real transform must not change the spectrum that it reads, and its result is too
  // short to hold it. Data between two axes is not rounded to half precision, and hooks do not
  // change it.
  const ArrayPlace &in = places.in, &out = places.out;
  const bool shrinks = p.real_axis() && context.inverse,
             stored = p.precision == Precision::f16 || out.hooked || out.real || p.filter ||
                      (shrinks && in_place && in.hooked);
  if (places.moves || stored || (shrinks && !in_place))
    places.between = packed_place(kernel::Memory::scratch, p.spectrum_lengths());
  else
    places.between = shrinks ? in : out;
  return places;
}

}  // namespace imago::lines
