// This file declares the measurement of launches by CUDA.
#pragma once

namespace imago::bench {

/// Prints what launches of one work-group cost, and how the kernels of imago and cuFFT are
/// launched.
int launches();

}  // namespace imago::bench
