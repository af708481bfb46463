// This file checks that kernels are compiled as rarely as possible, and that an invalid binary only
// causes another compilation.
#include "runtime/program.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include <imago/error.hpp>
#include <imago/watch.hpp>

#include "runtime/binary_cache.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"

namespace imago {
namespace {

using runtime::DiskCache;
using runtime::KernelCode;

KernelCode kernel(const std::string& name) {
  return {.name = name, .options = "-cl-std=CL1.2", .generate = [name] {
            return "__kernel void " + name + "(__global int* out) { out[0] = 42; }";
          }};
}

runtime::Target target(const test::Device& device) {
  return runtime::make_target(device.context(), device.device(), "test");
}

int answer(const test::Device& device, const runtime::LiveProgram& program) {
  const cl::Buffer out = device.upload(std::vector<int>{0});
  const auto kernel = program.make_kernel();
  const cl_mem memory = out();
  const std::size_t one = 1;
  runtime::check(clSetKernelArg(kernel.get(), 0, sizeof memory, &memory), "clSetKernelArg");
  cl_event done = nullptr;
  runtime::check(clEnqueueNDRangeKernel(device.queue(), kernel.get(), 1, nullptr, &one, &one, 0,
                                        nullptr, &done),
                 "clEnqueueNDRangeKernel");
  return device.download<int>(out, 1, cl::Event(done))[0];
}

TEST_CASE("a kernel is compiled once while somebody has it, from any thread",
          "[runtime][program][threads]") {
  const test::Device device;
  const test::LogLines log;
  std::vector<runtime::ProgramPointer> got(8);
  std::vector<std::thread> threads;
  for (auto& slot : got) {
    threads.emplace_back(
        [&] { slot = build(target(device), {kernel("once")}, DiskCache()).front(); });
  }
  for (auto& thread : threads) thread.join();
  CHECK(log.count("compiled once") == 1);
  for (const auto& program : got) CHECK(program == got[0]);
  CHECK(answer(device, *got[0]) == 42);
}

// Kernels from a cache that another version of the library had written computed wrong values.
TEST_CASE("kernels whose texts differ never share a binary", "[runtime][program][cache]") {
  const test::Device device;
  const test::Folder folder;
  const DiskCache disk(folder.path());
  const auto made = [](int number) {
    return KernelCode{.name = "versions",
                      .options = "-cl-std=CL1.2",
                      .text = "__kernel void versions(__global int* out) { out[0] = " +
                              std::to_string(number) + "; }"};
  };
  const auto first = build(target(device), {made(1)}, disk).front();
  CHECK(answer(device, *first) == 1);
  CHECK(answer(device, *build(target(device), {made(2)}, disk).front()) == 2);
  // Also of kernels that only the disk has, as those of a process before.
  runtime::BinaryCache::instance().clear();
  const test::LogLines log;
  CHECK(are_built(target(device), {made(2)}, disk));
  CHECK(!are_built(target(device), {made(3)}, disk));
  CHECK(answer(device, *build(target(device), {made(3)}, disk).front()) == 3);
  CHECK(log.count("compiled versions") == 1);
  // The version of the generator does not matter to them.
  const auto newer = runtime::make_target(device.context(), device.device(), "newer");
  CHECK(are_built(newer, {made(3)}, disk));
}

TEST_CASE("another context takes the binary from memory", "[runtime][program]") {
  const test::Device one, two;
  const test::LogLines log;
  build(target(one), {kernel("shared_binary")}, DiskCache());
  const auto program = build(target(two), {kernel("shared_binary")}, DiskCache()).front();
  CHECK(log.count("compiled shared_binary") == 1);
  CHECK(answer(two, *program) == 42);
  runtime::BinaryCache::instance().clear();
  build(target(one), {kernel("shared_binary")}, DiskCache());
  CHECK(log.count("compiled shared_binary") == 2);
}

TEST_CASE("a kernel that two contexts need at once is compiled once",
          "[runtime][program][threads]") {
  const test::Device one, two;
  const test::LogLines log;
  std::atomic<bool> writing = false, wanted = false;
  auto slow = kernel("twice_wanted");
  slow.generate = [&, generate = slow.generate] {
    writing = true;
    while (!wanted) std::this_thread::yield();
    std::this_thread::sleep_for(
        std::chrono::milliseconds(100));  // meanwhile the other thread arrives
    return generate();
  };
  runtime::ProgramPointer second;
  std::thread other([&] {
    while (!writing) std::this_thread::yield();
    wanted = true;
    second = build(target(two), {slow}, DiskCache()).front();
  });
  const auto first = build(target(one), {slow}, DiskCache()).front();
  other.join();
  CHECK(answer(one, *first) == 42);
  CHECK(answer(two, *second) == 42);
  CHECK(log.count("compiled twice_wanted") == 1);
}

TEST_CASE("another generator's binary is not taken", "[runtime][program]") {
  const test::Device device;
  const test::LogLines log;
  build(target(device), {kernel("versioned")}, DiskCache());
  auto other = target(device);
  other.generator = "another";
  build(other, {kernel("versioned")}, DiskCache());
  CHECK(log.count("compiled versioned") == 2);
}

TEST_CASE("a program and the log tell what the driver took", "[runtime][program]") {
  const test::Device device;
  const test::LogLines log;
  auto timed = kernel("timed");
  timed.rehearse = [](cl_kernel) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); };
  {
    const auto programs = build(target(device), {kernel("untimed"), timed}, DiskCache());
    CHECK(programs[0]->made().compiled);
    CHECK(programs[1]->made().compiled);
    CHECK(programs[1]->made().seconds >= 0.03);
    CHECK(log.count("compiled timed in ") == 1);
    CHECK(log.count(" characters") == 2);
    CHECK(log.count("2 of 2 kernels were compiled") == 1);
  }
  const auto again = build(target(device), {timed, kernel("third_timed")}, DiskCache());
  CHECK_FALSE(again[0]->made().compiled);
  CHECK(again[0]->made().seconds > 0);
  CHECK(log.count("loaded timed in ") == 1);
  CHECK(log.count("1 of 2 kernels were compiled") == 1);
  build(target(device), {timed}, DiskCache());
  CHECK(log.count("building took") == 2);  // no message if nothing was compiled
}

