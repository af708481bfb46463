// This file runs pieces of work in parallel.
#include "base/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/started.hpp"

namespace imago::base {
namespace {

/// State that the threads share.
class Pieces {
 public:
  Pieces(std::size_t count, const std::function<void(std::size_t)>& work)
      : count_(count), work_(work) {}

  /// Runs one piece after another until none is left.
  void do_some() noexcept {
    while (!failed_) {
      const std::size_t i = next_++;
      if (i >= count_) return;
      try {
        work_(i);
      } catch (...) {
        fail(i);
      }
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void fail(std::size_t i) noexcept {
    const std::lock_guard lock(mutex_);
    if (failure_ && first_failed_ < i) return;
    failure_ = std::current_exception();
    first_failed_ = i;
    failed_ = true;
  }

  const std::size_t count_;
  const std::function<void(std::size_t)>& work_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::size_t first_failed_ = 0;
};

}  // namespace

std::size_t builders(std::size_t pieces, std::size_t cores) {
  return std::min({pieces, std::max<std::size_t>(cores, 1), kMostBuilders});
}

void side_by_side(std::size_t count, const std::function<void(std::size_t)>& work) {
  Pieces pieces(count, work);
  std::vector<std::thread> others;
  others.reserve(kMostBuilders);
  // The system needs microseconds to count the cores.
  const std::size_t threads =
      count < 2 ? count : builders(count, std::thread::hardware_concurrency());
  while (others.size() + 1 < threads) {
    std::thread next = started([&] { pieces.do_some(); });
    if (!next.joinable()) break;  // the others do its work
    others.push_back(std::move(next));
  }
  pieces.do_some();
  for (auto& other : others) other.join();
  pieces.rethrow();
}

}  // namespace imago::base
