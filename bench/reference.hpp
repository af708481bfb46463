// This file checks results: the relative L2 error of each transform against FFTW in higher
// precision.
#pragma once

#include <vector>

#include "bench/engine.hpp"

namespace imago::bench {

/// The correct results of some transforms of a case. It checks the first and the last transforms,
/// so that a wrong tail is detected, and at least 4096 elements if the case has as many.
class Reference {
 public:
  Reference(const Case& problem, const Signal& signal, unsigned threads);
  /// Returns the largest relative L2 error of a transform that `work` computed from a freshly
  /// loaded signal.
  double error(Work& work) const;

 private:
  struct Part {
    std::size_t first;  ///< index of its first real number in the result
    std::vector<long double> values;
  };
  template <Precision precision>
  void compute(const Case& problem, const Signal& signal);

  std::vector<Part> parts_;
};

}  // namespace imago::bench
