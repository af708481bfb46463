// This file implements queues, commands and events.
#include <algorithm>

#include "cuda/dispatch.hpp"

namespace imago::cuda {
namespace {

constexpr std::size_t kSharedAlignment = 16;

bool is_captured(const QueueObject& queue) {
  int status = 0;
  return driver().stream.is_capturing(queue.stream, &status) == kSuccess && status != 0;
}

/// One command: waits for events, then calls `work`, then makes its event.
template <class Work>
cl_int command(cl_command_queue handle, cl_uint count, const cl_event* waits, cl_event* event,
               Work work) {
  auto& queue = *object_of<QueueObject>(handle);
  ContextObject& context = *queue.context.get();
  const MadeCurrent current(context);
  if (!current.ok()) return CL_INVALID_CONTEXT;
  const bool captured = is_captured(queue);
  if (!captured) context.releases().note(queue);
  // A graph cannot wait for events outside of it: its launch comes later.
  for (cl_uint i = 0; i < count && !captured; ++i) {
    CUevent_st* const end = object_of<EventObject>(waits[i])->end;
    if (!end) continue;
    require(driver().stream.wait_for(queue.stream, end, 0), CL_INVALID_EVENT_WAIT_LIST);
  }
  std::unique_ptr<EventObject> made;
  if (event) {
    made = std::make_unique<EventObject>();
    made->context = Reference(&context);
    if (!captured) made->end = context.take_event();
    if (!captured && !made->end) return CL_OUT_OF_RESOURCES;
  }
  require(work(queue, captured));
  if (!event) return CL_SUCCESS;
  if (made->end) require(driver().event.record(made->end, queue.stream));
  *event = handle_of<cl_event>(made.release());
  return CL_SUCCESS;
}

cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id,
                                          cl_command_queue_properties properties, cl_int*) {
  // A stream runs in order, which a queue out of order may, too. No stream takes times.
  if (properties & ~cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE})
    fail(CL_INVALID_QUEUE_PROPERTIES);
  constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
  auto* const owner = object_of<ContextObject>(context);
  const Entered entered(*owner);
  auto queue = std::make_unique<QueueObject>();
  queue->context = Reference(owner);
  queue->properties = properties;
  require(driver().stream.make(&queue->stream, kNonBlocking));
  queue->owned = true;
  return handle_of<cl_command_queue>(queue.release());
}

cl_command_queue CL_API_CALL create_queue_with(cl_context context, cl_device_id device,
                                               const cl_queue_properties* list, cl_int* code) {
  cl_command_queue_properties properties = 0;
  for (; list && list[0] != 0; list += 2) {
    if (list[0] == CL_QUEUE_PROPERTIES) properties = list[1];
  }
  return create_queue(context, device, properties, code);
}

cl_int CL_API_CALL get_queue_info(cl_command_queue queue, cl_command_queue_info name,
                                  std::size_t size, void* value, std::size_t* needed) {
  auto& object = *object_of<QueueObject>(queue);
  switch (name) {
    case CL_QUEUE_CONTEXT:
      return answer(handle_of<cl_context>(object.context.get()), size, value, needed);
    case CL_QUEUE_DEVICE:
      return answer(handle_of<cl_device_id>(object.context->device), size, value, needed);
    case CL_QUEUE_PROPERTIES:
      return answer(object.properties, size, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL flush(cl_command_queue) { return CL_SUCCESS; }

cl_int CL_API_CALL finish(cl_command_queue queue) {
  const auto& object = *object_of<QueueObject>(queue);
  const Entered entered(*object.context.get());
  require(driver().stream.synchronize(object.stream));
  return CL_SUCCESS;
}

/// Gives a kernel's local memory its offsets. Returns its size.
std::size_t place_local(KernelObject& kernel) {
  if (!kernel.has_local) return 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < kernel.local_bytes.size(); ++i) {
    if (kernel.code->parameters[i].kind != PtxParameter::Kind::local) continue;
    *static_cast<std::uint64_t*>(kernel.pointers[i]) = bytes;
    bytes += (kernel.local_bytes[i] + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
  }
  return bytes;
}

/// Returns what a launch of the kernel needs.
std::shared_ptr<void> parts_of(const KernelObject& kernel) {
  auto parts =
      std::make_shared<std::pair<Reference<ProgramObject>, std::vector<Reference<BufferObject>>>>();
  parts->first = Reference(kernel.program.get());
  for (BufferObject* const buffer : kernel.buffers)
    if (buffer) parts->second.emplace_back(buffer);
  return parts;
}

cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                          const std::size_t* offset, const std::size_t* items,
                          const std::size_t* group, cl_uint count, const cl_event* waits,
                          cl_event* event) {
  if (dimensions != 1 || offset || !group) return CL_INVALID_WORK_DIMENSION;
  if (group[0] == 0 || items[0] % group[0] != 0) return CL_INVALID_WORK_GROUP_SIZE;
  auto& object = *object_of<KernelObject>(kernel);
  const std::size_t groups = items[0] / group[0], shared = place_local(object);
  if (groups == 0 || groups > 0x7fffffffu) return CL_INVALID_GLOBAL_WORK_SIZE;
  return command(queue, count, waits, event, [&](QueueObject& of, bool captured) {
    const DriverFunctions& functions = driver();
    if (captured)
      if (const int failed = keep_in_graph(of.stream, parts_of(object)); failed != kSuccess)
        return failed;
    const auto x = static_cast<unsigned>(groups), size = static_cast<unsigned>(group[0]);
    const auto bytes = static_cast<unsigned>(shared);
    return functions.stream.launch(object.function, x, 1, 1, size, 1, 1, bytes, of.stream,
                                   object.pointers.data(), nullptr);
  });
}

cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocks,
                               std::size_t offset, std::size_t bytes, void* to, cl_uint count,
                               const cl_event* waits, cl_event* event) {
  const Address from = object_of<BufferObject>(memory)->address + offset;
  const cl_int code = command(queue, count, waits, event, [&](QueueObject& of, bool) {
    return driver().memory.download(to, from, bytes, of.stream);
  });
  return code == CL_SUCCESS && blocks ? finish(queue) : code;
}

cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocks,
                                std::size_t offset, std::size_t bytes, const void* from,
                                cl_uint count, const cl_event* waits, cl_event* event) {
  const Address to = object_of<BufferObject>(memory)->address + offset;
  const cl_int code = command(queue, count, waits, event, [&](QueueObject& of, bool) {
    return driver().memory.upload(to, from, bytes, of.stream);
  });
  return code == CL_SUCCESS && blocks ? finish(queue) : code;
}

cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to,
                               std::size_t from_offset, std::size_t to_offset, std::size_t bytes,
                               cl_uint count, const cl_event* waits, cl_event* event) {
  const Address source = object_of<BufferObject>(from)->address + from_offset;
  const Address target = object_of<BufferObject>(to)->address + to_offset;
  return command(queue, count, waits, event, [&](QueueObject& of, bool) {
    return driver().memory.copy(target, source, bytes, of.stream);
  });
}

/// Fills with a pattern of equal bytes; the library clears memory.
cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem memory, const void* pattern,
                               std::size_t pattern_bytes, std::size_t offset, std::size_t bytes,
                               cl_uint count, const cl_event* waits, cl_event* event) {
  const auto* const first = static_cast<const unsigned char*>(pattern);
  if (!std::all_of(first, first + pattern_bytes,
                   [&](unsigned char byte) { return byte == first[0]; }))
    return CL_INVALID_VALUE;
  const Address to = object_of<BufferObject>(memory)->address + offset;
  return command(queue, count, waits, event, [&](QueueObject& of, bool) {
    return driver().memory.fill(to, first[0], bytes, of.stream);
  });
}

cl_int CL_API_CALL marker(cl_command_queue queue, cl_uint count, const cl_event* waits,
                          cl_event* event) {
  return command(queue, count, waits, event, [](QueueObject&, bool) { return kSuccess; });
}

cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event* events) {
  for (cl_uint i = 0; i < count; ++i) {
    CUevent_st* const end = object_of<EventObject>(events[i])->end;
    if (!end) continue;
    const Entered entered(*object_of<EventObject>(events[i])->context.get());
    require(driver().event.synchronize(end), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }
  return CL_SUCCESS;
}

cl_event CL_API_CALL create_user_event(cl_context, cl_int*) {
  fail(CL_INVALID_OPERATION);  // no stream waits for the host
}

cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info name, std::size_t size, void* value,
                                  std::size_t* needed) {
  auto& object = *object_of<EventObject>(event);
  if (name == CL_EVENT_CONTEXT)
    return answer(handle_of<cl_context>(object.context.get()), size, value, needed);
  if (name != CL_EVENT_COMMAND_EXECUTION_STATUS) return CL_INVALID_VALUE;
  const Entered entered(*object.context.get());  // a query would end the captures of graphs
  const int result = object.end ? driver().event.query(object.end) : kSuccess;
  const cl_int status = result == kSuccess    ? CL_COMPLETE
                        : result == kNotReady ? CL_RUNNING
                                              : CL_OUT_OF_RESOURCES;
  return answer(status, size, value, needed);
}

}  // namespace

QueueObject::~QueueObject() {
  bool is_idle = false;
  if (owned) {
    const Entered entered(*context.get(), IfDestroyed::go_on);
    is_idle = entered.ok() && driver().stream.synchronize(stream) == kSuccess;
    if (entered.ok()) driver().stream.destroy(stream);
  }
  context->releases().remove(*this, is_idle);
}

EventObject::~EventObject() {
  if (end) context->return_event(end);
}

bool was_captured(cl_event event) {
  return event && object_of<DriverObject>(event)->dispatch == dispatch_table() &&
         !object_of<EventObject>(event)->end;
}

void add_queue_functions(cl_icd_dispatch& table) {
  table.clCreateCommandQueue = guarded<create_queue>;
  table.clCreateCommandQueueWithProperties = guarded<create_queue_with>;
  table.clRetainCommandQueue = retain<QueueObject, cl_command_queue>;
  table.clReleaseCommandQueue = release<QueueObject, cl_command_queue>;
  table.clGetCommandQueueInfo = guarded<get_queue_info>;
  table.clFlush = guarded<flush>;
  table.clFinish = guarded<finish>;
  table.clEnqueueNDRangeKernel = guarded<launch>;
  table.clEnqueueReadBuffer = guarded<read_buffer>;
  table.clEnqueueWriteBuffer = guarded<write_buffer>;
  table.clEnqueueCopyBuffer = guarded<copy_buffer>;
  table.clEnqueueFillBuffer = guarded<fill_buffer>;
  table.clEnqueueMarkerWithWaitList = guarded<marker>;
  table.clEnqueueBarrierWithWaitList = guarded<marker>;
  table.clWaitForEvents = guarded<wait_for_events>;
  table.clCreateUserEvent = guarded<create_user_event>;
  table.clRetainEvent = retain<EventObject, cl_event>;
  table.clReleaseEvent = release<EventObject, cl_event>;
  table.clGetEventInfo = guarded<get_event_info>;
}

}  // namespace imago::cuda
