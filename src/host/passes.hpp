// This file describes a direction of a transform of host arrays as passes, which run one after
// another. Each pass is divided into pieces: chunks of its arrays that devices compute in any
// order. The file also lists the transforms that pieces need plans for.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <imago/plan.hpp>

#include "host/box.hpp"
#include "host/queue_sets.hpp"

namespace imago::host {

/// The chunk of a pass that one device computes at a time. No piece writes memory that another
/// piece reads or writes.
struct Piece {
  Box from, to;
  /// True: the piece does not write all of `to`, so the old contents are copied to the device
  /// first. Always false in place.
  bool has_gaps = false;
  std::size_t shape = 0;   ///< index of the plan that computes it
  std::size_t number = 0;  ///< index of its first column, for the twiddle factors of long 1-D
                           ///< transforms
};

/// The pieces of a pass, counted from 0. Most of them differ only in their position, so the class
/// stores a few of them and how often they repeat.
class Pieces {
 public:
  /// A pattern of pieces that is repeated `times` times. Each repetition adds the steps to the
  /// starts of the boxes (in bytes) and to Piece::number.
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
  /// Calls each(piece) for the stored pieces. Other pieces differ from these only in the starts of
  /// boxes and in Piece::number.
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

/// Bytes of the largest input box, of the largest output box, and of all copies.
struct PassBytes {
  std::size_t from = 0, to = 0;
  std::size_t all = 0;  ///< total that is copied to devices and back
};
PassBytes bytes_of(const Pieces& pieces);

/// An array that a pass reads or writes: the caller's input or output, or temporary host memory.
enum class PassMemory { from, to, scratch };

struct HostPass {
  PassMemory from = PassMemory::from, to = PassMemory::to;
  Pieces pieces = {};
  bool in_place = false;  ///< one buffer on the device holds the input, then the output
  std::size_t slots = 1;  ///< maximum number of pieces on a device at a time
};

struct PassSchedule {
  /// The transform as one contiguous piece, for one device.
  std::optional<Piece> whole = {};
  /// The passes, each divided into pieces; empty if only `whole` is possible.
  std::vector<HostPass> passes = {};
  std::size_t scratch_bytes = 0;  ///< temporary host memory
};

/// Enqueues the computation of a piece on a queue of a device of the pool. The buffers hold the
/// piece's boxes without gaps between rows.
using Compute =
    std::function<void(std::size_t device, const Piece& piece, const cl::CommandQueue& queue,
                       const cl::Buffer& from, const cl::Buffer& to)>;

/// A pass that a call executes, with the call's arrays.
struct ActivePass {
  const char* from = nullptr;  ///< input array
  char* to = nullptr;          ///< output array
  const HostPass& pass;
  Compute compute;

  const Pieces& pieces() const { return pass.pieces; }
};

/// The transforms that pieces need, without duplicates.
class Shapes {
 public:
  /// The transform for a plan. `part` is true for a sub-transform, to which the caller's parameters
  /// do not apply.
  struct Shape {
    Transform transform;
    bool part = false;
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  /// Returns the index of a shape; adds it if it is new.
  std::size_t add(Shape shape);
  const std::vector<Shape>& all() const { return all_; }

 private:
  std::vector<Shape> all_;
};

/// The memory limits for pieces: those of the device with the least memory.
struct Budget {
  std::size_t memory = 0;   ///< bytes for one call
  std::size_t largest = 0;  ///< maximum bytes of one buffer
  std::size_t devices = 1;
  bool reproducible = false;  ///< true: nothing is computed out of core
  /// Returns the bytes of workspace that a transform needs.
  std::function<std::size_t(const Transform&)> scratch = {};

  bool holds(const Transform& transform, const Slot::Bytes& bytes, std::size_t slots) const;
  /// Returns the bytes of a piece that keep all devices and both directions of the bus busy, for an
  /// array of `whole` bytes.
  std::size_t piece_bytes(std::size_t whole) const;
};

/// Pieces on a device at a time: one is uploaded, one is computed, one is downloaded.
inline constexpr std::size_t kSlots = 3;

/// Returns a line for each pass: "forward: 8 pieces of shapes 0 and 1, 3 at a time on each device".
std::string describe(const PassSchedule& schedule, const std::string& direction);

}  // namespace imago::host
