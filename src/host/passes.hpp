// This file describes how a direction of a transform of host arrays is computed: in passes, one
// after the other, each of pieces that devices compute in any order; and the plans that pieces
// need.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <imago/plan.hpp>

#include "host/box.hpp"
#include "host/queue_sets.hpp"

namespace imago::host {

/// The part of a pass that one device computes at a time. No piece writes what another reads or
/// writes.
struct Piece {
  Box from, to;
  /// Not all of `to` is written: what it holds goes to the device first. Never in place.
  bool has_gaps = false;
  std::size_t shape = 0;   ///< which of the plans computes it
  std::size_t number = 0;  ///< of its first column, for the twiddle factors of long lines
};

/// The pieces of a pass, counted from 0. Nearly all are alike, so few are kept, however many there
/// are.
class Pieces {
 public:
  /// Pieces that are repeated; each time their boxes and numbers begin so much later.
  struct Block {
    std::vector<Piece> pattern = {};
    std::size_t times = 1;
    std::size_t from_step = 0, to_step = 0, number_step = 0;
  };
  Pieces() = default;
  Pieces(std::vector<Piece> once);
  void add(Block block);

  std::size_t size() const { return size_; }
  Piece operator[](std::size_t index) const;
  const std::vector<Block>& blocks() const { return blocks_; }
  /// Calls each(piece) for pieces of every kind: all but their begins and numbers occurs among
  /// them.
  template <class Each>
  void for_each_kind(Each each) const {
    for (const Block& block : blocks_) {
      for (const Piece& piece : block.pattern) each(piece);
    }
  }

 private:
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

/// Bytes of the largest boxes, and of all.
struct PassBytes {
  std::size_t from = 0, to = 0;
  std::size_t all = 0;  ///< that go to devices and back
};
PassBytes bytes_of(const Pieces& pieces);

/// An array that a pass reads or writes: one of the caller's, or scratch.
enum class PassMemory { from, to, scratch };

struct HostPass {
  PassMemory from = PassMemory::from, to = PassMemory::to;
  Pieces pieces = {};
  bool in_place = false;  ///< one buffer on the device holds the one side, then the other
  std::size_t slots = 1;  ///< pieces that are on a device at a time
};

struct PassSchedule {
  /// All of it as one piece that is a span, for one device.
  std::optional<Piece> whole = {};
  /// The passes, each cut into pieces; empty: there is only the whole.
  std::vector<HostPass> passes = {};
  std::size_t scratch_bytes = 0;  ///< of host memory
};

/// Puts the commands of a piece into a queue of a device of the pool; the buffers hold the piece's
/// boxes, packed.
using Compute =
    std::function<void(std::size_t device, const Piece& piece, const cl::CommandQueue& queue,
                       const cl::Buffer& from, const cl::Buffer& to)>;

/// A pass in a call: with its arrays.
struct ActivePass {
  const char* from = nullptr;  ///< the array that is read
  char* to = nullptr;          ///< and the one that is written
  const HostPass& pass;
  Compute compute;

  const Pieces& pieces() const { return pass.pieces; }
};

/// The transforms that pieces need, each once.
class Shapes {
 public:
  /// The transform that a plan is made from. `part`: it is a sub-transform, to which the caller's
  /// parameters do not apply.
  struct Shape {
    Transform transform;
    bool part = false;
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  /// Returns the number of a shape, which is new or has been added before.
  std::size_t add(Shape shape);
  const std::vector<Shape>& all() const { return all_; }

 private:
  std::vector<Shape> all_;
};

/// The memory that pieces may use, on the device that has least.
struct Budget {
  std::size_t memory = 0;   ///< bytes of a call
  std::size_t largest = 0;  ///< bytes of one buffer
  std::size_t devices = 1;
  /// Bytes of scratch that a transform needs.
  std::function<std::size_t(const Transform&)> scratch = {};

  bool holds(const Transform& transform, const Slot::Bytes& bytes, std::size_t slots) const;
  /// Bytes of a piece that keep all at work, both ways of the bus and the devices, of an array of
  /// so many.
  std::size_t piece_bytes(std::size_t whole) const;
};

/// Pieces of a device at a time: one goes there, one is computed, one comes back.
inline constexpr std::size_t kSlots = 3;

}  // namespace imago::host
