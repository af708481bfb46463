// This file is the analytical model: the time that a kernel takes on a device, with its parts. It
// ranks candidates: radices and their order, points per work-item, transforms per group, exchange,
// twiddle source, the split into kernels. docs/model.md explains the formulas.
#pragma once

#include "device/facts.hpp"
#include "kernel/program.hpp"

namespace imago::model {

/// Seconds of one launch, and what they follow from.
struct Cost {
  double memory = 0;      ///< global memory: bytes, segments, latency not hidden
  double arithmetic = 0;  ///< instructions: butterflies, twiddles, addresses, shuffles
  double exchange = 0;    ///< local memory or private scratch: bytes, conflicts, barriers, spills
  double latency = 0;     ///< the first group's loads, the last one's stores
  double launch = 0;
  double total = 0;  ///< not the sum: the parts overlap
  // Work-group mapping.
  unsigned registers = 0;  ///< of a work-item, estimated
  unsigned groups = 0;     ///< resident per compute unit, HBPL equation 1
  double occupancy = 0;    ///< of the compute unit's work-items
  double conflicts = 1;    ///< local-memory cycles over those without conflicts
  // Global memory.
  double load_segment = 0, store_segment = 0;  ///< contiguous bytes
  double lines = 2;  ///< cache lines that loads and stores touch over those that they fill, summed
};

Cost predict(const kernel::Step& step, const kernel::Launch& launch, const device::Facts& facts);

/// All launches of a program.
double seconds(const kernel::Program& program, const device::Facts& facts);

}  // namespace imago::model
