// This file moves pieces of host arrays through a device that has memory of its own. Host threads
// copy parts of them into pinned memory and out of it, while the device copies others both ways and
// computes: a driver's own copy of memory that is not pinned takes five times as long as one of
// pinned memory (docs/pool.md). The device copies arrays that the caller has pinned itself.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

#include "host/pass_array.hpp"
#include "host/passes.hpp"
#include "host/pins.hpp"
#include "host/queue_sets.hpp"
#include "host/work_list.hpp"

namespace imago::host {

/// A device in a pass.
struct DeviceWorker {
  std::size_t number = 0;  ///< in the work list
  std::size_t device = 0;  ///< in the pool
  QueueSet& queues;
  const Pins& pins;                ///< its own
  std::size_t memory = 0;          ///< most bytes that its queue set may hold
  bool in_callers_memory = false;  ///< of pieces that are spans
};

/// Computes what one device has of one pass. Its threads share it.
class Transfer {
 public:
  Transfer(const ActivePass& pass, WorkList& work_list, const DeviceWorker& worker);

  /// Bytes of pinned memory that each thread has.
  static constexpr std::size_t kBytesOfThread = std::size_t{6} << 20;
  /// Returns how many threads find work.
  std::size_t threads() const;
  /// Sets how many threads will call work().
  void expect(std::size_t threads) { working_ = threads; }
  /// Does the work of one thread, with its pinned memory. It reports a failure to the work list;
  /// the thread that leaves last reports a lost device, for only then are its pieces at rest.
  void work(char* pinned) noexcept;

 private:
  /// A piece on the device.
  struct Busy {
    std::size_t piece = 0;
    const Slot* slot = nullptr;
    std::size_t up = 0, up_at = 0, missing = 0;         ///< bytes: all, begun, not yet sent
    std::size_t down = 0, down_at = 0, unfinished = 0;  ///< the same of the way back
    cl::Event computed;                                 ///< null: not in the queue yet
    bool written = false;                               ///< the host has some of the result
  };
  /// Bytes of a box that are copied at once, one way.
  struct Part {
    Busy* busy = nullptr;   ///< once it is sent others may complete it, and it is gone
    std::size_t piece = 0;  ///< its number
    bool up = false;
    bool of_target = false;            ///< of what the piece writes: all that comes back, and gaps
    std::size_t first = 0, bytes = 0;  ///< of its box
    bool direct = false;               ///< the device copies it itself
  };
  /// Bytes of a piece that one array holds and that were not begun: in all that goes one way.
  struct Left {
    std::size_t begin = 0, end = 0;
    bool up = false, of_target = false;
  };
  /// A part of a thread's pinned memory, and the copy that uses it.
  struct StagingBuffer {
    char* host = nullptr;
    Part part = {};
    cl::Event under_way = {};  ///< null: nothing
  };
  struct Taken {
    std::optional<Part> part;
    bool later = false;  ///< there is none yet
  };
  static constexpr std::size_t kStagingBuffers = 3;

  void copy(std::array<StagingBuffer, kStagingBuffers>& stages);
  Taken take(bool up, bool may_wait);
  Busy* open();
  Part next(Busy& busy, const Left& left) const;
  std::optional<Part> next_up();
  std::optional<Part> next_down();
  void begin(StagingBuffer& stage, const Part& part);
  void begin_up(StagingBuffer& stage, const Part& part);
  void begin_down(StagingBuffer& stage, const Part& part);
  void finish(StagingBuffer& stage);
  bool may_write(Busy& busy);
  void lose(std::exception_ptr loss);
  void leave();
  void sent(Busy& busy, std::size_t bytes);
  void received(Busy& busy, std::size_t bytes);

  Piece piece_of(const Busy& busy) const { return pass_.pieces()[busy.piece]; }
  BoxPart what_of(const Part& part) const {
    const Piece piece = pass_.pieces()[part.piece];
    return {part.of_target ? piece.to : piece.from, part.first, part.bytes};
  }
  const cl::Buffer& target(const Busy& busy) const {
    return pass_.pass.in_place ? busy.slot->from.buffer() : busy.slot->to.buffer();
  }

  const ActivePass& pass_;
  WorkList& work_list_;
  const DeviceWorker worker_;
  QueueSet& queues_;
  const PassBytes bytes_;
  const PassArray from_, to_;

  /// Held by a thread that puts commands into the queues: PoCL's driver "basic" runs them in the
  /// thread that flushes, and two such threads deadlock (3.1). Locked after mutex_.
  std::mutex issuing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Busy> busy_;  ///< in the order of their uploads
  std::vector<const Slot*> free_;
  bool no_more_ = false;  ///< the work list has no piece for this device
  std::size_t working_ = 0;
  std::exception_ptr loss_;  ///< the first one; null: the device works
};

}  // namespace imago::host
