// This file calls the functions of the edges of convolutions.
#include "kernel/edges/convolved.hpp"

#include "base/errors.hpp"
#include "base/fft.hpp"

namespace imago::kernel {
namespace {

using Entries = std::vector<std::complex<double>>;

ConvolvedFacts facts_of(const NoEdge&) { return {}; }
ConvolutionLengths lengths_of(const NoEdge&) { return {}; }
Entries convolution_kernel(const NoEdge&, std::uint64_t) {
  base::internal_error("the spectrum of no convolution");
}

}  // namespace

Convolved convolved_by(Algorithm algorithm, std::uint64_t points) {
  if (algorithm == Algorithm::rader) return RaderOrder{points};
  if (algorithm == Algorithm::bluestein) return Chirp{points};
  return NoEdge{};
}

bool is_convolution(Algorithm algorithm) { return is_any(convolved_by(algorithm, 0)); }

ConvolvedFacts facts_of(const Convolved& edge) {
  return std::visit([](const auto& held) { return facts_of(held); }, edge);
}

ConvolutionLengths lengths_of(const Convolved& edge) {
  return std::visit([](const auto& held) { return lengths_of(held); }, edge);
}

std::uint64_t count_of(const SpectrumSection& section) { return section.length; }

Entries values_of(const SpectrumSection& section) {
  const auto kernel = std::visit(
      [&](const auto& edge) { return convolution_kernel(edge, section.length); }, section.edge);
  Entries values = base::dft(kernel);
  for (auto& value : values) value /= static_cast<double>(section.length);
  return values;
}

}  // namespace imago::kernel
