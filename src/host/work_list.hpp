// This file gives the pieces of a pass to devices, each when it is free, so that faster devices do
// more. It keeps what the devices share: lost devices, the first failure, the stop and progress.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace imago::host {

/// The work that a lost device leaves undone.
struct Loss {
  std::vector<std::size_t> pieces = {};  ///< that it had taken
  bool overwritten = false;              ///< the input of one of them is partly overwritten
  std::exception_ptr failure = {};
};

class WorkList {
 public:
  /// `bytes` is the number of all that are moved, for progress.
  WorkList(std::size_t pieces, std::size_t devices, std::size_t bytes, std::stop_token stop);

  /// Returns the next piece for a device; empty: it gets no more. A device gets none if the others,
  /// as fast as they were so far, would finish all pieces before it finished this one.
  std::optional<std::size_t> take(std::size_t device);
  /// Records that a device has completed a piece.
  void complete(std::size_t device);
  /// Records that so many more bytes of a piece were moved.
  void moved(std::size_t piece, std::size_t bytes);
  /// Takes a device out: others get the pieces that it had. Fails if no other device is left, or if
  /// the input of those pieces is gone.
  void lose(std::size_t device, Loss loss);
  /// Returns why a device was lost; null: it was not.
  std::exception_ptr loss_of(std::size_t device);
  /// Keeps the first exception; take() returns no more pieces.
  void fail(std::exception_ptr failure);
  /// True if a device failed or the call is to stop.
  bool over();

  /// Each thread calls it when it ends; wait() returns when all have left.
  void leave();
  /// Calls tell(share) now and then until all threads have left; an exception of it is a failure.
  template <class Tell>
  void wait(std::size_t threads, Tell tell);
  /// True if pieces are left: a lost device gave them back when the others had gone. All devices
  /// that are not lost may take them from now on, by threads that the caller starts anew.
  bool resume();
  /// Throws the failure or Stopped, if there is one.
  void conclude();

 private:
  using Clock = std::chrono::steady_clock;
  struct Device {
    bool gone = false;          ///< gets no more
    std::size_t completed = 0;  ///< pieces
    double seconds = 0;         ///< per piece, on average
    std::exception_ptr loss = {};
  };
  bool others_are_sooner(std::size_t device) const;
  bool is_over() const { return failure_ || stop_.stop_requested(); }
  bool none_left() const { return next_ == pieces_ && returned_.empty(); }  ///< of the pieces
  bool any_well() const;                                                    ///< of the devices
  double share() const;

  const std::size_t pieces_, bytes_;
  const std::stop_token stop_;
  const Clock::time_point start_ = Clock::now();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0, done_ = 0, moved_ = 0, left_ = 0;
  std::vector<std::size_t> returned_;  ///< pieces of devices that were lost
  std::vector<std::size_t> moved_of_;  ///< bytes, by piece
  std::vector<Device> devices_;
  std::exception_ptr failure_;
};

template <class Tell>
void WorkList::wait(std::size_t threads, Tell tell) {
  constexpr std::chrono::milliseconds kPatience{50};
  std::unique_lock lock(mutex_);
  while (left_ < threads) {
    changed_.wait_for(lock, kPatience, [&] { return left_ == threads; });
    const double done = share();
    const bool over = is_over();
    lock.unlock();
    try {
      if (!over) tell(done);
    } catch (...) {
      fail(std::current_exception());
    }
    lock.lock();
  }
}

}  // namespace imago::host
