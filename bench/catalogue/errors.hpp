// This file measures relative L2 errors: pooled over many transforms, and of the worst one.
#pragma once

#include <cmath>
#include <cstdint>

namespace imago::catalogue {

/// Errors of independent transforms, such as the members of a batch.
class Errors {
 public:
  struct Worst {
    double error = 0;  ///< relative to the norm of this transform; NaN is the worst
    std::uint64_t transform = 0;
  };

  /// Adds a transform: the sums of squares of its error and of the right result. `size` is the
  /// factor of its data; the pool scales all transforms to the same size.
  void add(long double error, long double reference, long double size = 1) {
    error_ += error / (size * size);
    reference_ += reference / (size * size);
    const double own = relative(error, reference);
    // With this form of the comparison a NaN is the worst.
    if (!(own <= worst_.error) && !std::isnan(worst_.error)) worst_ = {own, count_};
    ++count_;
  }
  double pooled() const { return relative(error_, reference_); }
  Worst worst() const { return worst_; }

 private:
  static double relative(long double error, long double reference) {
    return static_cast<double>(std::sqrt(reference == 0 ? error : error / reference));
  }

  long double error_ = 0, reference_ = 0;
  Worst worst_;
  std::uint64_t count_ = 0;
};

}  // namespace imago::catalogue
