// This file implements Scheduler.
#include "host/scheduler.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include <imago/error.hpp>

#include "base/started.hpp"
#include "host/moves.hpp"
#include "host/transfer.hpp"
#include "host/work_list.hpp"

namespace imago::host {
namespace {

// Maximum number of threads for a device, and of all devices as a fraction of the cores. On an
// H200's 16 cores, 12 threads are faster than 8 and than 16: the driver's own threads need some
// cores, and the memory bandwidth is exhausted.
constexpr std::size_t kMostThreads = 12;
constexpr double kShare = 0.75;

HostBytes span(char* array, const Box& box) { return {array + box.begin, box.row}; }

/// Computes piece after piece in the caller's memory.
void work_there(WorkList& work_list, const ActivePass& pass, const DeviceWorker& worker) noexcept {
  Loss loss;
  try {
    while (const auto index = work_list.take(worker.number)) {
      loss.pieces = {*index};
      const Piece piece = pass.pieces()[*index];
      const Move move{span(const_cast<char*>(pass.from), piece.from), span(pass.to, piece.to),
                      false, &loss.overwritten};
      in_callers_memory(
          worker.queues, move,
          [&](const cl::CommandQueue& queue, const cl::Buffer& from, const cl::Buffer& to) {
            pass.compute(worker.device, piece, queue, from, to);
          });
      work_list.moved(*index, bytes_of(Pieces(std::vector{piece})).all);
      work_list.complete(worker.number);
      loss.overwritten = false;
    }
  } catch (const DeviceError&) {
    loss.failure = std::current_exception();
    work_list.lose(worker.number, std::move(loss));
  } catch (...) {
    work_list.fail(std::current_exception());
  }
}

/// True if plans can compute in the caller's memory: input and output are contiguous, and do not
/// overlap if the pass is out of place.
bool may_stay(const ActivePass& pass) {
  if (pass.from == pass.to && !pass.pass.in_place) return false;
  bool spans = true;
  pass.pieces().for_each_kind(
      [&](const Piece& piece) { spans &= piece.from.is_span() && piece.to.is_span(); });
  return spans;
}

/// The threads of all devices, and their shared state.
class PassThreads {
 public:
  PassThreads(const ActivePass& pass, const std::vector<DeviceWorker>& workers, WorkList& work_list)
      : work_list_(work_list) {
    const bool stays = may_stay(pass);
    for (const DeviceWorker& worker : workers) {
      if (work_list.loss_of(worker.number)) continue;
      if (stays && worker.in_callers_memory) {
        threads_.emplace_back([&] { work_there(work_list, pass, worker); });
        continue;
      }
      try {
        add_transfer(pass, worker, workers.size());
      } catch (const DeviceError&) {
        work_list.lose(worker.number, {{}, false, std::current_exception()});
      }
    }
  }

  /// Runs all threads, and returns when they have ended. This thread does the work of those that
  /// the system refuses.
  template <class Tell>
  void run(Tell tell) const {
    std::vector<std::thread> running;
    running.reserve(threads_.size());
    for (const auto& thread : threads_) {
      auto work = [this, &thread] {
        thread();
        work_list_.leave();
      };
      std::thread next = base::started(work);
      next.joinable() ? running.push_back(std::move(next)) : work();
    }
    work_list_.wait(threads_.size(), tell);
    for (std::thread& thread : running) thread.join();
  }

 private:
  void add_transfer(const ActivePass& pass, const DeviceWorker& worker, std::size_t devices) {
    Transfer& transfer =
        *transfers_.emplace_back(std::make_unique<Transfer>(pass, work_list_, worker));
    const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
    const auto share = static_cast<std::size_t>(kShare * static_cast<double>(cores / devices));
    const std::size_t most = std::clamp<std::size_t>(share, 1, kMostThreads);
    const std::size_t threads = std::min(transfer.threads(), most);
    char* const pinned = worker.queues.pinned(threads * Transfer::kBytesOfThread);
    transfer.expect(threads);
    for (std::size_t i = 0; i < threads; ++i)
      threads_.emplace_back(
          [&transfer, mine = pinned + i * Transfer::kBytesOfThread] { transfer.work(mine); });
  }

  WorkList& work_list_;
  std::vector<std::unique_ptr<Transfer>> transfers_;
  std::vector<std::function<void()>> threads_;  ///< work of each thread
};

}  // namespace

Scheduler::Scheduler(Members& pool, const std::vector<std::size_t>& devices, std::size_t memory)
    : pool_(pool), memory_(memory) {
  for (const std::size_t number : devices) {
    Member& member = pool.member(number);
    LeasedDevice& device = devices_.emplace_back();
    device.number = number;
    try {
      device.queues.emplace(member.queue_sets, member.context(), member.device());
    } catch (const DeviceError&) {
      device.loss = std::current_exception();
    }
  }
  const std::exception_ptr last = devices_.back().loss;
  release_lost();
  if (devices_.empty()) std::rethrow_exception(last);
}

void Scheduler::release_lost() {
  const auto is_lost = [](const LeasedDevice& device) { return device.loss != nullptr; };
  const bool all = std::all_of(devices_.begin(), devices_.end(), is_lost);
  for (LeasedDevice& device : devices_) {
    if (!device.loss) continue;
    if (device.queues) device.queues->drop();
    if (!all) pool_.leave_out(device.number, device.loss);
  }
  devices_.remove_if(is_lost);
}

void Scheduler::run(const ActivePass& pass, const HostCall& call, const ProgressRange& progress) {
  const auto tell = [&](double done) {
    if (call.progress) call.progress(progress.begin + done * (progress.end - progress.begin));
  };
  tell(0);
  std::vector<DeviceWorker> workers;
  for (LeasedDevice& device : devices_) {
    const Member& member = pool_.member(device.number);
    workers.push_back({workers.size(), device.number, **device.queues, member.pins, memory_,
                       member.in_callers_memory});
  }
  WorkList work_list(pass.pieces().size(), workers.size(), bytes_of(pass.pieces()).all, call.stop);
  do {
    PassThreads(pass, workers, work_list).run(tell);
  } while (work_list.resume());
  std::size_t number = 0;
  for (LeasedDevice& device : devices_) device.loss = work_list.loss_of(number++);
  release_lost();
  work_list.conclude();
}

}  // namespace imago::host
