// This file checks nonuniform transforms by direct sums.
#pragma once

#include <vector>

#include "bench/nufft/problem.hpp"

namespace imago::bench::nufft {

/// Samples of the results of both types, computed by direct sums in double. The coordinates are
/// exact numbers: phases are computed modulo the period in integers of 64 bits.
class Reference {
 public:
  /// Computes up to `samples` values of each type with `threads` threads.
  Reference(const Problem& problem, const Data& data, std::size_t samples, unsigned threads);

  /// Returns the relative L2 error of the samples of a whole result; NaN for one that is not a
  /// number.
  double error(Step step, const std::vector<std::complex<double>>& result) const;

 private:
  struct Samples {
    std::vector<std::size_t> indices;
    std::vector<std::complex<double>> values;
  };
  Samples type1_, type2_;
};

}  // namespace imago::bench::nufft
