// This file defines the edges of convolutions: how the first kernel of a convolution changes the
// elements that it loads, and the last one those that it stores. They come in addition to the edges
// of kernel/edges/edge.hpp, because real data and cosine transforms use convolutions, too. Each
// edge is a small struct in a file of this folder, with facts_of(), lengths_of(), its table section
// and the sequence to convolve with. blocks/edges/convolved.hpp loads and stores by these facts.
#pragma once

#include <complex>
#include <cstdint>
#include <variant>
#include <vector>

#include <imago/parameters.hpp>

#include "kernel/edges/chirp.hpp"
#include "kernel/edges/facts.hpp"
#include "kernel/edges/rader.hpp"

namespace imago::kernel {

using Convolved = std::variant<NoEdge, Chirp, RaderOrder>;

/// Returns the facts of the edge; without an edge, 0 elements.
ConvolvedFacts facts_of(const Convolved& edge);
/// Returns the lengths that its convolutions can have; without an edge, none is possible.
ConvolutionLengths lengths_of(const Convolved& edge);

/// Returns true if there is an edge.
inline bool is_any(const Convolved& edge) { return !std::holds_alternative<NoEdge>(edge); }

/// Returns the edge of the algorithm's convolution for a DFT of `points` points; NoEdge for
/// algorithms without a convolution.
Convolved convolved_by(Algorithm algorithm, std::uint64_t points);
bool is_convolution(Algorithm algorithm);

/// A table section with the DFT, over `length` points, of the edge's convolution_kernel().
struct SpectrumSection {
  Convolved edge;
  std::uint64_t length = 1;
  friend auto operator<=>(const SpectrumSection&, const SpectrumSection&) = default;
};
std::uint64_t count_of(const SpectrumSection& section);
/// Returns its entries, by a DFT in double precision.
std::vector<std::complex<double>> values_of(const SpectrumSection& section);

}  // namespace imago::kernel
