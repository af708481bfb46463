// This file separates the computation of a pass from its execution by a device's lanes. Lanes
// receives a pass and a body that appends the instructions of a butterfly. Its implementations, and
// the loads, exchanges and stores that they call, handle loops, barriers and remainders.
#pragma once

#include <cstdint>
#include <functional>

#include "blocks/complex.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

/// One Stockham pass over n = outer * done * radix * left points. For each o < outer its input is a
/// matrix of finished digits k < done by remaining columns q < left * radix. The inputs and outputs
/// of a butterfly are its legs. It reads legs (k, q + left * r), and writes legs (k + done * s, q).
/// Point (o, k, q) is at (o * digits + k) * columns + q.
struct Geometry {
  const kernel::Pass* pass = nullptr;
  unsigned radix = 1;
  std::uint64_t done = 1, left = 1, outer = 1;
  bool first = false, last = false;
  /// True if it reads its legs point by point where the pass before wrote them.
  bool in_place = false;
  /// True for the last pass before the product of a convolution (blocks/convolution.hpp).
  bool turns = false;

  std::uint64_t block() const { return done * radix * left; }  ///< points per o
  /// Returns the point of leg r relative to o * block() + k * left * radix + q.
  std::uint64_t read_point(std::uint64_t r) const { return left * r; }
  /// Returns the point of leg s relative to o * block() + k * left + q.
  std::uint64_t write_point(std::uint64_t s) const { return done * left * s; }
};

/// Computes the butterfly for one k: twiddles and DFT of `radix` points.
using Butterfly = std::function<Points(const Points&)>;
/// Computes the values that depend only on k (twiddle loads) outside of loops over q.
using Body = std::function<Butterfly(const Index& k)>;

class Lanes {
 public:
  virtual ~Lanes() = default;
  virtual void pass(const Geometry& geometry, const Body& body) = 0;
};

/// Calls `passes` with the lanes of a work-group (work-items, local memory, barriers).
void with_lanes(const kernel::WorkGroup& group, const Frame& frame,
                const std::function<void(Lanes&)>& passes);
/// Calls `passes` with the lanes of one work-item (vectors, private memory, no barrier). It may
/// call it twice: for full vectors and for the remaining columns.
void with_lanes(const kernel::Vectors& vectors, const Frame& frame,
                const std::function<void(Lanes&)>& passes);
/// Does nothing: generic kernels have passes of their own (blocks/emit.cpp).
inline void with_lanes(const kernel::Generic&, const Frame&, const std::function<void(Lanes&)>&) {}
inline void with_lanes(const kernel::GenericHooks&, const Frame&,
                       const std::function<void(Lanes&)>&) {}

}  // namespace imago::blocks
