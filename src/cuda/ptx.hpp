// This file reads the text that NVIDIA's OpenCL compiler returns as a program's binary, PTX, and
// adapts it to CUDA's driver. Source: NVIDIA, Parallel Thread Execution ISA 9.0, sections 5.1.6 and
// 10.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace imago::cuda {

/// A parameter of a kernel.
struct PtxParameter {
  enum class Kind { value, memory, local };
  Kind kind = Kind::value;
  std::size_t bytes = 0;
  std::size_t alignment = 1;  ///< alignment of a value; for memory, that of its elements
};

struct PtxKernel {
  std::string name;
  std::vector<PtxParameter> parameters;
};

struct Ptx {
  std::string text;  ///< for cuModuleLoadDataEx
  std::vector<PtxKernel> kernels;
};

/// Returns true if a program's binary is PTX.
bool is_ptx(std::string_view binary);

/// Adapts the text of an OpenCL program to a launch by CUDA: the texture mode of OpenCL is left
/// out; registers of the environment, which OpenCL's driver sets (%envreg), become constants or
/// CUDA's own registers; pointers to local memory become offsets into the launch's dynamic shared
/// memory. The launch must have one dimension and no global offset. Throws Unsupported for
/// anything else that CUDA's driver does not know.
Ptx adapt_ptx(std::string_view binary);

}  // namespace imago::cuda
