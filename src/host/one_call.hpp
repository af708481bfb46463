// This file holds the common part of the functions of fft.hpp and dct.hpp: it makes a Transform
// from a call, and computes it by a cached plan.
#pragma once

#include <cstddef>
#include <optional>

#include <imago/dct.hpp>
#include <imago/transform.hpp>

namespace imago::host {

enum class Family { complex, real, cosine, sine };

/// Describes one of the functions.
struct Function {
  Family family = Family::complex;
  bool inverse = false;
  bool several_axes = false;
};

/// Elements of the input array, and of the output array if the caller has one.
struct Sizes {
  std::size_t read = 0;
  std::optional<std::size_t> written = {};
};

struct OneCall {
  Transform transform;
  std::size_t written = 0;  ///< elements
};

/// Makes an out-of-place transform. Throws InvalidArgument if options and sizes do not match.
/// `options.type` is for cosine and sine transforms.
OneCall one_call(const Function& function, const DctOptions& options, Precision precision,
                 const Sizes& sizes);

/// Computes by a cached plan. Works in place if both arrays are the same memory with the same
/// element type.
void run(const Function& function, Transform transform, const void* from, void* to);

}  // namespace imago::host
