// This file moves pieces of host arrays through a device that has memory of its own. Host threads
// copy parts of them into pinned memory and out of it, while the device copies others both ways and
// computes: a driver's own copy of memory that is not pinned takes five times as long as one of
// pinned memory (docs/pool.md). Arrays that the caller has pinned it copies itself.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

#include "host/deal.hpp"
#include "host/lanes.hpp"
#include "host/pass.hpp"
#include "host/pins.hpp"
#include "host/side.hpp"

namespace imago::host {

/// What one device does of one pass. Its threads share it.
class Transfer {
 public:
  /// A device's own: its number in the deal and what computes there.
  struct Place {
    Deal& deal;
    std::size_t device = 0;
    const Compute& compute;
    std::size_t memory = 0;  ///< most bytes that the lane may hold
    const Pins& pins;
  };
  Transfer(Lane& lane, const Pass& pass, const Place& place);

  /// Of pinned memory that each thread has.
  static constexpr std::size_t kBytesOfThread = std::size_t{6} << 20;
  /// How many threads find work.
  std::size_t threads() const;
  /// So many will work.
  void expect(std::size_t threads) { working_ = threads; }
  /// What one thread does, with its pinned memory. What fails is told to the deal; that the device
  /// is lost, by the thread that leaves last, for only then is nothing of its pieces under way.
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
  /// What is copied at once, one way.
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
  /// Part of a thread's pinned memory, and what it is used for.
  struct Stage {
    char* host = nullptr;
    Part part = {};
    cl::Event under_way = {};  ///< null: nothing
  };
  struct Taken {
    std::optional<Part> part;
    bool later = false;  ///< there is none yet
  };
  static constexpr std::size_t kStages = 3;

  void copy(std::array<Stage, kStages>& stages);
  Taken take(bool up, bool may_wait);
  Busy* open();
  Part next(Busy& busy, const Left& left) const;
  std::optional<Part> next_up();
  std::optional<Part> next_down();
  void begin(Stage& stage, const Part& part);
  void begin_up(Stage& stage, const Part& part);
  void begin_down(Stage& stage, const Part& part);
  void finish(Stage& stage);
  bool may_write(Busy& busy);
  void lose(std::exception_ptr loss);
  void leave();
  void sent(Busy& busy, std::size_t bytes);
  void received(Busy& busy, std::size_t bytes);

  Piece piece_of(const Busy& busy) const { return pass_.pieces[busy.piece]; }
  BoxPart what_of(const Part& part) const {
    const Piece piece = pass_.pieces[part.piece];
    return {part.of_target ? piece.to : piece.from, part.first, part.bytes};
  }
  const cl::Buffer& target(const Busy& busy) const {
    return pass_.in_place ? busy.slot->from.buffer() : busy.slot->to.buffer();
  }

  Lane& lane_;
  const Pass& pass_;
  const Place place_;
  const PassBytes bytes_;
  const Side from_, to_;

  /// Held by who puts commands into the lane's queues: PoCL's driver "basic" runs them in whoever
  /// flushes, and two who do so wait for each other without end (3.1). Locked after mutex_.
  std::mutex issuing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Busy> busy_;  ///< in the order of their uploads
  std::vector<const Slot*> free_;
  bool dealt_out_ = false;
  std::size_t working_ = 0;
  std::exception_ptr loss_;  ///< the first one; null: the device is well
};

}  // namespace imago::host
