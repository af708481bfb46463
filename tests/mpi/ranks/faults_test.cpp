// This file tests that all ranks throw the exception of one rank.
#include <sys/resource.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>

#include "faults/faults.hpp"
#include "reference.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

const Transform kTransform{.lengths = {8, 6, 4}};

/// Returns the rank that fails: the last one.
int culprit() { return world_size() - 1; }
bool is_culprit() { return world_rank() == culprit(); }
std::string named() { return "rank " + std::to_string(culprit()) + ": "; }

/// Returns true if all ranks threw the exception, with a text that names the failed rank and the
/// error.
template <class Exception, class Work>
bool all_throw(const std::string& part, Work work) {
  bool thrown = false;
  try {
    work();
  } catch (const Exception& error) {
    const std::string text = error.what();
    thrown = text.rfind(named(), 0) == 0 && text.find(part) != std::string::npos;
    UNSCOPED_INFO(text);
  }
  return all_of(thrown);
}

/// Returns true if the plan computes: the first point is the sum.
bool computes(mpi::Plan& plan) {
  const std::vector<std::complex<float>> in(plan.signal().elements, 1);
  std::vector<std::complex<float>> out(plan.spectrum().elements, 7);
  plan.forward(in.data(), out.data());
  std::complex<float> sum = 0;
  for (const auto& value : out) sum += value;
  return std::abs(sum_of_all(sum.real()) - 8 * 6 * 4) < 1e-3;
}

TEST_CASE("a rank with another transform", "[quick][faults]") {
  if (world_size() == 1) return;
  Transform mine = kTransform;
  if (is_culprit()) mine.lengths = {8, 6, 5};
  CHECK(all_throw<InvalidArgument>(
      "rank 0 has 8x6x4", [&] { mpi::Plan(MPI_COMM_WORLD, pool(), mine, {}, patient()); }));
}

TEST_CASE("a rank with a transform that cannot be", "[quick][faults]") {
  Transform mine = kTransform;
  if (is_culprit()) mine.lengths = {8, 0, 4};
  CHECK(all_throw<InvalidArgument>(
      "lengths[1] is 0", [&] { mpi::Plan(MPI_COMM_WORLD, pool(), mine, {}, patient()); }));
}

TEST_CASE("a rank without its array, and one whose array no device takes", "[quick][faults]") {
  for (const bool shared : {false, true}) {
    mpi::Plan plan(MPI_COMM_WORLD, pool(), kTransform, {}, patient({.share_memory = shared}));
    std::vector<std::complex<float>> in(plan.signal().elements + 1), out(plan.spectrum().elements);
    const void* const null_in = is_culprit() ? nullptr : in.data();
    CHECK(all_throw<InvalidArgument>("signal is null", [&] { plan.forward(null_in, out.data()); }));
    void* const null_out = is_culprit() ? nullptr : out.data();
    CHECK(
        all_throw<InvalidArgument>("spectrum is null", [&] { plan.forward(in.data(), null_out); }));
    const void* const odd = reinterpret_cast<const char*>(in.data()) + (is_culprit() ? 1 : 0);
    CHECK(all_throw<InvalidArgument>("a multiple of 4 bytes",
                                     [&] { plan.forward(odd, out.data()); }));
    CHECK(computes(plan));
  }
}

TEST_CASE("a rank with another kind of device", "[quick][faults]") {
  const Pool copying({find_device()}, {.copies = true});
  mpi::Plan plan(MPI_COMM_WORLD, is_culprit() ? copying : pool(), kTransform, {}, patient());
  CHECK(computes(plan));
}

TEST_CASE("a device that one rank loses in the middle of a call", "[quick][faults]") {
  for (const bool shared : {false, true}) {
    mpi::Plan plan(MPI_COMM_WORLD, pool(), kTransform, {}, patient({.share_memory = shared}));
    std::vector<std::complex<float>> in(plan.signal().elements), out(plan.spectrum().elements);
    for (const std::uint64_t at : {1, 2, 4}) {
      CAPTURE(shared, at);
      CHECK(all_throw<DeviceError>("CL_INVALID_COMMAND_QUEUE", [&] {
        const faults::Live live(is_culprit());
        faults::lose(pool().context()(), at, CL_INVALID_COMMAND_QUEUE);
        plan.forward(in.data(), out.data());
      }));
      faults::disarm();
      CHECK(computes(plan));
    }
  }
}

