// This file allocates workspace.
#include "scratch.hpp"

#include "status.hpp"

namespace imago::clfft {

cl::Buffer allocate(const cl::Context& context, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  const cl_mem made = clCreateBuffer(context(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
  require_success(code, "clCreateBuffer");
  return cl::Buffer(made);
}

Copies::Copies(const cl::Context& context, std::size_t count, std::size_t size) : bytes(size) {
  for (std::size_t i = 0; i < count; ++i) buffers.push_back(allocate(context, bytes));
}

}  // namespace imago::clfft
