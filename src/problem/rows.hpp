// This file defines RowBatch: a caller's RaggedTransform, checked and with every default filled in.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <imago/ragged_transform.hpp>

#include "problem/problem.hpp"

namespace imago::problem {

/// The rows of one side. Element j of row r of field f is at offsets[r] + j * stride + f *
/// distance.
struct RowSide {
  std::vector<std::uint64_t> counts;   ///< elements of each row in memory
  std::vector<std::uint64_t> offsets;  ///< first element of each row
  std::uint64_t stride = 1, distance = 0;
  std::uint64_t end = 0;  ///< one past the last element
  bool real = false;

  std::uint64_t elements() const;  ///< elements of all rows of one field
};

struct RowBatch {
  RaggedTransform transform;
  RowSide signal, spectrum;
  const RowSide& side(bool inverse, bool store) const {
    return inverse == store ? signal : spectrum;
  }
  /// Returns the factors of a row at one end of a direction; empty: 1.
  std::vector<std::complex<double>> factors(bool inverse, bool store, std::size_t row) const;
  /// Returns the factor of a row's results, from the norm.
  double scale(bool inverse, std::size_t row) const;
  /// Returns the sides as those of one long array, for the checks of calls.
  Problem as_problem() const;
  /// Returns a description: "640 rows of 20 to 1296 numbers, real, f32, batch 32".
  std::string name() const;
};

/// Throws InvalidArgument for rows that are not allowed, naming the field.
RowBatch make_rows(RaggedTransform transform);

}  // namespace imago::problem
