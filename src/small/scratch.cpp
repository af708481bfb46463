// This file allocates the memory between passes.
#include "small/scratch.hpp"

#include <new>

#include "base/pages.hpp"

namespace imago::small {
namespace {

constexpr std::size_t kAlignment = 64;
/// Memory of at least this size is on huge pages.
constexpr std::size_t kHuge = 2 * base::kHugePage;

struct ThreadMemory {
  void* data = nullptr;
  std::size_t bytes = 0, alignment = kAlignment;

  ThreadMemory() = default;
  ThreadMemory(const ThreadMemory&) = delete;
  ThreadMemory& operator=(const ThreadMemory&) = delete;
  ~ThreadMemory() { release(); }
  void release() {
    if (data) ::operator delete (data, std::align_val_t{alignment});
    data = nullptr, bytes = 0;
  }
  void* grow(std::size_t size) {
    release();
    alignment = size < kHuge ? kAlignment : base::kHugePage;
    size = (size + alignment - 1) / alignment * alignment;
    data = ::operator new (size, std::align_val_t{alignment});
    if (size >= kHuge) base::use_huge_pages(data, size);
    bytes = size;
    return data;
  }
};

}  // namespace

void* scratch(std::size_t bytes) {
  thread_local ThreadMemory memory;
  return bytes <= memory.bytes ? memory.data : memory.grow(bytes);
}

}  // namespace imago::small
