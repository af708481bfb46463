// This file is what the functions of fft.hpp and dct.hpp have in common: from a call to a
// Transform, and to a plan that is kept.
#pragma once

#include <cstddef>
#include <optional>

#include <imago/dct.hpp>
#include <imago/transform.hpp>

namespace imago::host {

enum class Family { complex, real, cosine, sine };

/// One of the functions.
struct Function {
  Family family = Family::complex;
  bool inverse = false;
  bool several_axes = false;
};

/// Elements of the array that is read, and of the one that is written where the caller has one.
struct Sizes {
  std::size_t read = 0;
  std::optional<std::size_t> written = {};
};

struct OneCall {
  Transform transform;
  std::size_t written = 0;  ///< elements
};

/// Throws InvalidArgument where options and sizes do not fit. Out of place; `options.type` is for
/// cosines and sines.
OneCall one_call(const Function& function, const DctOptions& options, Precision precision,
                 const Sizes& sizes);

/// Computes, by a plan that is kept; in place where both arrays are the same memory and hold the
/// same numbers.
void run(const Function& function, Transform transform, const void* from, void* to);

}  // namespace imago::host