TEST_CASE("memory that one rank does not have", "[quick][faults]") {
  pool();  // creates the pool before memory is short
  rlimit before{}, little{};
  getrlimit(RLIMIT_AS, &before);
  little = before;
  long pages = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  REQUIRE(file != nullptr);
  const bool read = std::fscanf(file, "%ld", &pages) == 1;
  std::fclose(file);
  REQUIRE(read);
  little.rlim_cur = static_cast<rlim_t>(pages) * 4096 + (rlim_t{16} << 20);
  for (const bool shared : {false, true}) {
    if (world_size() == 1) return;
    if (is_culprit()) setrlimit(RLIMIT_AS, &little);
    const bool thrown = all_throw<Error>("not enough host memory", [&] {
      mpi::Plan(MPI_COMM_WORLD, pool(), {.lengths = {512, 512, 512}}, {},
                patient({.share_memory = shared}));
    });
    setrlimit(RLIMIT_AS, &before);
    CHECK(thrown);
  }
}

TEST_CASE("a communicator that is freed before the plan", "[quick][faults]") {
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  mpi::Plan plan(own, pool(), kTransform, {}, patient());
  MPI_Comm_free(&own);
  CHECK(computes(plan));
  mpi::Plan moved = std::move(plan);
  CHECK(computes(moved));
}

TEST_CASE("communicators that are part of the world, side by side", "[quick]") {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, world_rank(), &half);
  mpi::Plan plan(half, pool(), kTransform, {}, patient());
  MPI_Comm_free(&half);
  const std::vector<std::complex<float>> in(plan.signal().elements, 1);
  std::vector<std::complex<float>> out(plan.spectrum().elements, 7);
  plan.forward(in.data(), out.data());
  float sum = 0;
  for (const auto& value : out) sum += value.real();
  const double halves = world_size() > 1 ? 2 : 1;
  CHECK(std::abs(sum_of_all(sum) - halves * 8 * 6 * 4) < 1e-3);
}

TEST_CASE("a rank whose patience is not a time", "[quick][faults]") {
  for (const double wrong : {-1.0, std::nan("")}) {
    mpi::Options options = patient();
    if (is_culprit()) options.patience = wrong;
    CHECK(all_throw<InvalidArgument>(
        "patience is ", [&] { mpi::Plan(MPI_COMM_WORLD, pool(), kTransform, {}, options); }));
  }
}

TEST_CASE("a rank that goes the other way", "[quick][faults]") {
  if (world_size() == 1) return;
  for (const bool shared : {false, true}) {
    for (const bool forward : {false, true}) {
      mpi::Plan plan(MPI_COMM_WORLD, pool(), kTransform, {}, patient({.share_memory = shared}));
      std::vector<std::complex<float>> in(plan.signal().elements), out(plan.spectrum().elements);
      CHECK(all_throw<InvalidArgument>("the direction is ", [&] {
        if (is_culprit() == forward)
          plan.forward(in.data(), out.data());
        else
          plan.inverse(out.data(), in.data());
      }));
      CHECK(computes(plan));
    }
  }
}

TEST_CASE("a communicator between two groups", "[quick][faults]") {
  if (world_size() == 1) return;
  const int group = world_rank() == 0 ? 0 : 1;
  MPI_Comm own = MPI_COMM_NULL, between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, group, world_rank(), &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - group, 5, &between);
  CHECK_THROWS_WITH(mpi::Plan(between, pool(), kTransform, {}, patient()),
                    ContainsSubstring("intercommunicator"));
  CHECK_THROWS_AS(mpi::device_of_rank(between), InvalidArgument);
  MPI_Comm_free(&between);
  MPI_Comm_free(&own);
}

TEST_CASE("a plan that was moved from", "[quick][faults]") {
  mpi::Plan plan(MPI_COMM_WORLD, pool(), kTransform, {}, patient());
  const mpi::Plan other = std::move(plan);
  const std::vector<std::function<void()>> calls = {[&] { plan.forward(nullptr, nullptr); },
                                                    [&] { plan.inverse(nullptr, nullptr); },
                                                    [&] { plan.signal(); },
                                                    [&] { plan.spectrum(); },
                                                    [&] { plan.signal_of(0); },
                                                    [&] { plan.spectrum_of(0); },
                                                    [&] { plan.transform(); },
                                                    [&] { plan.workspace_bytes(); },
                                                    [&] { plan.describe(); }};
  for (const auto& call : calls)
    CHECK_THROWS_WITH(call(), ContainsSubstring("the plan is moved from"));
}

TEST_CASE("arguments that are wrong at every rank", "[quick][faults]") {
  CHECK_THROWS_AS(mpi::Plan(MPI_COMM_NULL, pool(), kTransform), InvalidArgument);
  mpi::Plan plan(MPI_COMM_WORLD, pool(), kTransform, {}, patient());
  CHECK_THROWS_AS(plan.signal_of(world_size()), InvalidArgument);
  CHECK_THROWS_AS(plan.spectrum_of(-1), InvalidArgument);
}

}  // namespace
}  // namespace imago::test
