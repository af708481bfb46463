// This file divides a buffer into what a call needs.
#include "scratch.hpp"

#include "status.hpp"

namespace imago::clfft {

std::size_t ScratchShape::begin_of(std::size_t part) const {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < part; ++i)
    begin += (copies[i] + alignment - 1) / alignment * alignment;
  return begin;
}

std::size_t ScratchShape::bytes() const { return begin_of(copies.size()) + workspace; }

Scratch::Scratch(const ScratchShape& shape, const cl::Buffer& memory) : memory_(memory) {
  std::size_t size = 0;
  require_success(clGetMemObjectInfo(memory(), CL_MEM_SIZE, sizeof size, &size, nullptr),
                  "clGetMemObjectInfo");
  require(size >= shape.bytes(), CLFFT_INVALID_BUFFER_SIZE, "the temporary buffer is too small");
  for (std::size_t i = 0; i < shape.copies.size(); ++i)
    copies_.push_back(part(shape, i, shape.copies[i]));
  if (shape.workspace > 0) workspace_.emplace(part(shape, shape.copies.size(), shape.workspace));
}

cl::Buffer Scratch::part(const ScratchShape& shape, std::size_t index, std::size_t bytes) const {
  if (shape.copies.empty()) return memory_;  // the only part: all of it
  const cl_buffer_region region{shape.begin_of(index), bytes};
  cl_int code = CL_SUCCESS;
  const cl_mem made =
      clCreateSubBuffer(memory_(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  require_success(code, "clCreateSubBuffer");
  return cl::Buffer(made);
}

}  // namespace imago::clfft
