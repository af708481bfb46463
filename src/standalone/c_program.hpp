// This file writes a program as C that needs no device and no library: its tables as constants, its
// kernels as functions, and a function that runs its launches. The text begins with
// c_definitions().
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/program.hpp"

namespace imago::standalone {

/// A table or a kernel. Programs in one file share those with the same name.
struct Definition {
  std::string name, text;
};

/// An argument of a hook: a pointer to constant numbers of the precision, or a number.
struct CArgument {
  bool is_buffer = false, is_integer = false;
};

/// A program as C. `function` defines
///
///     static void NAME(const void* in, const void* in_im, void* out, void* out_im, void* scratch,
///                      int32_t batch, int64_t in_distance, int64_t out_distance, T scale,
///                      arguments..)
///
/// where T is float or double. The memory of in and out has the layout of the planned problem;
/// in_im and out_im are for planar sides. Scratch has `scratch_bytes` bytes, aligned to 64.
struct CProgram {
  std::string name;
  std::vector<Definition> definitions;  ///< in their order in the text
  std::string function;
  std::size_t scratch_bytes = 0;
  /// True if `batch` and `scale` have an effect: a call may have any batch up to 2^30. Else they
  /// are those of the plan.
  bool any_batch = false;
  /// True if the distances, which count elements, have an effect.
  bool any_distance = false;
  bool scaled = false;  ///< true if results are multiplied by `scale`
  std::vector<CArgument> arguments = {};
};

/// Returns the definitions of kernels/vectors.h, which each file needs once.
std::string_view c_definitions();

/// Returns the program of a plan for `batch` arrays as C. `arguments` are those of its hooks.
/// Throws Unsupported if a kernel is not of the vector mapping or has no spelling in C
/// (ir::vector_c).
CProgram c_program(const kernel::Program& program, std::uint64_t batch, const std::string& name,
                   const std::vector<CArgument>& arguments = {});

/// Returns the text of programs as one file, without c_definitions(): each definition once.
std::string c_text(const std::vector<CProgram>& programs);

}  // namespace imago::standalone
