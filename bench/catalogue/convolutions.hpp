// This file holds convolutions of batches, which are checked against sums in long double.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include <imago/convolution.hpp>

#include "catalogue/catalogue.hpp"

namespace imago::catalogue {

/// A convolution with the parameters of its computation.
struct ConvolutionCase {
  ConvolutionShape shape;
  Mapping mapping = Mapping::automatic;

  /// Returns a unique name, one word: "convolution-40x8~9x1*3-f32-full-correlate-all4-vector".
  std::string name() const;
};

/// Returns the convolutions of a tier: real ones in one dimension and others, in every extent, each
/// batch and mapping. f64 only if the device has it.
std::vector<ConvolutionCase> convolutions(Tier tier);

/// The elements of one signal.
using Numbers = std::vector<std::complex<long double>>;
/// Computes the convolution of one signal with one kernel, sum by sum.
Numbers convolved(const ConvolutionShape& shape, const Numbers& signal, const Numbers& kernel);

/// Checks a convolution on a device as Verifier checks a transform: the error over all results and
/// of the worst result, each of which belongs to one signal and one kernel. Signals differ in size,
/// and in a second call some hold NaN or infinity. The bound is three times that of a transform of
/// the padded length, for forward, product and inverse.
Outcome verify(const ConvolutionCase& problem, const cl::Context& context, const cl::Device& device,
               const Options& options = {});

}  // namespace imago::catalogue
