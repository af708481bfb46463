// This file implements the trial of candidates.
#include "tune/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <random>

#include "base/errors.hpp"
#include "base/fft.hpp"
#include "runtime/opencl.hpp"

namespace imago::tune {
namespace {

using runtime::check;

constexpr std::size_t kMembers = 3;         // different signals; more of a batch repeat them
constexpr std::size_t kGuard = 1024;        // elements beside an array that nobody may write
constexpr std::size_t kVerified = 1 << 16;  // elements, about
constexpr std::size_t kContenders = 12;     // plans that stay alive
constexpr unsigned char kMark = 0xA5;       // of the guards, and of results nobody has written

std::size_t element_bytes(Precision precision) { return precision == Precision::f64 ? 16 : 8; }

/// Twice the published bound (docs/architecture.md), as for the worst transform.
double tolerance(Precision precision, std::size_t length) {
  const double unit = precision == Precision::f64 ? 4e-17 : 2e-8;
  return 2 * unit * (4 + std::log2(static_cast<double>(length)));
}

cl::Buffer make_buffer(const cl::Context& context, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  const cl_mem buffer = clCreateBuffer(context(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
  check(code, "clCreateBuffer");
  return cl::Buffer(buffer);  // takes the reference over
}

cl::CommandQueue make_queue(const cl::Context& context, const cl::Device& device) {
  cl_int code = CL_SUCCESS;
  const cl_command_queue queue =
      clCreateCommandQueue(context(), device(), CL_QUEUE_PROFILING_ENABLE, &code);
  check(code, "clCreateCommandQueue");
  return cl::CommandQueue(queue);
}

void put(Precision precision, std::complex<double> value, std::byte* place) {
  if (precision == Precision::f64) {
    std::memcpy(place, &value, sizeof value);
  } else {
    const std::complex<float> narrow(value);
    std::memcpy(place, &narrow, sizeof narrow);
  }
}

std::complex<double> get(Precision precision, const std::byte* place) {
  if (precision == Precision::f64) {
    std::complex<double> value;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
  std::complex<float> value;
  std::memcpy(&value, place, sizeof value);
  return {value.real(), value.imag()};
}

cl_ulong moment(const cl::Event& event, cl_profiling_info name) {
  cl_ulong nanoseconds = 0;
  check(clGetEventProfilingInfo(event(), name, sizeof nanoseconds, &nanoseconds, nullptr),
        "clGetEventProfilingInfo");
  return nanoseconds;
}

double host_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool is_cpu(const cl::Device& device) {
  return runtime::info<cl_device_type>(clGetDeviceInfo, "clGetDeviceInfo", device(),
                                       CL_DEVICE_TYPE) &
         CL_DEVICE_TYPE_CPU;
}

/// Uniform in [-1, 1], exact in single precision.
std::vector<std::complex<double>> random_signal(std::size_t count) {
  std::mt19937_64 random(count);
  const auto next = [&] {
    return static_cast<double>(
        static_cast<float>(static_cast<double>(random() >> 40) * 0x1p-23 - 1));
  };
  std::vector<std::complex<double>> signal(count);
  for (auto& value : signal) value = {next(), next()};
  return signal;
}

}  // namespace

Trial::Trial(const cl::Context& context, const cl::Device& device, Transform transform,
             Options options)
    : context_(context),
      device_(device),
      queue_(make_queue(context, device)),
      transform_(std::move(transform)),
      options_(std::move(options)),
      host_clock_(is_cpu(device)) {
  transform_.directions = Directions::forward;
  const std::size_t n = transform_.lengths.at(0);
  small_batch_ = std::min(transform_.batch, std::max<std::size_t>(kVerified / n, 1) | 1);
}

/// The signals, what they become, and the arrays: not for who only builds.
void Trial::make_data() {
  const std::size_t n = transform_.lengths.at(0);
  const std::size_t members = std::min(small_batch_, kMembers);
  members_ = random_signal(members * n);
  for (std::size_t m = 0; m < members; ++m) {
    const auto first = members_.begin() + static_cast<std::ptrdiff_t>(m * n);
    const auto spectrum = base::dft({first, first + static_cast<std::ptrdiff_t>(n)});
    spectra_.insert(spectra_.end(), spectrum.begin(), spectrum.end());
  }
  timed_ = make_arrays(transform_.batch);
}

Plan Trial::make(const Parameters& candidate, std::size_t batch) const {
  Transform transform = transform_;
  transform.batch = batch;
  Options options = options_;
  options.parameters = candidate;
  return {context_, device_, transform, options};
}

void Trial::build(const Parameters& candidate) { make(candidate, transform_.batch); }

/// With the members in turns, between guards.
Trial::Arrays Trial::make_arrays(std::size_t batch) const {
  const std::size_t n = transform_.lengths.at(0), size = element_bytes(transform_.precision);
  const std::size_t bytes = (batch * n + 2 * kGuard) * size;
  std::vector<std::byte> host(bytes, std::byte{kMark});
  for (std::size_t i = 0; i < batch * n; ++i)
    put(transform_.precision, members_[i % members_.size()], host.data() + (kGuard + i) * size);
  Arrays arrays{make_buffer(context_, bytes), {}};
  check(clEnqueueWriteBuffer(queue_(), arrays.in(), CL_TRUE, 0, bytes, host.data(), 0, nullptr,
                             nullptr),
        "clEnqueueWriteBuffer");
  arrays.out = arrays.in;
  if (transform_.placement == Placement::in_place) return arrays;
  arrays.out = make_buffer(context_, bytes);
  std::fill(host.begin(), host.end(), std::byte{kMark});
  check(clEnqueueWriteBuffer(queue_(), arrays.out(), CL_TRUE, 0, bytes, host.data(), 0, nullptr,
                             nullptr),
        "clEnqueueWriteBuffer");
  return arrays;
}

cl::Event Trial::enqueue(const Plan& plan, const Arrays& arrays) const {
  if (transform_.placement == Placement::in_place)
    return plan.forward(queue_, Array(arrays.in, kGuard));
  return plan.forward(queue_, Array(arrays.in, kGuard), Array(arrays.out, kGuard));
}

void Trial::verify(const Parameters& candidate) {
  const Plan plan = make(candidate, small_batch_);
  const Arrays arrays = make_arrays(small_batch_);
  enqueue(plan, arrays);
  const std::size_t size = element_bytes(transform_.precision);
  const std::size_t elements = small_batch_ * transform_.lengths.at(0);
  std::vector<std::byte> host((elements + 2 * kGuard) * size);
  check(clEnqueueReadBuffer(queue_(), arrays.out(), CL_TRUE, 0, host.size(), host.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
  const auto marked = [](std::byte value) { return value == std::byte{kMark}; };
  const auto guard = static_cast<std::ptrdiff_t>(kGuard * size);
  if (!std::all_of(host.begin(), host.begin() + guard, marked) ||
      !std::all_of(host.end() - guard, host.end(), marked))
    throw Error("it writes beside its array");
  double wrong = 0, all = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    const auto expected = spectra_[i % spectra_.size()];
    wrong += std::norm(get(transform_.precision, host.data() + (kGuard + i) * size) - expected);
    all += std::norm(expected);
  }
  const double error = std::sqrt(wrong / all);
  const double bound = tolerance(transform_.precision, transform_.lengths.at(0));
  if (!(error < bound))
    throw Error("its result is wrong: relative error " + std::to_string(error) + ", at most " +
                std::to_string(bound) + " is allowed");
}

const Plan& Trial::contender(const Parameters& candidate) {
  const auto known = std::find_if(contenders_.begin(), contenders_.end(),
                                  [&](const Contender& c) { return c.parameters == candidate; });
  if (known != contenders_.end()) return *known->plan;
  if (members_.empty()) make_data();
  verify(candidate);
  if (contenders_.size() == kContenders) contenders_.pop_front();
  contenders_.push_back({candidate, std::make_unique<Plan>(make(candidate, transform_.batch))});
  run(*contenders_.back().plan, 1);
  return *contenders_.back().plan;
}

double Trial::run(const Plan& plan, std::size_t calls) {
  const double start = host_now();
  cl::Event first, last;
  for (std::size_t i = 0; i < calls; ++i) {
    last = enqueue(plan, timed_);
    if (i == 0) first = last;
  }
  check(clFinish(queue_()), "clFinish");
  if (host_clock_) return host_now() - start;
  // From the end of the first: its event may belong to the last of its kernels.
  if (calls == 1)
    return 1e-9 * static_cast<double>(moment(last, CL_PROFILING_COMMAND_END) -
                                      moment(last, CL_PROFILING_COMMAND_SUBMIT));
  return 1e-9 * static_cast<double>(moment(last, CL_PROFILING_COMMAND_END) -
                                    moment(first, CL_PROFILING_COMMAND_END));
}

double Trial::time(const Parameters& candidate, double seconds) {
  const Plan& plan = contender(candidate);
  std::size_t calls = 2;
  for (;;) {
    const double taken = run(plan, calls);
    const auto timed = static_cast<double>(host_clock_ ? calls : calls - 1);
    if (taken >= seconds / 2 || calls > 100000) return taken / timed;
    const double wanted = std::ceil(seconds / std::max(taken / timed, 1e-7));
    calls = std::max(2 * calls, static_cast<std::size_t>(wanted) + 1);
  }
}

}  // namespace imago::tune
