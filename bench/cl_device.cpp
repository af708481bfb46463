// This file implements the common OpenCL parts of the benchmark.
#include "bench/cl_device.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "catalogue/stored.hpp"

namespace imago::bench {
namespace {

cl::Buffer make_buffer(const cl::Context& context, std::size_t size) {
  cl_int code = CL_SUCCESS;
  cl::Buffer buffer(context, CL_MEM_READ_WRITE, size, nullptr, &code);
  check(code, "clCreateBuffer");
  return buffer;
}

cl::Event marker(const cl::CommandQueue& queue) {
  cl_event event = nullptr;
  check(clEnqueueMarkerWithWaitList(queue(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
  return cl::Event(event);
}

cl_ulong end_of(const cl::Event& event) {
  cl_ulong time = 0;
  check(clGetEventProfilingInfo(event(), CL_PROFILING_COMMAND_END, sizeof(time), &time, nullptr),
        "clGetEventProfilingInfo");
  return time;
}

template <Precision precision>
std::vector<double> read_as(const cl::CommandQueue& queue, const cl::Buffer& buffer,
                            std::size_t first, std::size_t count) {
  using Stored = catalogue::Stored<precision>;
  std::vector<typename Stored::Word> host(count);
  constexpr std::size_t kSize = sizeof(typename Stored::Word);
  check(clEnqueueReadBuffer(queue(), buffer(), CL_TRUE, first * kSize, count * kSize, host.data(),
                            0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  std::vector<double> values(count);
  std::transform(host.begin(), host.end(), values.begin(),
                 [](auto word) { return static_cast<double>(Stored::unpack(word)); });
  return values;
}

}  // namespace

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) base::device_error(call, "OpenCL error", code);
}

ClDevice::ClDevice(const cl::Device& device, Clock clock) : device_(device), clock_(clock) {
  cl_int code = CL_SUCCESS;
  context_ = cl::Context(device_, nullptr, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  note_ = clock_ == Clock::automatic ? "the device is a CPU" : "as asked for";
  if (clock_ == Clock::automatic) clock_ = is_cpu() ? Clock::host : consistent_clock();
  make_queue(clock_);
}

void ClDevice::make_queue(Clock clock) {
  cl_int code = CL_SUCCESS;
  const cl_command_queue_properties flags = clock == Clock::device ? CL_QUEUE_PROFILING_ENABLE : 0;
  queue_ = cl::CommandQueue(context_, device_, flags, &code);
  check(code, "clCreateCommandQueue");
}

// Profiled markers are rarely used, and some drivers stamp them at submission. For back-to-back
// copies, device time must be nearly as long as host time, and never longer.
Clock ClDevice::consistent_clock() {
  constexpr std::size_t kBytes = std::size_t{64} << 20;
  constexpr std::size_t kCalls = 100;
  const cl::Buffer from = make_buffer(context_, kBytes), to = make_buffer(context_, kBytes);
  const auto copy = [&] {
    check(clEnqueueCopyBuffer(queue_(), from(), to(), 0, 0, kBytes, 0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
  };
  make_queue(Clock::device);
  double seconds[2];
  for (const Clock clock : {Clock::host, Clock::device}) {
    clock_ = clock;
    seconds[clock == Clock::device] = time(copy, kCalls);
  }
  const double share = seconds[1] / seconds[0];
  note_ = "100 copies took " + std::to_string(share) + " of the host's time by the device's clock";
  return share > 0.8 && share < 1.05 ? Clock::device : Clock::host;
}

bool ClDevice::is_cpu() const {
  return (device_.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
}

std::string ClDevice::refusal(const Case& problem) const {
  const auto largest = device_.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  const auto all = device_.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  const std::size_t size = spectrum_bytes(problem);
  constexpr std::size_t kArrays = 5;  // signal, data, other; workspace and some memory for the
                                      // other libraries
  if (problem.precision == Precision::f64 && device_.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() == 0)
    return "the device has no f64";
  if (size > largest) return "larger than the device's largest allocation";
  if (kArrays * size > all) return "larger than a fifth of the device's memory";
  return {};
}

void ClDevice::set_case(const Case& problem, const Signal& signal) {
  problem_ = problem;
  const std::size_t size = spectrum_bytes(problem);
  signal_ = data_ = other_ = cl::Buffer();
  signal_ = make_buffer(context_, size);
  data_ = make_buffer(context_, size);
  other_ = make_buffer(context_, size);
  // Writes all pages now, so that no engine touches them first.
  for (const cl::Buffer* buffer : {&signal_, &data_, &other_})
    check(clEnqueueWriteBuffer(queue_(), (*buffer)(), CL_TRUE, 0, signal.data.size(),
                               signal.data.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
}

void ClDevice::load() const {
  check(clEnqueueCopyBuffer(queue_(), signal_(), data_(), 0, 0, signal_bytes(problem_), 0, nullptr,
                            nullptr),
        "clEnqueueCopyBuffer");
  finish();
}

const cl::Buffer& ClDevice::result() const { return in_place(problem_) ? data_ : other_; }

std::vector<double> ClDevice::read(std::size_t first, std::size_t count) const {
  return catalogue::with_precision(problem_.precision, [&]<Precision precision>() {
    return read_as<precision>(queue_, result(), first, count);
  });
}

void ClDevice::finish() const { check(clFinish(queue_()), "clFinish"); }

double ClDevice::time(const std::function<void()>& enqueue, std::size_t calls) const {
  if (clock_ == Clock::host)
    return time_train(
        enqueue, [this] { finish(); }, calls);
  enqueue();  // keeps the device busy while the first timed ones are enqueued
  const cl::Event before = marker(queue_);
  for (std::size_t i = 0; i < calls; ++i) enqueue();
  const cl::Event after = marker(queue_);
  finish();
  return static_cast<double>(end_of(after) - end_of(before)) * 1e-9;
}

double ClWork::run(std::size_t calls) {
  return device_->time([this] { enqueue(); }, calls);
}

std::vector<double> ClWork::read(std::size_t first, std::size_t count) {
  return device_->read(first, count);
}

}  // namespace imago::bench
