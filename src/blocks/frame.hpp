// This file holds what every Stockham kernel begins with: the signature of plan/program.hpp, and
// the hooks that elements pass on their way between global memory and the first and last pass.
#pragma once

#include <functional>

#include "blocks/complex.hpp"
#include "blocks/twiddle.hpp"
#include "plan/program.hpp"

namespace imago::blocks {

/// A side's arguments.
struct FrameSide {
  ir::MemoryId memory;
  ir::MemoryId im;  ///< planar only
  ir::Value offset, distance;
};

/// The kernel's arguments.
struct Frame {
  Frame(ir::Builder& builder, const plan::Step& step);

  ir::Builder& b;
  const plan::Step& step;
  ir::Type real;  ///< of the arithmetic: f32 or f64
  FrameSide in, out;
  ir::MemoryId table, local;
  ir::Value batch, scale;
};

/// Applied to elements as they are loaded: swaps the parts for the inverse, multiplies by the
/// inter-kernel twiddle. `phase` is that of the column; its base is invalid without inter-kernel
/// twiddle.
Points load_hook(const Frame& frame, const Points& values, const Legs& legs, const Index& phase);
/// Applied to every element before it is stored: scale, and the swap back.
Cx store_hook(const Frame& frame, const Cx& value);

/// The element that a half spectrum holds in the place of point n - p, where point p is at `index`.
ir::Value mirrored_index(const Frame& frame, ir::Value index, ir::Value p);
/// X[k] of 2n reals from Z[k] and Z[n-k], the transform of their pairs x[2j] + i x[2j+1]: with the
/// transforms E and O of the even and odd ones, Z = E + i O and X[k] = E[k] + root O[k] (Cooley,
/// Lewis and Welch 1970).
Cx unfolded(const Cx& z, const Cx& mirrored, const Cx& root);
/// The reverse, times two: Z[k] from X[k] and X[n-k].
Cx folded(const Cx& x, const Cx& mirrored, const Cx& root);

}  // namespace imago::blocks
