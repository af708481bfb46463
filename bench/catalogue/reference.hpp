// This file computes reference transforms with FFTW in a precision higher than the one that is
// checked: double for f16 and f32, long double for f64.
#pragma once

#include <memory>
#include <span>

#include "catalogue/case.hpp"

namespace imago::catalogue {

/// Unscaled reference transforms of one shape, kind and direction, between packed arrays of real
/// numbers (a complex element is two). With Norm::ortho the end points of cosine and sine
/// transforms are rescaled as imago::Norm defines; the overall factor is not applied. FFTW's
/// planner is used by one thread at a time; run() of different objects may run at once.
template <class Wide>
class Reference {
 public:
  /// Uses one member of the case; ignores its layouts and its batch.
  explicit Reference(const Case& problem);
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  /// The input. Fill it before every run.
  std::span<Wide> input();
  /// Returns the transform of input(), which it overwrites; valid until input() is filled again. A
  /// real result without a complex axis ignores the imaginary parts of the first and (for even
  /// lengths) last element of each row.
  std::span<const Wide> run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::catalogue
