// This file describes the work of a call: passes over arrays of host memory, one after the other,
// each of pieces that devices compute in any order.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <imago/plan.hpp>

#include "host/box.hpp"

namespace imago::host {

/// What one device computes at a time. No piece writes what another reads or writes.
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

/// Puts a piece's commands into a queue; the buffers hold its boxes, packed.
using Compute = std::function<void(const Piece& piece, const cl::CommandQueue& queue,
                                   const cl::Buffer& from, const cl::Buffer& to)>;

/// A pass in the making of a call.
struct Pass {
  const char* from = nullptr;  ///< the array that is read
  char* to = nullptr;          ///< and the one that is written
  const Pieces& pieces;
  bool in_place = false;  ///< one buffer on the device holds the one side, then the other
  std::size_t slots = 1;  ///< pieces that are on a device at a time
};

/// Bytes of the largest boxes, and of all.
struct PassBytes {
  std::size_t from = 0, to = 0;
  std::size_t all = 0;  ///< that go to devices and back
};
PassBytes bytes_of(const Pieces& pieces);

}  // namespace imago::host
