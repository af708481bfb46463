// This file replaces operator new, and follows threads to know which allocations are imago's.
#include "memory.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> count = 0, refused = 0;
std::atomic<bool> all = false;
thread_local bool is_counted = false;

bool counts() { return is_counted && imago::faults::is_live() && !imago::faults::in_opencl(); }

void* allocate(std::size_t bytes) noexcept {
  if (counts()) {
    const std::uint64_t number = ++count, at = refused;
    if (at > 0 && (number == at || (all && number > at))) return nullptr;
  }
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* allocate_or_throw(std::size_t bytes) {
  if (void* memory = allocate(bytes)) return memory;
  throw std::bad_alloc();
}

/// The start function of a thread.
struct Task {
  void* (*start)(void*);
  void* argument;
};

void* run_counted(void* memory) {
  const Task task = *static_cast<Task*>(memory);
  std::free(memory);
  is_counted = true;
  return task.start(task.argument);
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate_or_throw(bytes); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

/// A thread that a counted thread creates outside OpenCL belongs to imago.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) noexcept {
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static auto* const real = reinterpret_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
  if (!counts()) return real(thread, attributes, start, argument);
  auto* const task = static_cast<Task*>(std::malloc(sizeof(Task)));
  if (!task) std::abort();
  *task = {start, argument};
  const int code = real(thread, attributes, run_counted, task);
  if (code != 0) std::free(task);
  return code;
}

namespace imago::faults {

void arm_memory(std::uint64_t at, Extent extent) {
  is_counted = true;
  count = 0;
  all = extent == Extent::all;
  refused = at;
}

std::uint64_t disarm_memory() {
  refused = 0;
  return count;
}

}  // namespace imago::faults
