// This file describes what to compute: a Transform is a plain value that names an orthogonal
// transform, its shape and where its data lies. It knows no device and no OpenCL.
#pragma once

#include <cstddef>
#include <vector>

namespace imago {

/// What is done along an axis. Forward complex is X[k] = sum_j x[j] exp(-2 pi i j k / n).
enum class Kind {
  complex,  ///< complex DFT
  real,     ///< real DFT; the spectrum has n/2+1 entries. At most one axis is real
  dct1,
  dct2,
  dct3,
  dct4,  ///< as FFTW's REDFT00, REDFT10, REDFT01, REDFT11 (not implemented yet)
  dst1,
  dst2,
  dst3,
  dst4,     ///< as FFTW's RODFT00, RODFT10, RODFT01, RODFT11 (not implemented yet)
  identity  ///< this axis is only batch
};
enum class Precision {
  f16,  ///< storage in half precision, arithmetic in f32 (not implemented yet)
  f32,
  f64
};
/// How complex data is stored: as pairs, or its real and imaginary parts in two buffers.
enum class Storage { interleaved, planar };
enum class Placement { out_of_place, in_place };
/// Which directions are compiled.
enum class Directions { both, forward, inverse };
/// NumPy's words. none: no factor at all; backward: inverse divides by n; ortho: both divide by
/// sqrt(n); forward: forward divides by n. n is the product over the transformed axes.
enum class Norm { none, backward, ortho, forward };

/// Where the elements of one side lie, in elements of the array's own type. Default: packed,
/// row-major.
struct Layout {
  std::vector<std::size_t> strides = {};  ///< one per dimension; empty: packed
  std::size_t distance =
      0;                   ///< between batch members; 0 (packed) only with empty strides or batch 1
  std::size_t offset = 0;  ///< first element in the buffer
  Storage storage = Storage::interleaved;
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// What to compute.
struct Transform {
  Kind kind = Kind::complex;    ///< of every axis; real: the last axis real, the others complex
  std::vector<Kind> axes = {};  ///< one per dimension where they differ; empty: kind everywhere
  Precision precision = Precision::f32;
  std::vector<std::size_t> lengths = {};  ///< slowest-varying first, as NumPy and FFTW
  std::size_t batch = 1;
  Placement placement = Placement::out_of_place;
  Directions directions = Directions::both;
  Norm norm = Norm::backward;
  Layout signal = {};    ///< what forward() reads and inverse() writes
  Layout spectrum = {};  ///< what forward() writes and inverse() reads
  friend bool operator==(const Transform&, const Transform&) = default;
};

}  // namespace imago
