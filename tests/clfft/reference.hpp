// This file computes the expected results of transforms by FFTW in f64, for packed arrays.
#pragma once

#include <clFFT.h>
#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <vector>

namespace imago::test::clfft {

using Points = std::vector<std::complex<double>>;

/// Converts lengths, whose first is the fastest, to FFTW's row-major shape.
inline std::vector<int> shape_of(const std::vector<std::size_t>& lengths) {
  return {lengths.rbegin(), lengths.rend()};
}

inline Points complex_transform(const std::vector<std::size_t>& lengths, Points x,
                                clfftDirection direction) {
  const auto shape = shape_of(lengths);
  auto* const data = reinterpret_cast<fftw_complex*>(x.data());
  const fftw_plan plan =
      fftw_plan_dft(static_cast<int>(shape.size()), shape.data(), data, data,
                    direction == CLFFT_FORWARD ? FFTW_FORWARD : FFTW_BACKWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return x;
}

/// Returns the half spectrum of real numbers: lengths[0]/2+1 in a row.
inline Points half_spectrum(const std::vector<std::size_t>& lengths, const Points& x) {
  const Points whole = complex_transform(lengths, x, CLFFT_FORWARD);
  Points half;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i % lengths[0] <= lengths[0] / 2) half.push_back(whole[i]);
  }
  return half;
}

}  // namespace imago::test::clfft
