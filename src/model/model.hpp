// This file is the analytical cost model: it predicts the time of a kernel on a device, with its
// parts. It ranks candidates: radices and their order, points per work-item, transforms per group,
// exchange, twiddle source, the split into kernels. docs/model.md explains the formulas.
#pragma once

#include "device/facts.hpp"
#include "kernel/program.hpp"

namespace imago::model {

/// Predicted seconds of one launch, and the values that they follow from.
struct Cost {
  double memory = 0;      ///< global memory: bytes, segments, latency that is not hidden
  double arithmetic = 0;  ///< instructions: butterflies, twiddles, addresses, shuffles
  double exchange = 0;    ///< local or private memory: bytes, conflicts, barriers, spills
  double latency = 0;     ///< its start, loads of the first group, stores of the last one
  double launch = 0;      ///< time between launches that do nothing
  double busy = 0;        ///< time on the device; not the sum, because the parts overlap
  double total = 0;       ///< on a GPU about the larger of `launch` and `busy`, because it prepares
                          ///< the next kernel while one computes; on a CPU their sum
  // Work-group mapping.
  unsigned registers = 0;  ///< per work-item, estimated
  unsigned groups = 0;     ///< resident per compute unit, HBPL equation 1
  double occupancy = 0;    ///< fraction of the compute unit's work-items
  double conflicts = 1;    ///< local-memory cycles, divided by those without conflicts
  // Global memory.
  double load_segment = 0, store_segment = 0;  ///< contiguous bytes
  double lines = 2;   ///< cache lines touched, divided by those filled; sum of loads and stores
  double visits = 1;  ///< requests for each cache line; mean of loads and stores
};

Cost predict(const kernel::Step& step, const kernel::Launch& launch, const device::Facts& facts);
/// Predict kernels whose lanes are work-items (model/work_group), and components of vectors
/// (model/vector).
Cost predict(const kernel::WorkGroup& group, const kernel::Step& step, const kernel::Launch& launch,
             const device::Facts& facts);
Cost predict(const kernel::Vectors& vectors, const kernel::Step& step, const kernel::Launch& launch,
             const device::Facts& facts);

/// Returns a little more than the larger of two times that pass side by side.
double beside(double a, double b);

/// Returns the seconds of all launches of a program.
double seconds(const kernel::Program& program, const device::Facts& facts);

}  // namespace imago::model
