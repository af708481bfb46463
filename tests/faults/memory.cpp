// This file replaces operator new and pthread_create(). It follows threads to know which
// allocations and threads are imago's.
#include "memory.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace {

using imago::faults::Extent;

/// The calls of one function, and those that fail.
class Faults {
 public:
  void arm(std::uint64_t at, Extent extent) {
    count_ = 0;
    all_ = extent == Extent::all;
    at_ = at;
  }
  std::uint64_t disarm() {
    at_ = 0;
    return count_;
  }
  /// Counts a call. Returns true if it fails.
  bool fails() {
    const std::uint64_t number = ++count_, at = at_;
    return at > 0 && (number == at || (all_ && number > at));
  }

 private:
  std::atomic<std::uint64_t> count_ = 0, at_ = 0;
  std::atomic<bool> all_ = false;
};

Faults allocations, threads;
thread_local bool is_counted = false;

bool counts() { return is_counted && imago::faults::is_live() && !imago::faults::in_opencl(); }

void* allocate(std::size_t bytes) noexcept {
  if (counts() && allocations.fails()) return nullptr;
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
  if (threads.fails()) return EAGAIN;
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
  allocations.arm(at, extent);
}

std::uint64_t disarm_memory() { return allocations.disarm(); }

void arm_threads(std::uint64_t at, Extent extent) {
  is_counted = true;
  threads.arm(at, extent);
}

std::uint64_t disarm_threads() { return threads.disarm(); }

}  // namespace imago::faults
