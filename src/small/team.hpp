// This file divides a call among several threads.
#pragma once

#include <cstddef>
#include <vector>

namespace imago::small {

/// Work in steps, each of several pieces. A piece may read what the steps before wrote.
class SteppedWork {
 public:
  virtual ~SteppedWork() = default;
  /// Computes a piece of a step. `own` is true in the thread that called run_together(). May throw.
  virtual void run(std::size_t step, std::size_t piece, bool own) const = 0;
};

/// Returns how many threads a call of this thread may use: as many as it has cores, and as the
/// environment allows ($IMAGO_THREADS; else PoCL's limit, $POCL_MAX_PTHREAD_COUNT or
/// $POCL_CPU_MAX_CU_COUNT).
std::size_t most_threads();

/// Runs all pieces, and returns when they have ended. The pieces of step i have the numbers
/// ends[i-1] to ends[i]-1 (ends[-1] is 0). Up to `threads` threads, the caller's included, take
/// them in their order. The others wait between calls, without using a core; while they work for
/// one call, other calls use their own thread only. After an exception no more pieces begin; the
/// first one is thrown.
void run_together(const SteppedWork& work, const std::vector<std::size_t>& ends,
                  std::size_t threads);

}  // namespace imago::small
