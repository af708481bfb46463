// This file describes a client's plan in clFFT's terms, and converts it to a Transform for each
// direction.
#pragma once

#include <clFFT.h>

#include <cstddef>
#include <imago/transform.hpp>
#include <optional>
#include <vector>

#include "callbacks.hpp"

namespace imago::clfft {

/// The input or output as the client set it; all counts are in elements, fastest dimension first.
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
  /// Sets clFFT's defaults: packed complex numbers, in place. Throws if clFFT rejects the
  /// arguments.
  Description(clfftDim dimension, const std::size_t* of_lengths);

  /// Throws if clFFT rejects the dimension or a length.
  void set_lengths(clfftDim dimension, const std::size_t* of_lengths);
  /// Keeps the existing values; new ones are 0, with which no plan can be baked.
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

/// Returns the number of dimensions of a clfftDim; throws NOTIMPLEMENTED for other values.
std::size_t count_of(clfftDim dimension);
/// True if IMAGO_CLFFT_STRICT=1, which makes imago reject everything that clFFT rejects.
bool is_strict();

/// Returns the transform for a direction. Throws INVALID_PLAN and the other codes of clfftBakePlan.
/// In-place results that are transposed and not packed need other memory than the input, so their
/// transform is out of place.
Transform transform_of(const Description& description, bool inverse);

}  // namespace imago::clfft
