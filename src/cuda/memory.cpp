// This file implements buffers.
#include "cuda/dispatch.hpp"

namespace imago::cuda {
namespace {

/// The parent of all buffers.
BufferObject* address_space() {
  static auto* const all = new BufferObject;
  return all;
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, std::size_t bytes,
                                 void* host, cl_int*) {
  // Host memory is not mapped: nothing in the library needs it for device plans.
  if (bytes == 0 || (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR))) fail(CL_INVALID_VALUE);
  auto* const owner = object_of<ContextObject>(context);
  const Entered entered(*owner);
  auto buffer = std::make_unique<BufferObject>();
  buffer->context = Reference(owner);
  buffer->bytes = bytes;
  buffer->flags = flags == 0 ? CL_MEM_READ_WRITE : flags;
  int made = driver().memory.allocate(&buffer->address, bytes);
  if (made != kSuccess) {
    owner->releases().release(true);
    made = driver().memory.allocate(&buffer->address, bytes);
  }
  require(made);
  buffer->owned = true;
  if (flags & CL_MEM_COPY_HOST_PTR) {
    CUstream_st* const stream = owner->upload_stream();
    require(driver().memory.upload(buffer->address, host, bytes, stream));
    require(driver().stream.synchronize(stream));
  }
  return handle_of<cl_mem>(buffer.release());
}

cl_mem CL_API_CALL create_sub_buffer(cl_mem memory, cl_mem_flags flags, cl_buffer_create_type,
                                     const void* region, cl_int*) {
  auto* const whole = object_of<BufferObject>(memory);
  const auto& part = *static_cast<const cl_buffer_region*>(region);
  if (part.size == 0 || part.origin > whole->bytes || part.size > whole->bytes - part.origin)
    fail(CL_INVALID_VALUE);
  auto* const buffer = new BufferObject;
  buffer->context = Reference(whole->context.get());
  buffer->address = whole->address + part.origin;
  buffer->bytes = part.size;
  buffer->flags = flags == 0 ? whole->flags : flags;
  buffer->whole = Reference(whole);
  return handle_of<cl_mem>(buffer);
}

cl_int CL_API_CALL get_memory_info(cl_mem memory, cl_mem_info name, std::size_t size, void* value,
                                   std::size_t* needed) {
  auto* const buffer = object_of<BufferObject>(memory);
  switch (name) {
    case CL_MEM_TYPE:
      return answer(cl_mem_object_type{CL_MEM_OBJECT_BUFFER}, size, value, needed);
    case CL_MEM_FLAGS:
      return answer(buffer->flags, size, value, needed);
    case CL_MEM_SIZE:
      return answer(buffer->bytes, size, value, needed);
    case CL_MEM_CONTEXT:
      return answer(handle_of<cl_context>(buffer->context.get()), size, value, needed);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
      return answer(handle_of<cl_mem>(address_space()), size, value, needed);
    case CL_MEM_OFFSET:
      return answer(static_cast<std::size_t>(buffer->address), size, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

}  // namespace

BufferObject::~BufferObject() {
  if (owned) context->releases().add({.memory = address, .bytes = bytes});
}

void add_memory_functions(cl_icd_dispatch& table) {
  table.clCreateBuffer = guarded<create_buffer>;
  table.clCreateSubBuffer = guarded<create_sub_buffer>;
  table.clRetainMemObject = retain<BufferObject, cl_mem>;
  table.clReleaseMemObject = release<BufferObject, cl_mem>;
  table.clGetMemObjectInfo = guarded<get_memory_info>;
}

}  // namespace imago::cuda
