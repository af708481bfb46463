// This file defines the description that every plan starts from: a caller's Transform or
// FilterShape, with the names that its fields have in messages.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <imago/filter_shape.hpp>
#include <imago/transform.hpp>

namespace imago::problem {

/// A caller's list of hooks.
struct HookListName {
  const char* name;
  std::size_t before = 0;  ///< hooks of imago's own that stand before the caller's
};

/// The names of a caller's fields.
struct FieldNames {
  const char* spectrum = "spectrum";  ///< the layout of the array that forward() writes
  /// The hooks of a direction's ends, by whether it is the inverse, and whether they are at store.
  HookListName ends[2][2] = {{{"on_forward.load"}, {"on_forward.store"}},
                             {{"on_inverse.load"}, {"on_inverse.store"}}};
  HookListName filter = {"spectrum"};  ///< the hooks of a filter's spectrum
};

/// A transform, or a filter: a forward transform that has hooks on its spectrum and goes back.
/// Converts from both, so that functions take either.
struct Computation {
  Computation(Transform given) : transform(std::move(given)) {}
  Computation(const FilterShape& shape);

  /// Of a filter: the directions are forward, the spectrum's layout is that of the result.
  Transform transform;
  std::optional<std::vector<Hook>> filter = {};  ///< the hooks of the spectrum
  double filter_scale = 1;
  FieldNames names = {};

  friend bool operator==(const Computation& a, const Computation& b) {
    return a.transform == b.transform && a.filter == b.filter && a.filter_scale == b.filter_scale;
  }
};

}  // namespace imago::problem
