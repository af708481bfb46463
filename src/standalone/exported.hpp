// This file writes planned problems as folders of sources that need no imago: with a header, a
// CMakeLists.txt, and a program that checks the results.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/facts.hpp"
#include "kernel/program.hpp"
#include "problem/problem.hpp"

namespace imago::standalone {

/// A kernel in OpenCL C.
struct KernelText {
  std::string name, options, text;
  std::size_t group_size = 1, local_bytes = 0;
};

/// A planned problem.
struct Exported {
  std::string name;   ///< a name of C
  std::string about;  ///< one line
  problem::Problem problem;
  std::optional<kernel::Program> programs[2];  ///< indexed by [inverse]
  std::vector<KernelText> kernels = {};        ///< not needed for C
  std::vector<std::size_t> kernels_of[2] =
      {};  ///< kernels of a program's commands, as indices in `kernels`
};

struct File {
  std::string name, text;
};

/// Returns a CPU with vectors of so many bits, of which nothing else is known.
device::Facts plain_cpu(unsigned vector_bits);

/// Returns a file of src/standalone/files.
std::string_view file_text(std::string_view name);
/// Returns a comment with the licence of exported files, for the beginning of each.
std::string licence();
/// Returns the file licensed to the user.
File licensed(const std::string& name, std::string_view text);

/// Returns what check.c needs: the table of what the transforms compute, without imago_run().
std::string descriptions(const std::vector<Exported>& all);

/// The API that launches kernels.
enum class DeviceHost { opencl, vulkan };
/// Returns the folder with kernels in OpenCL C and a host in C. For Vulkan, the host reads each
/// kernel NAME.cl as NAME.spv, which the folder lacks.
std::vector<File> device_folder(const std::vector<Exported>& all, DeviceHost host);

/// Returns the folder with functions of C.
std::vector<File> c_folder(const std::vector<Exported>& all);

}  // namespace imago::standalone
