// This file knows the words of OpenCL C that a user's text may not use, or not give a new meaning.
#pragma once

#include <string_view>

namespace imago::problem {

/// A keyword or type of OpenCL C, also float4 and the like.
bool is_keyword(std::string_view word);

/// A word of kernels that a function of one point does without: barriers, ids, local memory,
/// atomics, whole groups, goto, and what compilers add to C.
bool is_for_kernels_only(std::string_view word);

/// A function or macro of OpenCL C that imago's part of a kernel may use: no macro hides it.
bool is_used_by_kernels(std::string_view word);

/// A type or macro that imago's part of a kernel defines under another name than imago_.
bool is_helper_of_kernels(std::string_view word);

/// A word that imago keeps for its own part of a kernel.
bool is_kept_by_imago(std::string_view word);

}  // namespace imago::problem
