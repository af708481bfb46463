// This file implements releases that wait, and what graphs keep.
#include "cuda/deferred.hpp"

#include <algorithm>
#include <utility>

#include "base/forked.hpp"
#include "cuda/objects.hpp"

namespace imago::cuda {
namespace {

thread_local bool destroys_graph = false;

/// True for streams that exist as long as their queues.
bool exists(const QueueObject& queue) {
  return queue.owned || reinterpret_cast<std::uintptr_t>(queue.stream) <= 1;  // CU_STREAM_LEGACY
}

void release_now(const Unused& part) {
  if (part.memory != 0) driver().memory.release(part.memory);
  if (part.module) driver().module.unload(part.module);
}

}  // namespace

void DeferredReleases::add(Unused part) {
  if (base::driver_is_lost()) return;
  {
    const std::lock_guard lock(added_mutex_);
    added_.push_back(std::move(part));
  }
  if (!destroys_graph) release();
}

/// Records the end of the commands so far, and begins the next one. If CUDA fails, the end comes
/// later.
void DeferredReleases::record(QueueObject& queue, std::shared_ptr<StreamEnd>& end) {
  CUevent_st* const event = context_.take_event();
  if (!event) return;
  if (driver().event.record(event, queue.stream) != kSuccess) return context_.return_event(event);
  end->event = event;
  end = std::make_shared<StreamEnd>();
}

void DeferredReleases::note(QueueObject& queue) {
  if (queue.is_noted.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(mutex_);
  auto& end = ends_[&queue];
  if (!end)
    end = std::make_shared<StreamEnd>();
  else if (end.use_count() > 1)
    record(queue, end);
  queue.is_noted = end.use_count() == 1;
}

void DeferredReleases::remove(QueueObject& queue, bool is_idle) {
  if (base::driver_is_lost()) return;
  const std::lock_guard lock(mutex_);
  const auto found = ends_.find(&queue);
  if (found == ends_.end()) return;
  found->second->has_passed = is_idle;
  ends_.erase(found);
}

bool DeferredReleases::has_passed(StreamEnd& end) {
  if (!end.has_passed && end.event && driver().event.query(end.event) == kSuccess) {
    end.has_passed = true;
    context_.return_event(std::exchange(end.event, nullptr));
  }
  return end.has_passed;
}

/// Lets all streams with commands report the end of these.
void DeferredReleases::take_added() {
  std::vector<Unused> added;
  {
    const std::lock_guard lock(added_mutex_);
    added.swap(added_);
  }
  if (added.empty()) return;
  std::vector<std::shared_ptr<StreamEnd>> ends;
  for (auto& [queue, end] : ends_) {
    ends.push_back(end);
    queue->is_noted = false;
    int capturing = 0;
    // The default stream must not be used while a stream that it waits for is captured.
    if (!exists(*queue) || driver().stream.is_capturing(queue->stream, &capturing) != kSuccess ||
        capturing != 0)
      continue;
    record(*queue, end);
    if (ends.back()->event) driver().event.synchronize(ends.back()->event);
  }
  for (Unused& part : added) {
    part.ends = ends;
    parts_.push_back(std::move(part));
  }
}

void DeferredReleases::release(bool all) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20, kMostParts = 512;
  const Entered entered(context_, IfDestroyed::go_on);
  if (!entered.ok()) return;
  const std::lock_guard lock(mutex_);
  take_added();
  const auto is_used = [&](const Unused& part) {
    return !std::all_of(part.ends.begin(), part.ends.end(),
                        [&](const auto& end) { return has_passed(*end); });
  };
  const auto used = std::stable_partition(parts_.begin(), parts_.end(), is_used);
  std::for_each(used, parts_.end(), release_now);
  parts_.erase(used, parts_.end());
  std::size_t bytes = 0;
  for (const Unused& part : parts_) bytes += part.bytes;
  if (!all && bytes <= kMostBytes && parts_.size() <= kMostParts) return;
  std::for_each(parts_.begin(), parts_.end(), release_now);
  parts_.clear();
}

int keep_in_graph(CUstream_st* stream, std::shared_ptr<void> object) {
  constexpr unsigned kWithoutSync = 1, kMove = 1;
  constexpr auto kDestroy = [](void* kept) {
    destroys_graph = true;
    delete static_cast<std::shared_ptr<void>*>(kept);
    destroys_graph = false;
  };
  const auto& functions = driver().graph;
  int status = 0;
  CUgraph_st* graph = nullptr;
  if (const int result = functions.of_capture(stream, &status, nullptr, &graph, nullptr, nullptr);
      result != kSuccess)
    return result;
  CUuserObject_st* made = nullptr;
  auto kept = std::make_unique<std::shared_ptr<void>>(std::move(object));
  if (const int result = functions.make_object(&made, kept.get(), kDestroy, 1, kWithoutSync);
      result != kSuccess)
    return result;
  static_cast<void>(kept.release());
  const int result = functions.keep_object(graph, made, 1, kMove);
  if (result != kSuccess) functions.release_object(made, 1);
  return result;
}

}  // namespace imago::cuda
