// This file holds De Smet's bound: an FFT of N points that goes through memory `passes` times does
// at most 5 log2(N) floating point operations per element that memory delivers ("An OpenCL FFT:
// implementation strategy", section 3.2 and table 1).
#pragma once

namespace imago::model {

/// min(peak, 5 log2(N) * bandwidth / passes) in FLOP/s. `elements` per second are those that memory
/// delivers one way (table 1 counts an element once) or both ways, as the caller means the bound.
double locality_bound(double peak, double length, double elements, unsigned passes);

}  // namespace imago::model
