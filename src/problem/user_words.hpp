// This file classifies the words of OpenCL C that a user's text may not use or redefine.
#pragma once

#include <string_view>

namespace imago::problem {

/// True for a keyword or type of OpenCL C, including float4 and the like.
bool is_keyword(std::string_view word);

/// True for a word that a function of one point does not need: barriers, ids, local memory,
/// atomics, group functions, goto, and compilers' extensions of C.
bool is_for_kernels_only(std::string_view word);

/// True for a function or macro of OpenCL C that imago's part of a kernel may use. No macro may
/// hide it.
bool is_used_by_kernels(std::string_view word);

/// True for a type or macro that imago's part of a kernel defines without the prefix imago_.
bool is_helper_of_kernels(std::string_view word);

/// True for a word that imago reserves for its own part of a kernel.
bool is_kept_by_imago(std::string_view word);

}  // namespace imago::problem
