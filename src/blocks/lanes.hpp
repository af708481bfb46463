// This file is the seam between what a pass computes and how a device's lanes do it. Lanes is
// handed a pass and a pure body `points -> points`; it alone knows loops, barriers, transpositions,
// tails and when values meet memory.
#pragma once

#include <cstdint>
#include <functional>

#include "blocks/complex.hpp"
#include "blocks/frame.hpp"

namespace imago::blocks {

/// One Stockham pass over n = outer * done * radix * left points. For each o < outer its input is
/// the matrix of finished digits k < done by remaining columns q < left * radix; it reads legs (k,
/// q + left * r), and writes legs (k + done * s, q). Point (o, k, q) lies at (o * digits + k) *
/// columns + q.
struct Geometry {
  const kernel::Pass* pass = nullptr;
  unsigned radix = 1;
  std::uint64_t done = 1, left = 1, outer = 1;
  bool first = false, last = false;
  bool in_place = false;  ///< its legs are what the pass before wrote, point by point
  bool turns = false;     ///< the last pass forth of a convolution (blocks/convolution.hpp)

  std::uint64_t block() const { return done * radix * left; }  ///< points of one o
  /// Beyond o * block() + k * left * radix + q.
  std::uint64_t read_point(std::uint64_t r) const { return left * r; }
  /// Beyond o * block() + k * left + q.
  std::uint64_t write_point(std::uint64_t s) const { return done * left * s; }
};

/// The butterfly for one k: twiddles and DFT of `radix` points.
using Butterfly = std::function<Points(const Points&)>;
/// Prepares what depends on k only (twiddle loads), so that it stays outside of loops over q.
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
/// call it twice: for full vectors and for the columns that are left over.
void with_lanes(const kernel::Vectors& vectors, const Frame& frame,
                const std::function<void(Lanes&)>& passes);

}  // namespace imago::blocks
