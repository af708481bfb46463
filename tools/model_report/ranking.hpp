// This file ranks by our cost model the parameters that HBPL chose by its own. For a short length
// these are the points of a work-item, the work-items per transform and the transforms per
// work-group.
#pragma once

#include <vector>

#include "device/facts.hpp"
#include "kernel/program.hpp"

namespace imago::model_report {

struct Choice {
  unsigned points = 0;   ///< per work-item, HBPL's r
  unsigned items = 0;    ///< per transform, HBPL's L1
  unsigned columns = 0;  ///< transforms per work-group, HBPL's L2
  double seconds = 0;
};

/// Returns the program of one kernel of length n in f32 with 2^24 points in total; its radices are
/// as equal as the points allow.
kernel::Program program_of(unsigned n, const Choice& choice, const device::Facts& facts);

/// Returns every legal choice in powers of two, fastest first.
std::vector<Choice> rank(unsigned n, const device::Facts& facts);

}  // namespace imago::model_report
