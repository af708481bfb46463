// This file describes the cosine and sine transforms among the kinds: their inverses, and the
// discrete Fourier transforms that they correspond to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <imago/transform.hpp>

namespace imago::problem {

/// True for the eight cosine and sine transforms.
bool is_trigonometric(Kind kind);

/// Returns the kind that computes the signal again, except for a factor: III for II, II for III,
/// otherwise the same kind.
Kind inverse_of(Kind kind);

/// Returns the length of the DFT that corresponds to an axis of `length` points. It is also the
/// divisor of the inverse: n, 2n (II, III, IV), 2(n-1) (DCT-I), 2(n+1) (DST-I), 1 (identity).
std::uint64_t logical_length(Kind kind, std::uint64_t length);

/// Returns the name of the kinds: a value of Transform::kind if one is enough ("complex", "real",
/// "dct2"), otherwise a code for each axis ("axes_ciC2S1r").
std::string word_of(const std::vector<Kind>& kinds);

}  // namespace imago::problem
