// This file defines Problem: a caller's Transform, checked and with every default filled in. Checks
// throw Unsupported for limits of imago.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/transform.hpp>

#include "base/indexed.hpp"

namespace imago::problem {

/// Layout of one side. Element (i0, i1, ...) of batch element b is at offset + b * distance + i0 *
/// strides[0] + i1 * strides[1] + ..., in elements of the side's own type.
struct Side {
  std::vector<std::uint64_t> lengths = {};  ///< extents, slowest dimension first
  std::vector<std::uint64_t> strides = {};  ///< packed if the caller gave none
  std::uint64_t offset = 0;
  std::uint64_t distance = 0;
  std::uint64_t end = 0;  ///< one past the last element
  Storage storage = Storage::interleaved;
  bool real = false;              ///< true: elements are real; false: complex
  std::size_t element_bytes = 8;  ///< bytes of one element in one buffer; planar: of one part
  friend bool operator==(const Side&, const Side&) = default;

  /// Returns the size of the smallest buffer for the side; planar: of each of the two.
  std::size_t bytes() const { return end * element_bytes; }
};

/// Requirements of an argument of hooks.
struct HookArgument {
  enum class Type { real_buffer, complex_buffer, real, integer } type = Type::real;
  std::string name = {};
  std::uint64_t numbers = 0;  ///< smallest size of a buffer; a pair counts as one
  friend bool operator==(const HookArgument&, const HookArgument&) = default;

  bool is_buffer() const { return type == Type::real_buffer || type == Type::complex_buffer; }
};

/// One end of a direction with hooks; or the spectrum of a filter, which has no memory.
struct HookedEnd {
  std::vector<Hook> hooks = {};
  /// Part of the caller's array that kernels access: the range that zero_outside keeps, in elements
  /// of the stored type.
  Side memory = {};
  std::optional<Integer> integers = {};  ///< type of integers in memory; empty: none
  std::string field = {};                ///< the caller's list: "on_forward.load", "spectrum"
  std::size_t before = 0;                ///< number of imago's own hooks before the caller's
  std::uint64_t elements = 0;            ///< number of elements in the whole batch
  std::vector<HookArgument> arguments = {};
  friend bool operator==(const HookedEnd&, const HookedEnd&) = default;

  /// Returns the caller's name of a hook: "on_forward.load[0]".
  std::string name_of(std::size_t hook) const {
    return base::indexed(field, hook < before ? 0 : hook - before);
  }
};

struct Problem {
  Precision precision = Precision::f32;
  Placement placement = Placement::out_of_place;
  Directions directions = Directions::both;
  std::vector<Kind> kinds;             ///< one per dimension, of the forward direction
  std::vector<std::uint64_t> lengths;  ///< as in the transform, slowest dimension first
  std::uint64_t batch = 1;
  Side signal, spectrum;
  double forward_scale = 1, inverse_scale = 1;  ///< factors of the results, from the norm
  std::optional<HookedEnd> hooked[2][2];        ///< hooks, indexed by [inverse][store]
  std::optional<HookedEnd> filter;              ///< hooks of a filter's spectrum
  bool orthonormal = false;  ///< cosine and sine transforms rescale end points, as Kind says
  /// True: each batch element is computed as if it were alone. Its result is bitwise identical in
  /// every batch (Options::deterministic).
  bool alike = false;
  /// True: the arithmetic is that of the canon (lines/canon.hpp, Options::reproducible). Implies
  /// `alike`.
  bool reproducible = false;
  /// True: a call may compute the first batch elements only. The number of them is an argument of
  /// the kernels, whatever the layout.
  bool varies = false;
  bool right_angle = false;  ///< like Computation::right_angle

  /// Returns the real axis, if there is one.
  std::optional<std::size_t> real_axis() const;
  /// Returns the extents of the spectrum: n/2+1 along a real axis.
  std::vector<std::uint64_t> spectrum_lengths() const;
  /// True if both sides are real: there are cosine and sine axes, and no complex or real ones.
  bool only_real() const;
  /// Returns the kind of transform along an axis in a direction.
  Kind kind(std::size_t axis, bool inverse) const;
  /// Returns the side that a direction reads, or writes if `store`.
  const Side& side(bool inverse, bool store) const { return inverse == store ? signal : spectrum; }
  /// Returns the part of a side that is in memory: the side that a direction reads, or writes.
  const Side& memory(bool inverse, bool store) const {
    const auto& end = hooked[inverse][store];
    return end ? end->memory : side(inverse, store);
  }
  /// Returns the bytes of the smallest buffer for a side in both directions; in place, for both
  /// sides.
  std::size_t bytes(bool spectrum) const;
  /// Returns the arguments of the hooks of a direction, each name once.
  std::vector<HookArgument> arguments(bool inverse) const;
  bool has_forward() const { return directions != Directions::inverse; }
  bool has_inverse() const { return directions != Directions::forward; }
  /// Throws Unsupported if a hook is the user's OpenCL C, which has doubles.
  void check_for_pairs() const;
  /// Returns kinds, shape, precision and placement as one name: "real-64x64-f32-in_place".
  std::string key() const;
};

}  // namespace imago::problem
