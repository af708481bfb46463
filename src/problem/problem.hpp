// This file turns a Transform, which is what a caller wrote, into a Problem: checked, with every
// default filled in. What imago cannot do yet ends here, as Unsupported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imago/transform.hpp>

#include "base/indexed.hpp"

namespace imago::problem {

/// Where the elements of one side lie: element (i0, i1, ..) of batch member b at offset + b *
/// distance + i0 * strides[0] + i1 * strides[1] + .., in elements of the side's own type.
struct Side {
  std::vector<std::uint64_t> lengths = {};  ///< extents, slowest dimension first
  std::vector<std::uint64_t> strides = {};  ///< where the caller left them open: packed
  std::uint64_t offset = 0;
  std::uint64_t distance = 0;
  std::uint64_t end = 0;  ///< one past the last element
  Storage storage = Storage::interleaved;
  bool real = false;              ///< an element is one real number; else a complex one
  std::size_t element_bytes = 8;  ///< one element takes in one buffer: planar, its one part
  friend bool operator==(const Side&, const Side&) = default;

  /// Size of the smallest buffer (planar: of each of the two) that holds the side.
  std::size_t bytes() const { return end * element_bytes; }
};

/// What an argument of hooks must be.
struct HookArgument {
  enum class Type { real_buffer, complex_buffer, real, integer } type = Type::real;
  std::string name = {};
  std::uint64_t numbers = 0;  ///< a buffer has at least; pairs count as one
  friend bool operator==(const HookArgument&, const HookArgument&) = default;

  bool is_buffer() const { return type == Type::real_buffer || type == Type::complex_buffer; }
};

/// One end of a direction whose elements pass hooks, or the spectrum that a filter turns in, which
/// has no memory.
struct HookedEnd {
  std::vector<Hook> hooks = {};
  /// What kernels touch of the caller's memory: the box that zero_outside leaves, of elements as
  /// they are stored.
  Side memory = {};
  std::optional<Integer> integers = {};  ///< memory holds these
  std::string field = {};                ///< the caller's list: "on_forward.load", "spectrum"
  std::size_t before = 0;                ///< hooks of imago's own, ahead of the caller's
  std::uint64_t elements = 0;            ///< of the side, in the whole batch
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
  std::optional<HookedEnd> hooked[2][2];  ///< by whether it is the inverse, and whether a store
  std::optional<HookedEnd> filter;        ///< forward() goes there and back; of its spectrum
  bool orthonormal = false;  ///< cosine and sine transforms rescale end points, as Kind says
  /// Each member of the batch is computed as if it were alone: its result has the same bits in
  /// every batch (Options::deterministic).
  bool alike = false;

  /// The dimension whose signal is real.
  std::optional<std::size_t> real_axis() const;
  /// Extents of what the forward transform leaves: along a real axis n/2+1.
  std::vector<std::uint64_t> spectrum_lengths() const;
  /// Whether both sides are real: cosine and sine transforms, and no complex or real axis.
  bool only_real() const;
  /// What is done along an axis in the wanted direction.
  Kind kind(std::size_t axis, bool inverse) const;
  /// The side that a direction reads, or writes.
  const Side& side(bool inverse, bool store) const { return inverse == store ? signal : spectrum; }
  /// The same as it lies in memory.
  const Side& memory(bool inverse, bool store) const {
    const auto& end = hooked[inverse][store];
    return end ? end->memory : side(inverse, store);
  }
  /// Bytes of the smallest buffer for a side in each direction; in place of both sides.
  std::size_t bytes(bool spectrum) const;
  /// What the hooks of a direction take, each name once.
  std::vector<HookArgument> arguments(bool inverse) const;
  bool has_forward() const { return directions != Directions::inverse; }
  bool has_inverse() const { return directions != Directions::forward; }
  /// Names kinds, shape, precision and placement: "real-64x64-f32-in_place".
  std::string key() const;
};

}  // namespace imago::problem
