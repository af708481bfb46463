// Tests of shared calls in forked processes and on some cores only.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "small/computation.hpp"
#include "small/cores.hpp"
#include "small/functions.hpp"
#include "small/team.hpp"
#include "support/catch.hpp"

namespace imago::small {
namespace {

/// Its pieces wait until two threads have come.
class Pair final : public SteppedWork {
 public:
  void run(std::size_t, std::size_t, bool own) const override {
    (own ? owners : others) = Cores::own().count();
    while (owners == 0 || others == 0) sched_yield();
  }
  mutable std::atomic<std::size_t> owners = 0, others = 0;  ///< numbers of their cores
};

}  // namespace

#if !defined(__SANITIZE_THREAD__)  // it allows no threads after fork()
TEST_CASE("A forked process has threads of its own") {
  run_together(Pair(), {2}, 2);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // a thread that does not exist never comes
    for (int turn = 0; turn < 10; ++turn) run_together(Pair(), {2}, 2);
    _exit(0);
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  run_together(Pair(), {2}, 2);
}
#endif

#if defined(__linux__)
namespace {

/// Keeps the calling thread on its first core while it lives.
class OneCore {
 public:
  OneCore() {
    sched_getaffinity(0, sizeof all_, &all_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
      if (CPU_ISSET(core, &all_)) CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneCore() { sched_setaffinity(0, sizeof all_, &all_); }

 private:
  cpu_set_t all_;
};

template <class Real>
std::vector<Real> result_of(const SmallComputation& computation, const std::vector<Real>& x,
                            std::size_t numbers) {
  std::vector<Real> y(numbers, Real{-3});
  computation.run(x.data(), y.data());
  return y;
}

SmallRequest shared_request(Precision precision,
                            std::vector<std::pair<Kind, std::size_t>> dimensions, std::size_t gap,
                            bool inverse) {
  SmallRequest request;
  request.precision = precision, request.inverse = inverse;
  std::size_t from = 1, to = 1;
  for (auto i = dimensions.rbegin(); i != dimensions.rend(); ++i) {
    const auto [kind, length] = *i;
    request.dimensions.insert(request.dimensions.begin(), {kind, length, from, to});
    const std::size_t half = length / 2 + 1;
    from *= (kind == Kind::real && inverse ? half : length) + gap;
    to *= (kind == Kind::real && !inverse ? half : length) + gap;
  }
  return request;
}

template <class Real>
void check_bits(const SmallRequest& request) {
  const auto computation = SmallComputation::make(request);
  REQUIRE(computation);
  const SmallExtent& first = request.dimensions[0];
  std::mt19937 random(7);
  std::vector<Real> x(2 * first.length * first.from_stride);
  for (Real& number : x) number = static_cast<Real>(random()) / static_cast<Real>(random.max());
  const std::size_t numbers = 2 * first.length * first.to_stride;
  const auto bits = [](const std::vector<Real>& y) {
    return std::string(reinterpret_cast<const char*>(y.data()), y.size() * sizeof(Real));
  };
  std::string alone;
  {
    const OneCore core;
    CHECK(most_threads() == 1);
    alone = bits(result_of(*computation, x, numbers));
  }
  for (int turn = 0; turn < 5; ++turn) CHECK(bits(result_of(*computation, x, numbers)) == alone);
  // Members of a batch are strangers, also in threads.
  if (first.kind != Kind::identity) return;
  x[0] = std::numeric_limits<Real>::quiet_NaN();
  const std::string others = bits(result_of(*computation, x, numbers));
  const bool wide = alone.size() > 0 && request.dimensions.size() > 1;
  const std::size_t member = 2 * first.to_stride * sizeof(Real);
  CHECK((wide && others.substr(member) == alone.substr(member)));
}

}  // namespace

TEST_CASE("Threads keep to the cores of the caller") {
  const std::size_t cores = Cores::own().count();
  for (int turn = 0; turn < 3; ++turn) {
    const Pair everywhere;
    run_together(everywhere, {2}, 2);
    CHECK(everywhere.others == std::max<std::size_t>(cores, 2) - 1);  // not the caller's own
    const OneCore core;
    const Pair there;
    run_together(there, {2}, 2);
    CHECK(there.others == 1);
  }
}

TEST_CASE("Results have the same bits with one thread and with several") {
  if (instruction_set().empty()) return;
  for (const bool inverse : {false, true}) {
    for (const std::size_t gap : {0, 3}) {
      INFO("inverse " << inverse << ", gap " << gap);
      check_bits<float>(shared_request(
          Precision::f32, {{Kind::identity, 300}, {Kind::complex, 1000}}, gap, inverse));
      // Rows come in groups, and some remain.
      check_bits<float>(shared_request(
          Precision::f32, {{Kind::identity, 3011}, {Kind::complex, 96}}, gap, inverse));
      check_bits<double>(shared_request(
          Precision::f64, {{Kind::complex, 180}, {Kind::complex, 210}}, gap, inverse));
      check_bits<float>(
          shared_request(Precision::f32, {{Kind::complex, 256}, {Kind::real, 300}}, gap, inverse));
      check_bits<double>(shared_request(
          Precision::f64, {{Kind::identity, 9}, {Kind::dct2, 64}, {Kind::dct2, 80}}, gap, inverse));
    }
  }
}
#endif

}  // namespace imago::small
