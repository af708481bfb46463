// This file checks what a call brings along.
#include "api/arguments.hpp"

#include <cstdint>

#include "base/errors.hpp"
#include "base/integers.hpp"

namespace imago::api {
namespace {

template <class T>
T memory_info(cl_mem memory, cl_uint name) {
  return runtime::info<T>(clGetMemObjectInfo, "clGetMemObjectInfo", memory, name);
}

/// Elements before the first one of a side, or nothing where that overflows.
std::optional<std::uint64_t> end_bytes(const Side& side) {
  const auto end = base::checked_add(side.layout.end, side.offset);
  return end ? base::checked_multiply(*end, side.layout.element_bytes) : std::nullopt;
}

void check_access(const Side& side, cl_mem memory) {
  const auto flags = memory_info<cl_mem_flags>(memory, CL_MEM_FLAGS);
  if (side.read && (flags & CL_MEM_WRITE_ONLY)) {
    base::invalid(side.name, "a CL_MEM_WRITE_ONLY buffer", "kernels read it");
  }
  if (side.written && (flags & CL_MEM_READ_ONLY)) {
    base::invalid(side.name, "a CL_MEM_READ_ONLY buffer", "kernels write it");
  }
}

/// Bytes of the buffer that a side lies in, counted from the start of the parent of a sub-buffer.
struct Range {
  cl_mem parent = nullptr;
  std::uint64_t begin = 0, end = 0;
};

Range range_of(const Side& side, cl_mem memory) {
  const cl_mem parent = memory_info<cl_mem>(memory, CL_MEM_ASSOCIATED_MEMOBJECT);
  const std::uint64_t origin = parent ? memory_info<std::size_t>(memory, CL_MEM_OFFSET) : 0;
  const std::uint64_t first = (side.layout.offset + side.offset) * side.layout.element_bytes;
  return {parent ? parent : memory, origin + first, origin + *end_bytes(side)};
}

void check_memory(const Home& home, const Side& side, cl_mem memory) {
  if (!memory) base::invalid(side.name, "null", "give a buffer");
  if (memory_info<cl_mem_object_type>(memory, CL_MEM_TYPE) != CL_MEM_OBJECT_BUFFER) {
    base::invalid(side.name, "not a buffer", "images and pipes cannot be transformed");
  }
  if (memory_info<cl_context>(memory, CL_MEM_CONTEXT) != home.context) {
    base::invalid(side.name, "of another context", "give a buffer of the plan's context");
  }
  const auto size = memory_info<std::size_t>(memory, CL_MEM_SIZE);
  const auto end = end_bytes(side);
  if (!end || *end > size) {
    base::invalid(side.name, std::to_string(size) + " bytes",
                  "with an offset of " + std::to_string(side.offset) + " elements at least " +
                      (end ? std::to_string(*end) : "2^64") + " are needed");
  }
  check_access(side, memory);
}

std::vector<cl_mem> memories_of(const Side& side) {
  if (side.layout.storage == Storage::planar) return {side.array.re(), side.array.im()};
  return {side.array.re()};
}

void check_memories_apart(const Side& a, cl_mem of_a, const Side& b, cl_mem of_b) {
  const Range x = range_of(a, of_a), y = range_of(b, of_b);
  if (x.parent != y.parent || x.end <= y.begin || y.end <= x.begin) return;
  base::invalid(b.name, "bytes " + std::to_string(y.begin) + " to " + std::to_string(y.end),
                std::string("it must not overlap the ") + a.name + ", bytes " +
                    std::to_string(x.begin) + " to " + std::to_string(x.end) +
                    " of the same buffer");
}

}  // namespace

std::vector<cl_event> check_waits(const Home& home, const std::vector<cl::Event>& waits) {
  std::vector<cl_event> events;
  events.reserve(waits.size());
  for (const auto& wait : waits) {
    const std::string field = "waits[" + std::to_string(events.size()) + "]";
    if (!wait()) base::invalid(field, "null", "give events that commands returned");
    const auto context =
        runtime::info<cl_context>(clGetEventInfo, "clGetEventInfo", wait(), CL_EVENT_CONTEXT);
    if (context != home.context) {
      base::invalid(field, "of another context", "give events of the plan's context");
    }
    events.push_back(wait());
  }
  return events;
}

bool check_queue(const Home& home, cl_command_queue queue) {
  constexpr auto* kCall = "clGetCommandQueueInfo";
  if (!queue)
    base::invalid("queue", "null", "give a command queue of the plan's context and device");
  if (runtime::info<cl_context>(clGetCommandQueueInfo, kCall, queue, CL_QUEUE_CONTEXT) !=
      home.context) {
    base::invalid("queue", "of another context", "give a queue of the plan's context");
  }
  if (runtime::info<cl_device_id>(clGetCommandQueueInfo, kCall, queue, CL_QUEUE_DEVICE) !=
      home.device) {
    base::invalid("queue", "of another device", "give a queue of the plan's device");
  }
  const auto properties = runtime::info<cl_command_queue_properties>(clGetCommandQueueInfo, kCall,
                                                                     queue, CL_QUEUE_PROPERTIES);
  return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

void check_side(const Home& home, const Side& side) {
  const bool planar = side.layout.storage == Storage::planar;
  if (side.array.im() && !planar)
    base::invalid(side.name, "planar", "the transform's layout of it is interleaved");
  for (const cl_mem memory : memories_of(side)) check_memory(home, side, memory);
  if (planar && side.written) check_memories_apart(side, side.array.re(), side, side.array.im());
}

void check_apart(const Side& a, const Side& b) {
  for (const cl_mem of_a : memories_of(a)) {
    for (const cl_mem of_b : memories_of(b)) check_memories_apart(a, of_a, b, of_b);
  }
}

}  // namespace imago::api
