// This file is what a client has set of a plan, in clFFT's words, and its translation: to a
// Transform for each direction.
#pragma once

#include <clFFT.h>

#include <cstddef>
#include <imago/transform.hpp>
#include <optional>
#include <vector>

#include "callbacks.hpp"

namespace imago::clfft {

/// One side as the client set it; all counts are of elements, the fastest dimension first.
struct ClientSide {
  clfftLayout layout = CLFFT_COMPLEX_INTERLEAVED;
  std::vector<std::size_t> strides = {};
  std::size_t distance = 0;

  bool is_real() const { return layout == CLFFT_REAL; }
  bool is_planar() const {
    return layout == CLFFT_COMPLEX_PLANAR || layout == CLFFT_HERMITIAN_PLANAR;
  }
};

struct Description {
  /// clFFT's defaults: packed complex numbers, in place. Throws where clFFT refuses.
  Description(clfftDim dimension, const std::size_t* of_lengths);

  /// Throws where the dimension or a length is refused.
  void set_lengths(clfftDim dimension, const std::size_t* of_lengths);
  /// Keeps what fits; what is new is 0, which no plan is baked of.
  void set_dimension(clfftDim dimension);
  void set_layouts(clfftLayout in, clfftLayout out);
  bool is_real() const { return input.is_real() || output.is_real(); }
  bool is_double() const { return precision == CLFFT_DOUBLE; }
  bool in_place() const { return location == CLFFT_INPLACE; }

  clfftDim dim;
  std::vector<std::size_t> lengths = {};
  ClientSide input, output;
  std::size_t batch = 1;
  clfftPrecision precision = CLFFT_SINGLE;
  clfftResultLocation location = CLFFT_INPLACE;
  clfftResultTransposed transposed = CLFFT_NOTRANSPOSE;
  double forward_scale = 1, backward_scale = 1;
  std::optional<Callback> before = {}, after = {};
};

/// Dimensions of a clfftDim; throws NOTIMPLEMENTED for what is none.
std::size_t count_of(clfftDim dimension);
/// IMAGO_CLFFT_STRICT=1: refuse what clFFT refuses.
bool is_strict();

/// What is computed for a direction. Throws INVALID_PLAN and what else clFFT says at bake. Results
/// that are transposed in place and not packed take more or less than what is there: their
/// transform is out of place.
Transform transform_of(const Description& description, bool inverse);

}  // namespace imago::clfft
