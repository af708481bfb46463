// This file is the work queue of a pass. Each free device takes the next piece, so faster devices
// do more. It also holds the state that devices share: failed devices, the first failure, the stop
// token and progress.
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

/// The unfinished work of a failed device.
struct Loss {
  std::vector<std::size_t> pieces = {};  ///< pieces that the device had taken
  bool overwritten = false;              ///< true if the input of one of them is partly overwritten
  std::exception_ptr failure = {};
};

class WorkList {
 public:
  /// `bytes` is the total of all copies, for progress.
  WorkList(std::size_t pieces, std::size_t devices, std::size_t bytes, std::stop_token stop);

  /// Returns the next piece for a device; nullopt if it gets no more. A device gets none if the
  /// others, at their speed so far, would finish all pieces before it finished this one.
  std::optional<std::size_t> take(std::size_t device);
  /// Records that a device has completed a piece.
  void complete(std::size_t device);
  /// Records that `bytes` more bytes of a piece were copied.
  void moved(std::size_t piece, std::size_t bytes);
  /// Excludes a device and gives its pieces to others. Fails if no other device is left, or if the
  /// input of those pieces is overwritten.
  void lose(std::size_t device, Loss loss);
  /// Returns the reason why a device failed; null if it did not.
  std::exception_ptr loss_of(std::size_t device);
  /// Stores the first exception; take() then returns no more pieces.
  void fail(std::exception_ptr failure);
  /// True if the call failed or must stop.
  bool over();

  /// Each thread calls this when it ends; wait() returns after the last call.
  void leave();
  /// Calls tell(progress) periodically until all threads have left. An exception of tell() fails
  /// the call.
  template <class Tell>
  void wait(std::size_t threads, Tell tell);
  /// True if a failed device returned pieces after the other threads had ended. The working devices
  /// may then take these pieces, in threads that the caller starts anew.
  bool resume();
  /// Throws the failure, or Stopped, if there is one.
  void conclude();

 private:
  using Clock = std::chrono::steady_clock;
  struct Device {
    bool gone = false;          ///< gets no more pieces
    std::size_t completed = 0;  ///< number of pieces
    double seconds = 0;         ///< average time of a piece
    std::exception_ptr loss = {};
  };
  bool others_are_sooner(std::size_t device) const;
  bool is_over() const { return failure_ || stop_.stop_requested(); }
  bool none_left() const { return next_ == pieces_ && returned_.empty(); }  ///< no pieces
  bool any_well() const;                                                    ///< true if a device
                                                                            ///< works
  double share() const;

  const std::size_t pieces_, bytes_;
  const std::stop_token stop_;
  const Clock::time_point start_ = Clock::now();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0, done_ = 0, moved_ = 0, left_ = 0;
  std::vector<std::size_t> returned_;  ///< pieces of failed devices
  std::vector<std::size_t> moved_of_;  ///< bytes copied, by piece
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
