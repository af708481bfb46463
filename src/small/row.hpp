// This file computes the transform of one row of adjacent elements.
#pragma once

#include <cstddef>
#include <memory>

#include <imago/transform.hpp>

#include "small/line.hpp"

namespace imago::small {

struct RowRequest {
  Kind kind = Kind::complex;  ///< kind in the forward direction; not identity
  std::size_t length = 1;     ///< n of the signal
  bool inverse = false;       ///< complex and real: the other direction
  double scale = 1;
  bool orthogonal = false;  ///< cosine and sine transforms rescale end points
  bool conjugate = false;   ///< real: conjugates the half spectrum
};

/// One-dimensional transforms. Calls are thread-safe.
template <class Real>
class Row {
 public:
  /// Returns nothing if the library has no functions for it.
  static std::unique_ptr<const Row> make(const RowRequest& request);
  virtual ~Row() = default;

  /// Computes. `between` has between_numbers() numbers. `from` and `to` may be the same memory.
  virtual void run(const Real* from, Real* to, Real* between) const = 0;
  virtual std::size_t between_numbers() const = 0;
  /// Returns the predicted nanoseconds.
  virtual double cost() const = 0;
  /// Returns the line that is all of the row; null if there is more.
  virtual const SmallLine<Real>* line() const { return nullptr; }
};

extern template class Row<float>;
extern template class Row<double>;

}  // namespace imago::small
