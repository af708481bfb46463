// This file says what a convolution makes of the elements where its first kernel loads them and its
// last one stores them: an edge beside that of kernel/edges/edge.hpp, because reals and the points
// of cosine transforms are convolved, too. As there, each is a small struct in a file of its own
// here, with facts_of(), lengths_of(), the section of the table that it looks up, and what it
// convolves with; blocks/edges/convolved.hpp loads and stores by its facts.
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

/// What the edge needs; where there is none, no elements.
ConvolvedFacts facts_of(const Convolved& edge);
/// The lengths of its convolutions; where there is none, none.
ConvolutionLengths lengths_of(const Convolved& edge);

/// Whether there is one.
inline bool is_any(const Convolved& edge) { return !std::holds_alternative<NoEdge>(edge); }

/// The edge of the algorithm's convolution for a DFT of so many points; none of another algorithm.
Convolved convolved_by(Algorithm algorithm, std::uint64_t points);
bool is_convolution(Algorithm algorithm);

/// The DFT of what a convolution of `length` points convolves with, over `length`.
struct SpectrumSection {
  Convolved edge;
  std::uint64_t length = 1;
  friend auto operator<=>(const SpectrumSection&, const SpectrumSection&) = default;
};
std::uint64_t count_of(const SpectrumSection& section);
/// Its entries, by a DFT in double precision.
std::vector<std::complex<double>> values_of(const SpectrumSection& section);

}  // namespace imago::kernel
