// This file moves pieces of host arrays through a device with memory of its own. Host threads copy
// parts to and from pinned memory, while the device transfers other parts both ways and computes. A
// driver's copy of unpinned memory takes five times as long as one of pinned memory (docs/pool.md).
// Devices copy arrays directly if the caller has pinned them.
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
  std::size_t number = 0;  ///< index in the work list
  std::size_t device = 0;  ///< index in the pool
  QueueSet& queues;
  const Pins& pins;                ///< pinned memory of the device
  std::size_t memory = 0;          ///< maximum bytes of its queue set
  bool in_callers_memory = false;  ///< true if it computes spans in the caller's memory
};

/// Computes one device's pieces of one pass. The device's host threads share it.
class Transfer {
 public:
  Transfer(const ActivePass& pass, WorkList& work_list, const DeviceWorker& worker);

  /// Bytes of pinned memory of each thread.
  static constexpr std::size_t kBytesOfThread = std::size_t{6} << 20;
  /// Returns the number of threads that have work.
  std::size_t threads() const;
  /// Sets the number of threads that will call work().
  void expect(std::size_t threads) { working_ = threads; }
  /// Does the work of one thread, with its pinned memory. Reports other failures to the work list
  /// at once. The last thread reports a failed device, because only then are its pieces no longer
  /// in use.
  void work(char* pinned) noexcept;

 private:
  /// A piece on the device.
  struct Busy {
    std::size_t piece = 0;
    const Slot* slot = nullptr;
    std::size_t up = 0, up_at = 0, missing = 0;         ///< bytes to upload: total, started, not
                                                        ///< yet sent
    std::size_t down = 0, down_at = 0, unfinished = 0;  ///< bytes to download: total, started, not
                                                        ///< yet finished
    cl::Event computed;                                 ///< null: not enqueued yet
    bool written = false;                               ///< true if the host has a part of the
                                                        ///< result
  };
  /// Bytes of a box that are copied at once, in one direction.
  struct Part {
    Busy* busy = nullptr;   ///< once a part is sent, other threads may complete the piece, and the
                            ///< pointer dangles
    std::size_t piece = 0;  ///< its index
    bool up = false;
    bool of_target = false;            ///< part of the output array: the result, and on upload its
                                       ///< gaps
    std::size_t first = 0, bytes = 0;  ///< within its box
    bool direct = false;               ///< the device copies it directly
  };
  /// A range of a piece in one array, in one direction, that is not started yet.
  struct Left {
    std::size_t begin = 0, end = 0;
    bool up = false, of_target = false;
  };
  /// A part of a thread's pinned memory, and the copy that uses it.
  struct StagingBuffer {
    char* host = nullptr;
    Part part = {};
    cl::Event under_way = {};  ///< null: none
  };
  struct Taken {
    std::optional<Part> part;
    bool later = false;  ///< no part is ready yet
  };
  static constexpr std::size_t kStagingBuffers = 3;

  void copy(std::array<StagingBuffer, kStagingBuffers>& buffers);
  Taken take(bool up, bool may_wait);
  Busy* open();
  Part next(Busy& busy, const Left& left) const;
  std::optional<Part> next_up();
  std::optional<Part> next_down();
  void begin(StagingBuffer& staging, const Part& part);
  void begin_up(StagingBuffer& staging, const Part& part);
  void begin_down(StagingBuffer& staging, const Part& part);
  void finish(StagingBuffer& staging);
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

  /// Held by a thread that enqueues commands. PoCL's driver "basic" runs them in the thread that
  /// flushes, and two such threads deadlock (3.1). Locked after mutex_.
  std::mutex issuing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Busy> busy_;  ///< in upload order
  std::vector<const Slot*> free_;
  bool no_more_ = false;  ///< true if the work list has no piece for this device
  std::size_t working_ = 0;
  std::exception_ptr loss_;  ///< first failure of the device; null: the device works
};

}  // namespace imago::host
