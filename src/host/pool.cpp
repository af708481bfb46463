// This file implements Pool.
#include <imago/pool.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/owned.hpp"
#include "base/errors.hpp"
#include "base/indexed.hpp"
#include "base/system.hpp"
#include "host/moves.hpp"
#include "host/pool_state.hpp"
#include "host/scheduler.hpp"
#include "runtime/queue.hpp"
#include "runtime/target.hpp"

namespace imago {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

void check_given(const HostBytes& memory, const char* field) {
  if (memory.bytes > 0 && !memory.data) base::invalid(field, "null", "give the array");
}

void check_only(const PoolOptions& options, std::size_t devices) {
  for (std::size_t i = 0; i < options.only.size(); ++i) {
    if (options.only[i] >= devices)
      base::invalid(base::indexed("options.only", i), options.only[i],
                    "it must be below the number of devices, " + std::to_string(devices));
  }
}

/// Rejects ranges that overlap only partly; ranges with the same start are one array.
void check_no_overlap(const HostBytes& from, const HostBytes& to) {
  const auto *a = static_cast<const char*>(from.data), *b = static_cast<const char*>(to.data);
  const std::less<> before;
  if (a != b && before(a, b + to.bytes) && before(b, a + from.bytes))
    base::invalid("the distance of from and to", b - a,
                  "they overlap in part: give the same array, or arrays that do not overlap");
}

/// Rejects unmapped memory, because pinning would touch every page from the first to the last.
void check_mapped(const HostBytes& memory) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data);
  const bool wraps = memory.bytes - 1 > std::numeric_limits<std::uintptr_t>::max() - begin;
  if (wraps || !base::is_mapped(reinterpret_cast<void*>(begin + memory.bytes - 1)))
    base::invalid("memory.bytes", memory.bytes,
                  "give the size of the array: no memory is mapped at its end");
}

/// Computes the whole as one piece, through pinned memory.
void run_staged(host::Members& pool, std::size_t device, const host::Move& move,
                const Pool::Work& work) {
  const host::HostPass pass{
      .pieces = std::vector{host::Piece{{0, move.from.bytes}, {0, move.to.bytes}}},
      .in_place = move.in_place()};
  const auto compute = [&](std::size_t, const host::Piece&, const cl::CommandQueue& queue,
                           const cl::Buffer& in, const cl::Buffer& out) { work(queue, in, out); };
  host::Scheduler(pool, {device}, kUnlimited)
      .run({static_cast<const char*>(move.from.data), static_cast<char*>(move.to.data), pass,
            compute},
           {}, {});
}

}  // namespace

Pool::Pool(const std::vector<cl::Device>& devices, const PoolOptions& options)
    : state_(api::make_owned<State>()) {
  if (devices.empty()) base::invalid("the number of devices", 0, "give at least one");
  check_only(options, devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i]())
      base::invalid("devices[" + std::to_string(i) + "]", "null", "give an OpenCL device");
    state_->add(runtime::make_context(devices[i]()).get(), devices[i](), options);
  }
}

Pool::Pool(const cl::Context& context, const cl::Device& device, const PoolOptions& options)
    : state_(api::make_owned<State>()) {
  check_only(options, 1);
  state_->add(context(), device(), options);
}

Pool::~Pool() = default;
Pool::Pool(const Pool&) = default;
Pool& Pool::operator=(const Pool&) = default;

std::size_t Pool::size() const { return state_->members.size(); }
const cl::Device& Pool::device(std::size_t i) const { return state_->member(i).device; }
const cl::Context& Pool::context(std::size_t i) const { return state_->member(i).context; }
bool Pool::in_use(std::size_t i) const { return state_->member(i).in_use; }
bool Pool::in_callers_memory(std::size_t i) const { return state_->member(i).in_callers_memory; }

void Pool::on_buffers(const HostBytes& from, const HostBytes& to, const Work& work,
                      std::size_t i) const {
  base::check_driver();
  if (!work) base::invalid("work", "empty", "give a function");
  check_given(from, "from.data");
  check_given(to, "to.data");
  check_no_overlap(from, to);
  host::Member& member = state_->member(i);
  const bool few = from.bytes == 0 || to.bytes == 0 || from.bytes + to.bytes < host::kLeastBytes;
  if (!member.in_callers_memory && !few) return run_staged(*state_, i, {from, to}, work);
  const auto queues = member.borrow();
  if (member.in_callers_memory)
    host::in_callers_memory(*queues, {from, to}, work);
  else
    host::by_copies(*queues, {from, to}, work, kUnlimited);
}

// The class is exported, but its state is not.
struct [[gnu::visibility("hidden")]] Pinned::State {
  explicit State(std::shared_ptr<host::Members> of) : pool(std::move(of)) {}
  ~State() {
    for (const auto& [pins, key] : keys) pins->remove(key);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  const std::shared_ptr<host::Members> pool;
  std::vector<std::pair<host::Pins*, host::Pins::Key>> keys = {};
};

Pinned::Pinned() = default;
Pinned::Pinned(api::Owned<State> state) : state_(std::move(state)) {}
Pinned::~Pinned() = default;
Pinned::Pinned(Pinned&&) noexcept = default;
Pinned& Pinned::operator=(Pinned&&) noexcept = default;

Pinned Pool::pin(const HostBytes& memory) const {
  if (memory.bytes == 0) return {};
  check_given(memory, "memory.data");
  check_mapped(memory);
  auto pinned = api::make_owned<Pinned::State>(state_);
  for (const auto& member : state_->members) {
    if (member->in_callers_memory || !member->in_use) continue;
    const auto largest = runtime::info<cl_ulong>(clGetDeviceInfo, "clGetDeviceInfo",
                                                 member->device(), CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    pinned->keys.emplace_back(&member->pins, member->pins.add(member->context(), memory, largest));
  }
  return Pinned(std::move(pinned));
}

void Pool::clear() const {
  base::check_driver();
  for (const auto& member : state_->members) member->queue_sets.clear();
}

}  // namespace imago