TEST_CASE("several kernels are built together, in their order", "[runtime][program]") {
  const test::Device device;
  const auto programs =
      build(target(device), {kernel("first"), kernel("second"), kernel("third")}, DiskCache());
  REQUIRE(programs.size() == 3);
  CHECK(programs[0]->name() == "first");
  CHECK(programs[2]->name() == "third");
  CHECK(answer(device, *programs[1]) == 42);
}

TEST_CASE("a BuildWatch reports the number of kernels built in its thread", "[runtime][program]") {
  const test::Device device;
  using Counts = std::vector<std::pair<std::size_t, std::size_t>>;
  Counts outer, inner;
  const BuildWatch watch([&](std::size_t built, std::size_t of) { outer.emplace_back(built, of); });
  {
    const BuildWatch nested(
        [&](std::size_t built, std::size_t of) { inner.emplace_back(built, of); });
    build(target(device), {kernel("watched_1"), kernel("watched_2")}, DiskCache());
  }
  // Between the steps of a kernel, the counts are the same as before.
  const auto different = [](Counts counts) {
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
  };
  CHECK(different(inner) == Counts{{0, 2}, {1, 2}, {2, 2}});
  CHECK(outer.empty());
  build(target(device), {kernel("watched_3")}, DiskCache());
  CHECK(different(outer) == Counts{{0, 1}, {1, 1}});
  const std::size_t calls = outer.size();
  std::thread([&] { build(target(device), {kernel("watched_4")}, DiskCache()); }).join();
  CHECK(outer.size() == calls);  // the watch is for its thread only
}

TEST_CASE("an exception thrown by a BuildWatch ends the build", "[runtime][program]") {
  struct Interrupted {};
  const test::Device device;
  const test::LogLines log;
  const BuildWatch watch([](std::size_t, std::size_t) { throw Interrupted(); });
  CHECK_THROWS_AS(build(target(device), {kernel("ended_1"), kernel("ended_2")}, DiskCache()),
                  Interrupted);
  CHECK(log.count("compiled ended") == 0);
}

TEST_CASE("a process with an empty cache in memory loads from the disk", "[runtime][program]") {
  const test::Device device;
  const test::Folder folder;
  const DiskCache disk(folder.path());
  auto& memory = runtime::BinaryCache::instance();
  const auto build_again = [&] {
    memory.clear();
    return build(target(device), {kernel("stored")}, disk).front();
  };
  const test::LogLines log;
  build_again();
  CHECK(log.count("compiled stored") == 1);
  CHECK(answer(device, *build_again()) == 42);
  CHECK(log.count("compiled stored") == 1);

  SECTION("a binary that the driver does not take is compiled again") {
    base::Digest key;
    const auto name = folder.files().at(0).stem().string();
    std::from_chars(name.data(), name.data() + 16, key.high, 16);
    std::from_chars(name.data() + 16, name.data() + 32, key.low, 16);
    disk.save(key, "this is no binary");
    CHECK(answer(device, *build_again()) == 42);
    CHECK(log.count("rejects the cached binary") == 1);
    CHECK(log.count("compiled stored") == 2);
    CHECK(answer(device, *build_again()) == 42);  // the entry is valid again
    CHECK(log.count("compiled stored") == 2);
  }
  SECTION("a truncated file is compiled again") {
    std::filesystem::resize_file(folder.files().at(0), 100);
    CHECK(answer(device, *build_again()) == 42);
    CHECK(log.count("compiled stored") == 2);
  }
  SECTION("without a disk it is compiled again") {
    memory.clear();
    build(target(device), {kernel("stored")}, DiskCache());
    CHECK(log.count("compiled stored") == 2);
  }
}

TEST_CASE("a kernel that does not compile", "[runtime][program]") {
  const test::Device device;
  const KernelCode broken{.name = "broken",
                          .generate = [] { return "__kernel void broken() { nonsense; }"; }};
  try {
    build(target(device), {kernel("fine"), broken}, DiskCache());
    FAIL("no exception");
  } catch (const DeviceError& error) {
    CHECK(error.code() == CL_BUILD_PROGRAM_FAILURE);
    CHECK(error.kernel() == "broken");
    CHECK_THAT(error.build_log(), test::ContainsSubstring("nonsense"));
    CHECK_THAT(error.what(), test::ContainsSubstring("CL_BUILD_PROGRAM_FAILURE (-11)"));
  }
}

TEST_CASE("a device must be one of the context's", "[runtime]") {
  const test::Device device;
  CHECK_THROWS_AS(runtime::make_target(nullptr, device.device(), "test"), InvalidArgument);
  CHECK_THROWS_AS(runtime::make_target(device.context(), nullptr, "test"), InvalidArgument);
}

}  // namespace
}  // namespace imago
