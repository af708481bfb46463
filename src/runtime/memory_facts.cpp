// This file asks the driver about memory objects.
#include "runtime/memory_facts.hpp"

namespace imago::runtime {
namespace {

template <class T>
T ask(cl_mem memory, cl_mem_info name) {
  return info<T>(clGetMemObjectInfo, "clGetMemObjectInfo", memory, name);
}

}  // namespace

MemoryFacts facts_of(cl_mem memory) {
  return {.context = ask<cl_context>(memory, CL_MEM_CONTEXT),
          .is_buffer = ask<cl_mem_object_type>(memory, CL_MEM_TYPE) == CL_MEM_OBJECT_BUFFER,
          .bytes = ask<std::size_t>(memory, CL_MEM_SIZE),
          .flags = ask<cl_mem_flags>(memory, CL_MEM_FLAGS)};
}

std::pair<cl_mem, std::uint64_t> parent_of(cl_mem buffer) {
  const auto parent = ask<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT);
  if (!parent) return {buffer, 0};
  return {parent, ask<std::size_t>(buffer, CL_MEM_OFFSET)};
}

}  // namespace imago::runtime
