// This file says how a direction of a transform of host arrays is computed: in rounds, one after
// the other, whose pieces devices take; and what plans the pieces need.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <imago/transform.hpp>

#include "host/lanes.hpp"
#include "host/pass.hpp"

namespace imago::host {

/// An array that a round reads or writes: one of the caller's, or scratch.
enum class Memory { from, to, scratch };

struct Round {
  Memory from = Memory::from, to = Memory::to;
  Pieces pieces = {};
  bool in_place = false;  ///< as Pass::in_place
  std::size_t slots = 1;  ///< as Pass::slots
};

struct Course {
  /// All of it as one piece that is a span, for one device.
  std::optional<Piece> whole = {};
  /// The same in pieces; empty: there is only the whole.
  std::vector<Round> rounds = {};
  std::size_t scratch_bytes = 0;  ///< of host memory
};

/// The transforms that pieces need, each once.
class Shapes {
 public:
  /// What plans are made from. `part`: of a sub-transform, which the caller's parameters are not
  /// for.
  struct Shape {
    Transform transform;
    bool part = false;
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  /// The number of a shape, now or since before.
  std::size_t add(Shape shape);
  const std::vector<Shape>& all() const { return all_; }

 private:
  std::vector<Shape> all_;
};

/// What pieces may take, of the device that has least.
struct Budget {
  std::size_t memory = 0;   ///< bytes of a call
  std::size_t largest = 0;  ///< bytes of one buffer
  std::size_t devices = 1;
  /// Bytes of scratch that a transform takes.
  std::function<std::size_t(const Transform&)> scratch = {};

  bool holds(const Transform& transform, const Slot::Bytes& bytes, std::size_t slots) const;
  /// Bytes of a piece that keep all at work, both ways of the bus and the devices, of an array of
  /// so many.
  std::size_t piece_bytes(std::size_t whole) const;
};

/// Pieces of a device at a time: one goes there, one is computed, one comes back.
inline constexpr std::size_t kSlots = 3;

}  // namespace imago::host
