// This file checks fields that several descriptions of signals have. The functions throw
// InvalidArgument with the name of the field.
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include <imago/transform.hpp>

namespace imago::signal {

using Factors = std::vector<std::complex<double>>;

/// The most elements along an axis, and the largest of similar numbers.
inline constexpr std::size_t kMostElements = std::size_t{1} << 40;

/// Checks that a length is from 1 to kMostElements.
void check_length(const std::string& field, std::size_t length);
/// Checks the field "lengths": one length per dimension.
void check_lengths(const std::vector<std::size_t>& lengths);
/// Checks that the kind is complex or real, and the precision f32 or f64.
void check_arithmetic(Kind kind, Precision precision);
/// Checks that factors are finite, and real for Kind::real.
void check_factors(const char* field, const Factors& factors, Kind kind);

/// True if a number has an imaginary part.
bool has_imaginary_parts(const Factors& factors);

}  // namespace imago::signal
