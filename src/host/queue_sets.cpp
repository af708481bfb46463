// This file implements the lease of queue sets.
#include "host/queue_sets.hpp"

#include "runtime/queue.hpp"

namespace imago::host {

void ReusedBuffer::grow(cl_context context, std::size_t bytes) {
  if (bytes_ >= bytes) return;
  bytes_ = 0;
  buffer_ = {};
  buffer_ = cl::Buffer(runtime::allocate(context, bytes).take(), false);
  bytes_ = bytes;
}

QueueSet::QueueSet(cl_context of, cl_device_id on)
    : context(of), device(on), queue_(runtime::make_queue(of, on).take(), false) {}

void QueueSet::add_copy_queues() {
  if (!up_) up_ = runtime::make_queue(context, device);
  if (!down_) down_ = runtime::make_queue(context, device);
}

std::vector<Slot>& QueueSet::slots(std::size_t count, const Slot::Bytes& bytes, std::size_t most) {
  std::size_t held = 0, missing = 0;
  for (const Slot& slot : slots_) held += slot.from.bytes() + slot.to.bytes();
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= slots_.size() || slots_[i].from.bytes() < bytes.from) missing += bytes.from;
    if (i >= slots_.size() || slots_[i].to.bytes() < bytes.to) missing += bytes.to;
  }
  if (held + missing > most) slots_.clear();
  if (slots_.size() < count) slots_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    slots_[i].from.grow(context, bytes.from);
    slots_[i].to.grow(context, bytes.to);
  }
  return slots_;
}

char* QueueSet::pinned(std::size_t bytes) {
  if (pinned_bytes_ < bytes) {
    pinned_bytes_ = 0;
    pinned_ = {};
    pinned_ = runtime::HostMemory(context, device, bytes);
    pinned_bytes_ = bytes;
  }
  return static_cast<char*>(pinned_.data());
}

void QueueSet::settle() const noexcept {
  for (const cl_command_queue queue : {up_.get(), queue_(), down_.get()}) {
    if (queue) clFinish(queue);
  }
}

std::unique_ptr<QueueSet> QueueSets::idle() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return {};
  auto queues = std::move(idle_.back());
  idle_.pop_back();
  return queues;
}

void QueueSets::clear() {
  std::vector<std::unique_ptr<QueueSet>> dropped;
  const std::lock_guard lock(mutex_);
  dropped.swap(idle_);
}

QueueSets::QueueLease::QueueLease(QueueSets& queue_sets, cl_context context, cl_device_id device)
    : queue_sets_(queue_sets), queues_(queue_sets.idle()) {
  if (!queues_) queues_ = std::make_unique<QueueSet>(context, device);
}

QueueSets::QueueLease::~QueueLease() {
  queues_->settle();
  if (dropped_ || std::uncaught_exceptions() > exceptions_) return;
  const std::lock_guard lock(queue_sets_.mutex_);
  queue_sets_.idle_.push_back(std::move(queues_));
}

}  // namespace imago::host
