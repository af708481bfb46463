// This file knows the cosine and sine transforms among the kinds: their inverses, and the discrete
// Fourier transforms that they are parts of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <imago/transform.hpp>

namespace imago::problem {

/// Whether it is one of the eight cosine and sine transforms.
bool is_trigonometric(Kind kind);

/// The kind that gives the signal back, but for a factor: III of II, II of III, else itself.
Kind inverse_of(Kind kind);

/// Length of the DFT that an axis of `length` points stands for, which is what undoing the
/// transform divides by: n, 2n (II, III, IV), 2(n-1) (DCT-I), 2(n+1) (DST-I), 1 (identity).
std::uint64_t logical_length(Kind kind, std::uint64_t length);

/// "complex", "real", "dct2" where one word of Transform::kind says it, else a letter per axis:
/// "axes_ciC2S1r".
std::string word_of(const std::vector<Kind>& kinds);

}  // namespace imago::problem
