// This file checks the execution of Programs with handwritten kernels: every argument in its place,
// launches in order on every type of queue, and independent threads.
#include "runtime/executable.hpp"

#include <chrono>
#include <complex>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <imago/error.hpp>

#include "runtime/signature.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"

namespace imago {
namespace {

using Complex = std::complex<float>;
constexpr std::size_t kLength = 8;

// Multiplies element k by scale and by entry k of the table, and rotates each row by one element,
// through local memory.
constexpr const char* kSource = R"(
__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void twist(__global const float2* in, __global float2* out, __global const float2* table,
           int batch, long in_offset, long in_distance, long out_offset,
           long out_distance, float scale) {
  __local float2 row[8];
  const int k = get_local_id(0);
  const int b = get_group_id(0);
  if (b < batch) row[k] = in[in_offset + b * in_distance + k];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (b >= batch) return;
  const float2 x = row[(k + 1) % 8], w = table[k];
  out[out_offset + b * out_distance + k] = scale * (float2)(x.x * w.x - x.y * w.y, x.x * w.y + x.y * w.x);
}
)";

kernel::Step twist_step() {
  kernel::Step step;
  step.length = kLength;
  step.group().items = kLength;
  step.scaled = true;
  step.has_table = true;
  return step;
}

/// Returns a program of `launches` twists, with scratch in between.
kernel::Program twist_program(std::size_t launches, std::size_t batch) {
  kernel::Program program;
  program.steps = {twist_step()};
  program.tables = {{Precision::f32, false, {kernel::TwiddleSection{kLength, kLength, {1}, true}}}};
  for (std::size_t i = 0; i < launches; ++i) {
    kernel::Launch launch;
    launch.table = 0;
    launch.in = {i == 0 ? kernel::Memory::input : kernel::Memory::scratch, 0, kLength};
    launch.out = {i + 1 == launches ? kernel::Memory::output : kernel::Memory::scratch, 0, kLength};
    if (i > 0) launch.in.offset = (i - 1) * batch * kLength;
    if (i + 1 < launches) launch.out.offset = i * batch * kLength;
    launch.scale = 0.5;
    launch.batch = batch;
    launch.groups = batch + 1;  // one group too many: the kernel checks the batch
    program.launches.push_back(launch);
  }
  return program;
}

std::vector<Complex> twisted(std::vector<Complex> x, std::size_t times) {
  for (; times > 0; --times) {
    const auto before = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t k = i % kLength, row = i - k;
      x[i] = 0.5f * before[row + (k + 1) % kLength] *
             std::polar(1.0f, -2 * 3.14159265358979f * static_cast<float>(k) / kLength);
    }
  }
  return x;
}

