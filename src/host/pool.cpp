// This file implements Pool.
#include <imago/pool.hpp>

#include <limits>
#include <string>

#include "base/errors.hpp"
#include "host/crew.hpp"
#include "host/moves.hpp"
#include "host/pool_state.hpp"
#include "runtime/queue.hpp"
#include "runtime/target.hpp"

namespace imago {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// All of it as one piece, through pinned memory.
void run_staged(host::Lane& lane, const HostBytes& from, const HostBytes& to,
                const Pool::Work& work) {
  const std::vector<host::Piece> pieces = {{{0, from.bytes}, {0, to.bytes}}};
  const host::Pass pass{static_cast<const char*>(from.data), static_cast<char*>(to.data), pieces,
                        from.data == to.data};
  const auto compute = [&](const host::Piece&, const cl::CommandQueue& queue, const cl::Buffer& in,
                           const cl::Buffer& out) { work(queue, in, out); };
  host::run(pass, {{lane, compute, false, kUnlimited}}, {}, {});
}

}  // namespace

Pool::Pool(const std::vector<cl::Device>& devices, const PoolOptions& options)
    : state_(std::make_shared<State>()) {
  if (devices.empty()) base::invalid("the number of devices", 0, "give at least one");
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i]())
      base::invalid("devices[" + std::to_string(i) + "]", "null", "give an OpenCL device");
    state_->add(runtime::make_context(devices[i]()).get(), devices[i](), options);
  }
}

Pool::Pool(const cl::Context& context, const cl::Device& device, const PoolOptions& options)
    : state_(std::make_shared<State>()) {
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
  host::Member& member = state_->member(i);
  const auto lane = member.borrow();
  if (member.in_callers_memory)
    host::in_callers_memory(*lane, {from, to}, work);
  else if (to.bytes == 0 || from.bytes + to.bytes < host::kLeastBytes)
    host::by_copies(*lane, {from, to}, work, kUnlimited);
  else
    run_staged(*lane, from, to, work);
}

void Pool::clear() const {
  for (const auto& member : state_->members) member->lanes.clear();
}

}  // namespace imago
