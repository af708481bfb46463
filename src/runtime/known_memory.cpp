// This file remembers what the driver says about memory objects.
#include "runtime/known_memory.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/log.hpp"

namespace imago::runtime {
namespace {

/// All objects of the process, in shares that threads with buffers of their own seldom meet in. The
/// driver is never called with a share locked: it may call back with locks of its own.
class Memories {
 public:
  /// Never destroyed: drivers free objects after main(), too.
  static Memories& instance() {
    static auto* memories = new Memories;
    return *memories;
  }

  std::optional<KnownMemory> find(cl_mem memory) {
    Share& share = share_of(memory);
    const std::lock_guard lock(share.mutex);
    const auto found = share.objects.find(memory);
    if (found == share.objects.end()) return {};
    return found->second;
  }

  void keep(cl_mem memory, const KnownMemory& facts) {
    if (clSetMemObjectDestructorCallback(memory, forget, nullptr) != CL_SUCCESS) {
      freed_.fetch_add(1);  // it may be freed unnoticed: nobody shall rely on it
      return;
    }
    Share& share = share_of(memory);
    const std::lock_guard lock(share.mutex);
    share.objects.insert_or_assign(memory, facts);
  }

  /// Of an object that is kept; and nobody relies on what followed from the old facts.
  void replace(cl_mem memory, const KnownMemory& facts) {
    Share& share = share_of(memory);
    const std::lock_guard lock(share.mutex);
    if (const auto found = share.objects.find(memory); found != share.objects.end())
      found->second = facts;
    freed_.fetch_add(1, std::memory_order_release);
  }

  std::uint64_t freed() const noexcept { return freed_.load(std::memory_order_acquire); }

 private:
  struct Share {
    std::mutex mutex;
    std::unordered_map<cl_mem, KnownMemory> objects;
  };

  static void CL_CALLBACK forget(cl_mem memory, void*) {
    Memories& all = instance();
    {
      Share& share = all.share_of(memory);
      const std::lock_guard lock(share.mutex);
      share.objects.erase(memory);
    }
    all.freed_.fetch_add(1, std::memory_order_release);
  }

  Share& share_of(cl_mem memory) {
    // Objects are allocated at addresses with zeros at their ends.
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return shares_[(address >> 4 ^ address >> 10) % shares_.size()];
  }

  std::array<Share, 64> shares_;
  std::atomic<std::uint64_t> freed_{0};
};

KnownMemory ask(cl_mem memory) {
  constexpr auto* kCall = "clGetMemObjectInfo";
  KnownMemory facts;
  facts.is_buffer = info<cl_mem_object_type>(clGetMemObjectInfo, kCall, memory, CL_MEM_TYPE) ==
                    CL_MEM_OBJECT_BUFFER;
  facts.context = info<cl_context>(clGetMemObjectInfo, kCall, memory, CL_MEM_CONTEXT);
  facts.bytes = info<std::size_t>(clGetMemObjectInfo, kCall, memory, CL_MEM_SIZE);
  facts.flags = info<cl_mem_flags>(clGetMemObjectInfo, kCall, memory, CL_MEM_FLAGS);
  facts.parent = memory;
  if (!facts.is_buffer) return facts;
  const auto parent = info<cl_mem>(clGetMemObjectInfo, kCall, memory, CL_MEM_ASSOCIATED_MEMOBJECT);
  if (!parent) return facts;
  facts.parent = parent;
  facts.origin = info<std::size_t>(clGetMemObjectInfo, kCall, memory, CL_MEM_OFFSET);
  return facts;
}

}  // namespace

KnownMemory known(cl_mem memory) {
  auto& memories = Memories::instance();
  if (const auto facts = memories.find(memory)) return *facts;
  const KnownMemory facts = ask(memory);
  memories.keep(memory, facts);
  return facts;
}

KnownMemory asked_again(cl_mem memory) {
  auto& memories = Memories::instance();
  const auto before = memories.find(memory);
  const KnownMemory now = ask(memory);
  if (before == now) return now;
  if (before)
    base::log(LogLevel::warning,
              "OpenCL's answers about one memory object differ: " + std::to_string(before->bytes) +
                  " bytes and flags " + std::to_string(before->flags) + ", then " +
                  std::to_string(now.bytes) + " and " + std::to_string(now.flags));
  memories.replace(memory, now);
  return now;
}

std::uint64_t freed_memories() noexcept { return Memories::instance().freed(); }

}  // namespace imago::runtime
