// This file deals the pieces of a pass to devices, each when it is free, so by the speed that it
// has, and is where they meet: devices that are lost, the first failure, the stop and the share
// that is done.
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

/// What a device leaves undone that cannot go on.
struct Loss {
  std::vector<std::size_t> pieces = {};  ///< that it had
  bool spoilt = false;                   ///< what one of them reads is partly overwritten
  std::exception_ptr failure = {};
};

class Deal {
 public:
  /// `bytes`: that are moved in all, for progress.
  Deal(std::size_t pieces, std::size_t devices, std::size_t bytes, std::stop_token stop);

  /// The next piece for a device; empty: there is none for it any more. A device gets none where
  /// the others, as fast as they were so far, are done before it would be.
  std::optional<std::size_t> take(std::size_t device);
  /// A device has completed a piece.
  void complete(std::size_t device);
  /// So many bytes more of a piece were moved.
  void moved(std::size_t piece, std::size_t bytes);
  /// A device gets no more pieces, and others get those that it had. Fails where there are no
  /// others, or where what they would have to read is gone.
  void lose(std::size_t device, Loss loss);
  /// Why it was lost; null: it was not.
  std::exception_ptr loss_of(std::size_t device);
  /// Keeps the first exception; nothing is dealt any more.
  void fail(std::exception_ptr failure);
  /// Whether it failed or is to stop.
  bool over();

  /// Of workers; wait() returns when all of them have left.
  void leave();
  /// Calls tell(share) now and then, at most while `workers` work; what it throws is a failure.
  template <class Tell>
  void wait(std::size_t workers, Tell tell);
  /// Whether pieces are left, for a lost device gave them back when others had gone. All that are
  /// not lost may take them from now on; there are no workers yet.
  bool resume();
  /// Throws the failure, or Stopped.
  void conclude();

 private:
  using Clock = std::chrono::steady_clock;
  struct Device {
    bool gone = false;          ///< gets no more
    std::size_t completed = 0;  ///< pieces
    double seconds = 0;         ///< for each of those, on the whole
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
void Deal::wait(std::size_t workers, Tell tell) {
  constexpr std::chrono::milliseconds kPatience{50};
  std::unique_lock lock(mutex_);
  while (left_ < workers) {
    changed_.wait_for(lock, kPatience, [&] { return left_ == workers; });
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
