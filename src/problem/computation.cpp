// This file converts a FilterShape to a Computation.
#include "problem/computation.hpp"

namespace imago::problem {

Computation::Computation(const FilterShape& shape)
    : transform{.kind = shape.kind,
                .axes = shape.axes,
                .precision = shape.precision,
                .lengths = shape.lengths,
                .batch = shape.batch,
                .placement = shape.placement,
                .directions = Directions::forward,
                .signal = shape.signal,
                .spectrum = shape.result,
                .on_forward = shape.ends},
      filter(shape.spectrum),
      filter_scale(shape.scale),
      names{.spectrum = "result", .ends = {{{"ends.load"}, {"ends.store"}}, {}}} {}

}  // namespace imago::problem
