// This file averages the powers of frames (P. D. Welch, "The use of fast Fourier transform for the
// estimation of power spectra", IEEE Trans. Audio Electroacoust. 15, 1967).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace imago::command {

class MeanPower {
 public:
  explicit MeanPower(std::size_t bins) : sums_(bins) {}
  /// Adds the powers of a frame's bins, in units of 4^exponent. A frame that is not finite is left
  /// out, and counted.
  void add(std::span<const float> powers, int exponent = 0) { add_any(powers, exponent); }
  void add(std::span<const double> powers, int exponent = 0) { add_any(powers, exponent); }
  /// Returns the root of each bin's mean power; NaN if no frame was finite.
  std::vector<double> amplitudes() const;
  std::size_t lost() const { return lost_; }  ///< number of frames that are not finite

 private:
  template <class Real>
  void add_any(std::span<const Real> powers, int exponent);

  std::vector<double> sums_;  ///< in units of 4^exponent_
  int exponent_ = 0;
  std::size_t frames_ = 0, lost_ = 0;
};

}  // namespace imago::command
