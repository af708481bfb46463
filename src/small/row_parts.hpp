// This file has what the implementations of rows share.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/roots.hpp"
#include "small/row.hpp"

namespace imago::small {

template <class Real>
using RowPtr = std::unique_ptr<const Row<Real>>;

/// Returns the numbers, so that the memory after them is aligned.
inline std::size_t rounded(std::size_t numbers) { return (numbers + 15) / 16 * 16; }

/// Predicted nanoseconds of each number of a loop that the compiler did not vectorise.
inline constexpr double kScalar = 0.6;

/// Returns exp(-2 pi i phase / order).
inline std::complex<double> root(std::uint64_t phase, std::uint64_t order) {
  return base::root_of_unity(phase, order);
}

/// Returns a row that consists of rows of other kinds: DCT-I and IV, and all DSTs.
template <class Real>
RowPtr<Real> row_by_others(const RowRequest& request);
extern template RowPtr<float> row_by_others(const RowRequest&);
extern template RowPtr<double> row_by_others(const RowRequest&);

}  // namespace imago::small
