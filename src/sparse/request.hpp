// This file checks the caller's SparseTransform, and fills in its defaults.
#pragma once

#include <cstdint>

#include <imago/sparse_transform.hpp>

#include "base/precision.hpp"

namespace imago::sparse {

/// A checked SparseTransform.
struct Request {
  std::uint64_t length = 1;
  std::uint64_t tones = 0;  ///< expected number among all n frequencies (a real signal has pairs);
                            ///< 0: unknown
  bool real = false;
  Precision precision = Precision::f32;
  SparseMethod method = SparseMethod::automatic;
  bool allow_dense = true;
  double tolerance = 1e-4;
  double noise = 0;
  Assurance assurance = Assurance::consistent;

  /// Returns the number of possible indices.
  std::uint64_t listed() const { return real ? length / 2 + 1 : length; }
  std::size_t real_bytes() const { return base::bytes_of(precision); }
  std::size_t signal_bytes() const { return length * real_bytes() * (real ? 1 : 2); }
};

/// Throws InvalidArgument with the field, its value and the allowed values; throws Unsupported for
/// float16.
Request make_request(const SparseTransform& transform);

}  // namespace imago::sparse
