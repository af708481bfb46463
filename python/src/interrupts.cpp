// This file implements interruptible work.
#include "interrupts.hpp"

#include <atomic>
#include <csignal>
#include <list>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <nanobind/nanobind.h>
#include <unistd.h>

#include <imago/watch.hpp>

#include "gil.hpp"
#include "process.hpp"

namespace nb = nanobind;

namespace imago::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kGlance(50);
constexpr std::chrono::seconds kShowAfter(1);

/// Progress of the compilation of one job.
struct Progress {
  std::atomic<std::size_t> built = 0, kernels = 0;
};

/// Ends the compilation of plans that no thread waits for any more.
struct Ended : std::runtime_error {
  Ended() : std::runtime_error("Python ends") {}
};

/// The threads of this process that work.
class Workers {
 public:
  using Done = std::shared_future<void>;

  Done start(Job job, const std::shared_ptr<Progress>& progress) {
    const std::lock_guard lock(mutex_);
    threads_.remove_if([](Worker& worker) { return worker.ended(); });
    std::packaged_task<void()> task(
        [this, job = std::move(job), progress] { work(job, *progress); });
    Done done = task.get_future().share();
    // The list's memory comes first: a running thread must have its entry.
    threads_.emplace_back(done);
    try {
      threads_.back().thread = std::thread(std::move(task));
    } catch (...) {
      threads_.pop_back();
      throw;
    }
    return done;
  }
  /// Does a job in this thread.
  void work(const Job& job, Progress& progress) const {
    const BuildWatch watch([&](std::size_t built, std::size_t kernels) {
      if (ending_) throw Ended();
      progress.built = built;
      progress.kernels = kernels;
    });
    job();
  }
  bool of_this_process() const { return owner_ == getpid(); }
  /// Ends the work. Returns true if all threads have ended within `patience`. Work that starts
  /// later ends at once.
  bool end(std::chrono::milliseconds patience) {
    ending_ = true;
    const auto until = Clock::now() + patience;
    const std::lock_guard lock(mutex_);
    for (const Worker& worker : threads_) {
      if (worker.done.wait_until(until) != std::future_status::ready) return false;
    }
    threads_.clear();
    return true;
  }

 private:
  struct Worker {
    explicit Worker(Done is) : done(std::move(is)) {}
    ~Worker() {
      if (thread.joinable()) thread.join();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    bool ended() const {
      return done.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    }
    Done done;
    std::thread thread;
  };

  const pid_t owner_ = getpid();
  std::mutex mutex_;
  std::list<Worker> threads_;
  std::atomic<bool> ending_ = false;
};

/// Returns the workers of this process: a forked child has none of its parent's threads. They are
/// never destroyed, because a forked child cannot join its parent's threads.
Workers& workers() {
  static std::atomic<Workers*> instance = nullptr;
  Workers* known = instance;
  while (!known || !known->of_this_process()) {
    auto fresh = std::make_unique<Workers>();
    if (instance.compare_exchange_strong(known, fresh.get())) return *fresh.release();
  }
  return *known;
}

/// Waits in Python's main thread. Throws the exception of a signal's handler or of the progress
/// function.
class MainThread {
 public:
  explicit MainThread(std::shared_ptr<const Progress> progress) : progress_(std::move(progress)) {}
  ~MainThread() {
    if (!shown_) return;
    const Acquired gil;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    try {
      nb::module_::import_("imago._progress").attr("clear")();
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("imago's progress");
    }
    PyErr_Restore(type, value, trace);
  }
  MainThread(const MainThread&) = delete;
  MainThread& operator=(const MainThread&) = delete;

  void wait(const Ready& ready) {
    while (!ready(kGlance)) {
      const Acquired gil;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      show();
    }
  }

 private:
  void show() {
    const std::chrono::duration<double> elapsed = Clock::now() - begun_;
    if (!progress_ || elapsed < kShowAfter) return;
    shown_ = true;
    const std::size_t built = progress_->built, kernels = progress_->kernels;
    // PoCL also compiles at the first launch of a kernel.
    const char* const stage = built < kernels ? "compiling kernels"
                              : kernels > 0   ? "compiling and computing"
                                              : "computing";
    nb::module_::import_("imago._progress").attr("show")(stage, built, kernels, elapsed.count());
  }

  const Clock::time_point begun_ = Clock::now();
  const std::shared_ptr<const Progress> progress_;
  bool shown_ = false;
};

}  // namespace

void work_interruptibly(Job job) {
  const auto progress = std::make_shared<Progress>();
  if (!in_main_thread()) return workers().work(job, *progress);
  Workers::Done done;
  try {
    done = workers().start(job, progress);
  } catch (const std::system_error&) {  // no thread can be created
    return workers().work(job, *progress);
  }
  MainThread(progress).wait([&](std::chrono::milliseconds patience) {
    return done.wait_for(patience) == std::future_status::ready;
  });
}

void wait_interruptibly(const Ready& ready) {
  if (ready(std::chrono::milliseconds(0))) return;
  if (in_main_thread()) return MainThread(nullptr).wait(ready);
  while (!ready(std::chrono::hours(1))) {
  }
}

void end_work() {
  call_at_exit(wait_for_released);
  for (;;) {
    {
      const Released released;
      if (workers().end(kGlance)) return;
    }
    if (PyErr_CheckSignals() == 0) continue;
    PyErr_Clear();
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
}

}  // namespace imago::python
