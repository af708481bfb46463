// This file helps to check the lines of a request: their places, and their transforms by FFTW.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "catalogue/reference.hpp"
#include "plan/planner.hpp"

namespace imago::test {

/// Adds the first `count` points of the DFT of a line to `all`, in double precision.
inline void append_spectrum(const std::vector<std::complex<float>>& line, std::size_t count,
                            std::vector<std::complex<double>>& all) {
  catalogue::Case problem;
  problem.lengths = {line.size()};
  catalogue::Reference<double> reference(problem);
  for (std::size_t i = 0; i < line.size(); ++i) {
    reference.input()[2 * i] = line[i].real();
    reference.input()[2 * i + 1] = line[i].imag();
  }
  const auto spectrum = reference.run();
  for (std::size_t i = 0; i < count; ++i) all.emplace_back(spectrum[2 * i], spectrum[2 * i + 1]);
}

/// Returns the first element of line i of a request, in the input or the output.
inline std::size_t line_start(const lines::Request& request, std::uint64_t i, bool in) {
  std::uint64_t at = 0;
  for (const auto& loop : request.loops) {
    at += i % loop.extent * (in ? loop.in_stride : loop.out_stride);
    i /= loop.extent;
  }
  return at + i * (in ? request.in.distance : request.out.distance);
}

}  // namespace imago::test
