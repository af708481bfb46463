// This file defines what `imago export` writes for: a language, and limits of the device.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device/facts.hpp"
#include "standalone/exported.hpp"

namespace imago::command {

enum class Language { c, opencl, spirv };

struct ExportTarget {
  Language language = Language::c;
  unsigned vector_bits = 256;    ///< C
  std::string device_file = {};  ///< OpenCL and SPIR-V; empty: the limits below
  std::size_t local_bytes = std::size_t{32} << 10;
  unsigned group_size = 256;
};

/// Returns a GPU with the limits of a target.
device::Facts plain_gpu(const ExportTarget& target);

/// Compiles the kernels of a folder to SPIR-V. Throws Failure if clspv is missing or refuses one.
void compile_spirv(const std::string& folder);

/// Returns the files of the folder.
std::vector<standalone::File> export_files(const ExportTarget& target,
                                           const std::vector<standalone::Exported>& all);

}  // namespace imago::command