std::vector<Complex> numbers(std::size_t count, float first = 1) {
  std::vector<Complex> x(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = {first + static_cast<float>(i), -static_cast<float>(i)};
  return x;
}

bool close(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  float worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return a.size() == b.size() && worst < 1e-3f;
}

runtime::Target target_of(const test::Device& device) {
  return runtime::make_target(device.context(), device.device(), "test");
}

struct Bench : test::Device {
  runtime::Target target = target_of(*this);
  std::vector<runtime::ProgramPointer> kernels =
      build(target, {{.name = "twist", .options = "-cl-std=CL1.2", .text = kSource}},
            runtime::DiskCache());

  cl::Event run(const runtime::Executable& executable, runtime::Call call) const {
    call.wants_event = true;
    return cl::Event(executable.enqueue(call).take());
  }
};

TEST_CASE("every argument is in its place", "[runtime][executable]") {
  const Bench bench;
  auto program = twist_program(1, 3);
  program.launches[0].in.distance = 10;
  program.launches[0].out.distance = 9;
  program.launches[0].in.offset = 1;
  program.launches[0].out.offset = 2;
  const runtime::Executable executable(bench.target, program, bench.kernels);

  const auto in = numbers(40);
  const auto source = bench.upload(in), result = bench.upload(std::vector<Complex>(40));
  runtime::Call call;
  call.queue = bench.queue();
  call.input = {source(), nullptr, 4};
  call.output = {result(), nullptr, 5};
  const auto out = bench.download<Complex>(result, 40, bench.run(executable, call));

  std::vector<Complex> expected(40);
  for (std::size_t b = 0; b < 3; ++b) {
    const auto from = in.begin() + 5 + 10 * b;
    const auto row = twisted({from, from + kLength}, 1);
    std::copy(row.begin(), row.end(), expected.begin() + 7 + 9 * b);
  }
  CHECK(close(out, expected));
}

TEST_CASE("launches follow each other on in-order and out-of-order queues",
          "[runtime][executable]") {
  const Bench bench;
  constexpr std::size_t kBatch = 64, kLaunches = 6;
  const runtime::Executable executable(bench.target, twist_program(kLaunches, kBatch),
                                       bench.kernels);
  const auto in = numbers(kBatch * kLength);
  const auto source = bench.upload(in), result = bench.upload(std::vector<Complex>(in.size()));
  const auto scratch = bench.upload(std::vector<Complex>(in.size() * (kLaunches - 1)));
  for (const bool in_order : {true, false}) {
    const auto queue = in_order ? bench.queue : bench.out_of_order();
    const cl::UserEvent gate(bench.context);
    const cl_event wait = gate();
    runtime::Call call;
    call.queue = queue();
    call.in_order = in_order;
    call.input = {source()};
    call.output = {result()};
    call.scratch.memory = scratch();
    call.waits = {&wait, 1};
    const auto done = bench.run(executable, call);
    queue.flush();
    CHECK(done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
    const_cast<cl::UserEvent&>(gate).setStatus(CL_COMPLETE);
    CHECK(close(bench.download<Complex>(result, in.size(), done), twisted(in, kLaunches)));
  }
}

TEST_CASE("eight threads share an executable", "[runtime][executable][threads]") {
  const Bench bench;
  constexpr std::size_t kBatch = 5;
  const runtime::Executable executable(bench.target, twist_program(1, kBatch), bench.kernels);
  std::vector<int> right(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const auto queue = bench.make_queue();
      const auto in = numbers(kBatch * kLength, static_cast<float>(t * 100));
      const auto expected = twisted(in, 1);
      for (int round = 0; round < 50; ++round) {
        const auto source = bench.upload(in),
                   result = bench.upload(std::vector<Complex>(in.size()));
        runtime::Call call;
        call.queue = queue();
        call.input = {source()};
        call.output = {result()};
        const auto done = bench.run(executable, call);
        right[t] += close(bench.download<Complex>(result, in.size(), done), expected);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(right == std::vector<int>(8, 50));
}

TEST_CASE("a program without launches still orders events", "[runtime][executable]") {
  const Bench bench;
  const runtime::Executable executable(bench.target, {}, {});
  cl::UserEvent gate(bench.context);
  const cl_event wait = gate();
  runtime::Call call;
  call.queue = bench.queue();
  call.waits = {&wait, 1};
  const auto done = bench.run(executable, call);
  CHECK(done.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE);
  gate.setStatus(CL_COMPLETE);
  CHECK(done.wait() == CL_SUCCESS);
}

TEST_CASE("tables are uploaded once per context and go with their last user",
          "[runtime][executable]") {
  const Bench one;
  const test::Device two;
  const kernel::Table table{Precision::f64, false, {kernel::TwiddleSection{12, 5, {1, 2}, true}}};
  const auto first = runtime::upload(one.target, table);
  CHECK(runtime::upload(one.target, table) == first);
  CHECK(runtime::upload(target_of(two), table) != first);
  const auto size = runtime::info<std::size_t>(clGetMemObjectInfo, "clGetMemObjectInfo",
                                               first->get(), CL_MEM_SIZE);
  CHECK(size == table.bytes());
}

TEST_CASE("large spectra are read from the disk, and computed where that is damaged",
          "[runtime][executable]") {
  const test::Device device;
  const test::Folder folder;
  const runtime::DiskCache disk(folder.path());
  const auto precision = GENERATE(Precision::f32, Precision::f64);
  const kernel::Table table{
      precision,
      true,
      {kernel::ChirpSection{5000}, kernel::SpectrumSection{kernel::Chirp{5000}, 10000}}};
  const auto contents = [&](const runtime::DiskCache& from) {  // in a new buffer each time
    const auto buffer = runtime::upload(target_of(device), table, from);
    std::vector<char> bytes(table.bytes());
    runtime::check(clEnqueueReadBuffer(device.queue(), buffer->get(), CL_TRUE, 0, bytes.size(),
                                       bytes.data(), 0, nullptr, nullptr),
                   "clEnqueueReadBuffer");
    return bytes;
  };
  const auto right = contents({});
  CHECK(folder.files().empty());
  CHECK(contents(disk) == right);
  REQUIRE(folder.files().size() == 1);
  CHECK(contents(disk) == right);
  const auto file = folder.files().at(0);
  const auto size = std::filesystem::file_size(file);
  CHECK(size > 2 * 10000 * (precision == Precision::f64 ? 8 : 4));
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary)
      .seekp(static_cast<std::streamoff>(size / 2))
      .write("damage!", 7);
  const test::LogLines log;
  CHECK(contents(disk) == right);
  CHECK(log.count("damaged") == 1);
  CHECK(contents(disk) == right);  // it was written again
  CHECK(log.count("damaged") == 1);
}

TEST_CASE("each spectrum has one file on the disk, and a read renews its age",
          "[runtime][executable]") {
  const test::Device device;
  const test::Folder folder, other;
  const auto write = [&](const test::Folder& to, std::uint64_t points) {
    runtime::upload(
        target_of(device),
        {Precision::f32, false, {kernel::SpectrumSection{kernel::Chirp{points}, 10000}}},
        runtime::DiskCache(to.path()));
  };
  write(folder, 5000), write(folder, 4999), write(other, 5000);
  CHECK(folder.files().size() == 2);
  CHECK(folder.files().at(0) != folder.files().at(1));
  const auto again = other.files().at(0);
  const auto before = std::filesystem::last_write_time(again) - std::chrono::hours(1);
  std::filesystem::last_write_time(again, before);
  write(other, 5000);
  CHECK(std::filesystem::last_write_time(again) > before);  // the read renews its age
  CHECK(other.files().size() == 1);
}

TEST_CASE("a rehearsal runs on memory of its own and its failure is no failure",
          "[runtime][executable]") {
  const Bench bench;
  const auto kernel = bench.kernels[0]->make_kernel();
  CHECK_NOTHROW(runtime::rehearse(bench.target, {{twist_step()}}, 64, kernel.get()));
  auto wrong = twist_step();
  wrong.scaled = false;  // an argument is missing
  const auto fresh = bench.kernels[0]->make_kernel();
  CHECK_NOTHROW(runtime::rehearse(bench.target, {{wrong}}, 64, fresh.get()));
}

TEST_CASE("a kernel that the driver never launches is refused at its rehearsal",
          "[runtime][executable]") {
  const Bench bench;
  const auto kernel = bench.kernels[0]->make_kernel();
  auto large = twist_step();
  large.group().items = 1u << 30;
  CHECK_THROWS_AS(runtime::rehearse(bench.target, {{large}}, 64, kernel.get()), DeviceError);
}

}  // namespace
}  // namespace imago
