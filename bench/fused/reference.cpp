// This file computes batch elements of the problems by FFTW in double.
#include "bench/fused/contestants.hpp"
#include "catalogue/fftw.hpp"

namespace imago::bench::fused {
namespace {

using Wide = std::complex<double>;
using Complex = std::complex<float>;

/// Transforms the plane or the padded line.
void transform(std::vector<Wide>& data, const std::vector<int>& lengths, int direction) {
  auto* numbers = reinterpret_cast<fftw_complex*>(data.data());
  const catalogue::FftwPlan<double> plan(fftw_plan_dft(static_cast<int>(lengths.size()),
                                                       lengths.data(), numbers, numbers, direction,
                                                       FFTW_ESTIMATE));
  fftw_execute(plan.get());
}

std::vector<Wide> convolved(std::vector<Wide> signal, std::vector<Wide> kernel,
                            const std::vector<int>& lengths) {
  transform(signal, lengths, FFTW_FORWARD);
  transform(kernel, lengths, FFTW_FORWARD);
  for (std::size_t i = 0; i < signal.size(); ++i)
    signal[i] *= kernel[i] / static_cast<double>(signal.size());
  transform(signal, lengths, FFTW_BACKWARD);
  return signal;
}

}  // namespace

std::vector<double> reference(const Problem& problem, const Data& data, std::size_t member) {
  const std::size_t n = problem.length;
  const int length = static_cast<int>(n);
  std::vector<double> result;
  if (problem.which == Case::stft) {
    std::vector<Wide> frame(n);
    for (std::size_t j = 0; j < n; ++j)
      frame[j] = data.samples[member * problem.width + j] / 32768.0 * data.window[j];
    transform(frame, {length}, FFTW_FORWARD);
    for (std::size_t k = 0; k <= n / 2; ++k) result.push_back(std::norm(frame[k]));
  } else if (problem.which == Case::istft) {
    const std::size_t hop = problem.width, bins = n / 2 + 1;
    result.resize(hop);
    for (std::size_t first = 0; first < n; first += hop) {  // the hop begins there
      const Complex* const spectrum =
          data.spectra.data() + (member + (n - hop - first) / hop) * bins;
      std::vector<Wide> frame(spectrum, spectrum + bins);
      for (std::size_t k = n / 2 - 1; k > 0; --k) frame.push_back(std::conj(frame[k]));
      transform(frame, {length}, FFTW_BACKWARD);
      for (std::size_t j = 0; j < hop; ++j) {
        double squares = 0;
        for (std::size_t i = j; i < n; i += hop)
          squares += static_cast<double>(data.window[i]) * data.window[i];
        result[j] +=
            frame[first + j].real() / static_cast<double>(n) * data.window[first + j] / squares;
      }
    }
  } else if (problem.which == Case::lines) {
    const std::size_t wide = problem.result_floats();
    std::vector<Wide> line(data.lines.begin() + static_cast<std::ptrdiff_t>(member * n),
                           data.lines.begin() + static_cast<std::ptrdiff_t>((member + 1) * n)),
        kernel(data.taps.begin(), data.taps.end());
    line.resize(wide);
    kernel.resize(wide);
    for (const Wide x : convolved(line, kernel, {static_cast<int>(wide)}))
      result.push_back(x.real());
  } else {
    const auto first = data.planes.begin() + static_cast<std::ptrdiff_t>(member * n * n);
    for (const Wide x : convolved({first, first + static_cast<std::ptrdiff_t>(n * n)},
                                  {data.spread.begin(), data.spread.end()}, {length, length})) {
      result.push_back(x.real());
      result.push_back(x.imag());
    }
  }
  return result;
}

}  // namespace imago::bench::fused
