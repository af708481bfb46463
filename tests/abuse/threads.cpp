// This program runs many threads on the public interface, with `c` also on that of C. They create
// plans, share plans, workspaces and sparse plans, and clear the caches meanwhile; every result is
// checked. It runs with the thread sanitizer (the preset `tsan`) and without it.
//
//   imago_threads [<seconds> [<seed> [c]]]
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include <imago/imago.hpp>

#include "c_threads.hpp"

namespace {

using namespace imago;
using Numbers = std::vector<std::complex<float>>;

constexpr std::size_t kLengths[] = {64, 97, 360, 1000, 2048, 4096};
constexpr std::uint64_t kSparse = 16384;
constexpr unsigned kThreads = 8;

std::atomic<unsigned long long> calls{0}, findings{0};

void find(const std::string& what) {
  ++findings;
  std::printf("FINDING %s\n", what.c_str());
}

/// The objects that all threads share.
struct Common {
  cl::Device device = find_device();
  cl::Context context{device};
  std::shared_ptr<Workspace> workspace = std::make_shared<Workspace>(context, device, 1 << 20);
  std::vector<Plan> plans;
  std::vector<SparsePlan> sparse;
  std::optional<abuse::SharedInC> in_c;

  explicit Common(bool has_c) {
    if (has_c) in_c.emplace(context, device);
    for (const std::size_t n : kLengths) plans.push_back(make(n));
    SparseTransform t;
    t.length = kSparse, t.sparsity = 2;
    sparse.emplace_back(context, device, t);
  }
  Plan make(std::size_t n) const {
    Options options;
    options.scratch.workspace = workspace;
    return {context, device, {.lengths = {n}}, options};
  }
};

/// A thread with its own queue.
class Thread {
 public:
  Thread(const Common& common, std::uint64_t seed)
      : common_(common), random_(seed), queue_(common.context, common.device) {}

  void step() {
    switch (random_() % 16) {
      case 0:
        return release_memory();
      case 1:
        return set_log([](LogLevel, const std::string&) {});
      case 2:
        return set_log({});
      case 3:
        return static_cast<void>(good_size(common_.device, 1 + random_() % 5000));
      case 4:
        return sparse();
      case 7:
      case 8:
      case 9: {
        if (!common_.in_c) return;
        ++calls;
        const std::string wrong = common_.in_c->step(queue_, random_);
        return wrong.empty() ? void() : find(wrong);
      }
      case 5:
      case 6: {
        const std::size_t n = kLengths[random_() % std::size(kLengths)];
        return check(common_.make(n), n);
      }
      default: {
        const std::size_t i = random_() % std::size(kLengths);
        return check(common_.plans[i], kLengths[i]);
      }
    }
  }

 private:
  /// Checks the spectrum of an impulse.
  void check(const Plan& plan, std::size_t n) {
    const std::size_t place = random_() % n;
    Numbers data(n);
    data[place] = 1;
    const cl::Buffer in(common_.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 8 * n,
                        data.data()),
        out(common_.context, CL_MEM_READ_WRITE, 8 * n);
    plan.forward(queue_, in, out);
    if (queue_.enqueueReadBuffer(out, CL_TRUE, 0, 8 * n, data.data()) != CL_SUCCESS)
      throw std::runtime_error("a buffer cannot be read");
    ++calls;
    for (std::size_t k = 0; k < n; ++k) {
      const double angle = -2 * M_PI * static_cast<double>(place * k % n) / static_cast<double>(n);
      const std::complex<float> want(static_cast<float>(std::cos(angle)),
                                     static_cast<float>(std::sin(angle)));
      if (!(std::abs(data[k] - want) < 1e-5f))
        return find("a wrong result of " + std::to_string(n) + " points");
    }
  }
  /// Checks a sparse transform of one tone.
  void sparse() {
    const std::uint64_t tone = random_() % kSparse;
    Numbers data(kSparse);
    for (std::uint64_t j = 0; j < kSparse; ++j) {
      const double angle = 2 * M_PI * static_cast<double>(j * tone % kSparse) / kSparse;
      data[j] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
    }
    const cl::Buffer in(common_.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 8 * kSparse,
                        data.data());
    const auto answer = common_.sparse[0].forward(queue_, in);
    ++calls;
    if (answer.indices != std::vector<std::uint64_t>{tone}) find("a tone was not found, or more");
  }

  const Common& common_;
  std::mt19937_64 random_;
  cl::CommandQueue queue_;
};

void storm(double seconds, std::uint64_t seed, bool has_c) {
  const Common common(has_c);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      try {
        Thread thread(common, seed * kThreads + i);
        while (std::chrono::steady_clock::now() < end) thread.step();
      } catch (const std::exception& error) {
        find(std::string("an exception: ") + error.what());
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace

int main(int count, char** words) {
  try {
    storm(count > 1 ? std::atof(words[1]) : 10,
          count > 2 ? std::strtoull(words[2], nullptr, 10) : 1, count > 3);
  } catch (const std::exception& error) {
    find(std::string("an exception: ") + error.what());
  }
  std::printf("threads: %llu calls, %llu findings\n", calls.load(), findings.load());
  std::fflush(stdout);
  // The sanitizer's own exit status counts, too. Some drivers are not quiet when they are unloaded.
  _exit(findings == 0 ? 0 : 1);
}
