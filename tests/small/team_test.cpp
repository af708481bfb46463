// Tests of the threads that share a call.
#include <atomic>
#include <cstddef>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "small/computation.hpp"
#include "small/cores.hpp"
#include "small/functions.hpp"
#include "small/team.hpp"
#include "support/catch.hpp"

namespace imago::small {
namespace {

/// Counts pieces, and those that began before an earlier step had ended.
class CountedPieces final : public SteppedWork {
 public:
  explicit CountedPieces(std::vector<std::size_t> pieces)
      : pieces_(std::move(pieces)), done_(pieces_.size()) {
    for (const std::size_t count : pieces_)
      ends.push_back((ends.empty() ? 0 : ends.back()) + count);
  }
  void run(std::size_t step, std::size_t piece, bool) const override {
    if (piece >= pieces_[step] || (step > 0 && done_[step - 1] != pieces_[step - 1])) ++wrong;
    for (int i = 0; i < 300; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
    ++done_[step];
  }
  bool all_ran_once() const {
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      if (done_[i] != pieces_[i]) return false;
    return wrong == 0;
  }

  std::vector<std::size_t> ends;
  mutable std::atomic<int> wrong = 0;

 private:
  const std::vector<std::size_t> pieces_;
  mutable std::vector<std::atomic<std::size_t>> done_;
};

/// Its pieces wait until several threads have come.
class Meeting final : public SteppedWork {
 public:
  void run(std::size_t, std::size_t, bool own) const override {
    ++(own ? owners : others);
    while (owners == 0 || others == 0) std::this_thread::yield();
  }
  mutable std::atomic<int> owners = 0, others = 0;
};

class Failing final : public SteppedWork {
 public:
  void run(std::size_t, std::size_t piece, bool) const override {
    if (piece == 5) throw std::runtime_error("piece 5");
  }
};

}  // namespace

TEST_CASE("Threads run all pieces once, step by step") {
  for (int turn = 0; turn < 200; ++turn) {
    const CountedPieces work({7, 1, 64, 3});
    run_together(work, work.ends, 1 + static_cast<std::size_t>(turn) % 5);
    CHECK(work.all_ran_once());
  }
}

TEST_CASE("Other threads take part in a call") {
  const Meeting work;
  run_together(work, {2}, 2);
  CHECK(work.owners == 1);
  CHECK(work.others == 1);
}

TEST_CASE("An exception of a piece ends the call, and later calls compute") {
  for (int turn = 0; turn < 20; ++turn) {
    CHECK_THROWS_WITH(run_together(Failing(), {4, 40}, 3), "piece 5");
    const CountedPieces work({20});
    run_together(work, work.ends, 3);
    CHECK(work.all_ran_once());
  }
}

TEST_CASE("Calls of several threads at once are all computed") {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int turn = 0; turn < 100; ++turn) {
        const CountedPieces work({9, 30});
        run_together(work, work.ends, 3);
        if (!work.all_ran_once()) ++wrong;
      }
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}

}  // namespace imago::small
