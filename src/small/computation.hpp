// This file computes small transforms of arrays in host memory: several axes, batches and layouts.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <imago/transform.hpp>

namespace imago::small {

/// One dimension of the arrays. Strides count elements of each array's own type.
struct SmallExtent {
  Kind kind = Kind::identity;  ///< kind in the forward direction; identity: none
  std::size_t length = 1;      ///< n of the signal
  std::size_t from_stride = 1, to_stride = 1;
};

struct SmallRequest {
  Precision precision = Precision::f32;  ///< not f16
  std::vector<SmallExtent> dimensions;   ///< slowest first, with the batch
  bool inverse = false;
  double scale = 1;
  bool orthogonal = false;  ///< cosine and sine transforms rescale end points
  bool conjugate = false;   ///< conjugates the half spectrum of a real axis
  /// Arrays of real numbers in place of complex ones: imaginary parts are zero, or not written.
  bool from_real = false, to_real = false;
};

/// A transform in one direction. Calls are thread-safe, and read and write nothing but the arrays.
class SmallComputation {
 public:
  /// Returns nothing if the library has no functions for it.
  static std::unique_ptr<const SmallComputation> make(const SmallRequest& request);
  virtual ~SmallComputation() = default;

  /// Computes. The arrays may be the same memory. Throws bad_alloc.
  void run(const void* from, void* to) const { run_(*this, from, to); }
  /// Returns the predicted seconds of one call by one thread.
  virtual double seconds() const = 0;
  /// Returns the number of threads that are worth it; 1: calls use the calling thread.
  virtual std::size_t threads() const = 0;
  /// Returns about how much memory the tables have.
  virtual std::size_t bytes() const = 0;

 protected:
  using Run = void (*)(const SmallComputation& computation, const void* from, void* to);
  Run run_ = nullptr;
};

}  // namespace imago::small
