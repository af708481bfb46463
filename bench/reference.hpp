// This file checks results: the relative L2 error of each transform against FFTW in more precision.
#pragma once

#include <vector>

#include "bench/engine.hpp"

namespace imago::bench {

/// Right results of some transforms of a case: of the first and of the last ones, so that a wrong
/// tail shows, at least 4096 elements in all where the case has as many.
class Reference {
 public:
  Reference(const Case& problem, const Signal& signal, unsigned threads);
  /// The largest relative L2 error of a transform that `work` computed from a freshly loaded
  /// signal.
  double error(Work& work) const;

 private:
  struct Part {
    std::size_t first;  ///< real number of the result
    std::vector<long double> values;
  };
  template <Precision precision>
  void compute(const Case& problem, const Signal& signal);

  std::vector<Part> parts_;
};

}  // namespace imago::bench
