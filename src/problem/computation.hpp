// This file defines the description that every plan starts from: a caller's Transform or
// FilterShape, with the names that its fields have in messages.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <imago/filter_shape.hpp>
#include <imago/transform.hpp>

#include "base/ring.hpp"

namespace imago::problem {

/// A caller's list of hooks.
struct HookListName {
  const char* name;
  std::size_t before = 0;  ///< number of imago's own hooks before the caller's
};

/// The names of a caller's fields.
struct FieldNames {
  const char* spectrum = "spectrum";  ///< the layout of the array that forward() writes
  /// The hooks of a direction, indexed by [inverse][store].
  HookListName ends[2][2] = {{{"on_forward.load"}, {"on_forward.store"}},
                             {{"on_inverse.load"}, {"on_inverse.store"}}};
  HookListName filter = {"spectrum"};  ///< the hooks of a filter's spectrum
};

/// A transform, or a filter: a forward transform with hooks on its spectrum, and an inverse
/// transform. Converts from both, so that functions accept either.
struct Computation {
  Computation(Transform given) : transform(std::move(given)) {}
  Computation(const FilterShape& shape);

  /// For a filter, `directions` is forward and `spectrum` is the layout of the result.
  Transform transform;
  std::optional<std::vector<Hook>> filter = {};  ///< the hooks of the spectrum
  double filter_scale = 1;
  FieldNames names = {};
  bool varies = false;                 ///< Problem::varies
  base::Ring ring = base::Ring::none;  ///< the ring that takes the place of f64
  /// For a filter of real numbers: the two rows of the dimension before the last are the halves of
  /// one line, which is convolved at a right angle (kernel/edges/right_angle.hpp).
  bool right_angle = false;

  friend bool operator==(const Computation& a, const Computation& b) {
    return a.transform == b.transform && a.filter == b.filter && a.filter_scale == b.filter_scale &&
           a.ring == b.ring && a.right_angle == b.right_angle;
  }
};

}  // namespace imago::problem
