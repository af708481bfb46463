// This file describes kernels whose text is made of the files of kernels/, not by the generator.
#pragma once

#include <cstddef>
#include <string>

namespace imago::kernel {

/// A kernel with a text that is ready before it is built. Caches identify it by a digest of name,
/// options and text, so that a binary never outlives its text.
struct Handmade {
  std::string name;
  std::string options;  ///< for clBuildProgram
  std::string text;
  std::size_t items = 1;  ///< work-items of a work-group
  std::size_t block = 1;  ///< points, or other elements, of a work-item
  /// Name of the kernel, if `name` is that of a program with several: each program takes a while.
  std::string entry = {};
  /// True: the program serves many plans, and the first of them waits for it.
  bool is_shared = false;

  const std::string& kernel_name() const { return entry.empty() ? name : entry; }
};

/// Returns " -D<name>=<value>".
template <class T>
std::string defined(const char* name, T value) {
  return std::string(" -D") + name + '=' + std::to_string(value);
}

}  // namespace imago::kernel
