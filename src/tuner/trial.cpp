// This file implements the trial of candidates.
#include "tuner/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "api/commands.hpp"
#include "device/work.hpp"
#include "problem/kinds.hpp"
#include "problem/reference.hpp"
#include "runtime/facts.hpp"
#include "runtime/opencl.hpp"
#include "runtime/queue.hpp"
#include "tuner/verdict.hpp"

namespace imago::tuner {
namespace {

using runtime::check;

constexpr std::size_t kMembers = 3;         // number of different signals; a larger batch repeats
                                            // them
constexpr std::size_t kGuard = 1024;        // elements next to an array that must stay unchanged
constexpr std::size_t kVerified = 1 << 16;  // approximate number of elements
constexpr double kPieces =
    6;  // parts of a timing; the fastest counts, because disturbances take time
constexpr std::size_t kContenders = 32;  // maximum number of live plans, for the finals

cl::Buffer make_buffer(const cl::Context& context, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  const cl_mem buffer = clCreateBuffer(context(), CL_MEM_READ_WRITE, bytes, nullptr, &code);
  check(code, "clCreateBuffer");
  return cl::Buffer(buffer);  // takes over the reference
}

cl::CommandQueue make_queue(const cl::Context& context, const cl::Device& device, bool host_clock) {
  const cl_command_queue_properties properties = host_clock ? 0 : CL_QUEUE_PROFILING_ENABLE;
  auto queue = runtime::make_queue(context(), device(), properties);
  return cl::CommandQueue(queue.take());  // takes over the reference
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

/// Returns uniform values in [-1, 1], exact in half precision.
std::vector<std::complex<double>> random_signal(std::size_t count) {
  std::mt19937_64 random(count);
  const auto next = [&] { return static_cast<double>(random() >> 53) * 0x1p-10 - 1; };
  std::vector<std::complex<double>> signal(count);
  for (auto& value : signal) value = {next(), next()};
  return signal;
}

/// Returns the scale of a batch element's signal. The scales differ by 10^6 (f32), 10^12 (f64) and
/// 10^2 (f16), so that leaks between batch elements are visible.
double size_of_member(std::size_t member, Precision precision) {
  const int octaves = precision == Precision::f16 ? 7 : precision == Precision::f32 ? 20 : 40;
  return std::ldexp(1.0, -octaves * static_cast<int>(member) / static_cast<int>(kMembers - 1));
}

/// Returns rows of real numbers as rows of complex numbers, padded for the half spectrum.
std::vector<std::complex<double>> padded_rows(const std::vector<std::complex<double>>& reals,
                                              std::size_t row) {
  std::vector<std::complex<double>> padded;
  for (std::size_t first = 0; first < reals.size(); first += row) {
    for (std::size_t j = 0; j < row / 2 + 1; ++j) {
      const auto at = [&](std::size_t i) { return i < row ? reals[first + i].real() : 0; };
      padded.emplace_back(at(2 * j), at(2 * j + 1));
    }
  }
  return padded;
}

}  // namespace

bool by_host_clock(const device::Facts& facts, std::uint64_t points) {
  return facts.type == device::Type::cpu || device::work_of(points, facts) != device::Work::full;
}

Trial::Trial(const cl::Context& context, const cl::Device& device, Transform transform,
             Options options)
    : context_(api::shared<cl::Context>(context())),
      device_(device),
      transform_(std::move(transform)),
      options_(std::move(options)) {
  transform_.directions = Directions::forward;
  options_.trust_device = true;  // every candidate is verified
  const std::size_t n = points();
  const device::Facts facts = runtime::reported_facts(device());
  host_clock_ = by_host_clock(facts, n * transform_.batch);
  queue_ = make_queue(context, device, host_clock_);
  // A CPU splits long rows differently if there are fewer rows than cores, and the candidates are
  // for enough rows.
  const std::size_t least = facts.type == device::Type::cpu ? facts.compute_units : 1;
  small_batch_ = std::min(transform_.batch, std::max(kVerified / n, least) | 1);
}

std::size_t Trial::points() const {
  return std::accumulate(transform_.lengths.begin(), transform_.lengths.end(), std::size_t{1},
                         std::multiplies<>());
}

/// Returns the points of the DFT that is equivalent to the transform.
std::size_t Trial::logical_points() const {
  std::size_t product = 1;
  for (const std::size_t length : transform_.lengths)
    product *= problem::logical_length(transform_.kind, length);
  return product;
}

/// Makes the signals, their spectra and the arrays, which callers that only build do not need.
void Trial::make_data() {
  const std::size_t n = points();
  const std::size_t members = std::min(small_batch_, kMembers);
  members_ = random_signal(members * n);
  for (std::size_t i = 0; i < members_.size(); ++i)
    members_[i] *= size_of_member(i / n, transform_.precision);
  for (std::size_t m = 0; m < members; ++m) {
    const auto first = members_.begin() + static_cast<std::ptrdiff_t>(m * n);
    const auto spectrum = problem::reference(transform_.kind, transform_.lengths,
                                             {first, first + static_cast<std::ptrdiff_t>(n)});
    spectra_.insert(spectra_.end(), spectrum.begin(), spectrum.end());
  }
  if (transform_.kind == Kind::real && transform_.placement == Placement::in_place)
    members_ = padded_rows(members_, transform_.lengths.back());
  timed_ = make_arrays(transform_.batch);
}

Plan Trial::make(const Parameters& candidate, std::size_t batch) const {
  Transform transform = transform_;
  transform.batch = batch;
  Options options = options_;
  options.parameters = candidate;
  return {context_, device_, transform, options};
}

void Trial::build(const Parameters& candidate) {
  Plan plan = make(candidate, transform_.batch);
  if (options_.disk_cache) return;
  const std::lock_guard lock(mutex_);
  built_.push_back(std::move(plan));
}

Frame Trial::signal_frame(std::size_t batch) const {
  if (transform_.kind == Kind::real && transform_.placement == Placement::in_place)
    return spectrum_frame(batch);
  return {transform_.precision, batch * points(), kGuard, transform_.kind != Kind::complex,
          options_.f64 == F64::pairs};
}

Frame Trial::spectrum_frame(std::size_t batch) const {
  if (transform_.kind != Kind::real) return signal_frame(batch);
  const std::size_t row = transform_.lengths.back();
  return {transform_.precision, batch * (points() / row) * (row / 2 + 1), kGuard, false,
          options_.f64 == F64::pairs};
}

cl::Buffer Trial::upload(const std::vector<std::byte>& host) const {
  cl::Buffer buffer = make_buffer(context_, host.size());
  check(clEnqueueWriteBuffer(queue_(), buffer(), CL_TRUE, 0, host.size(), host.data(), 0, nullptr,
                             nullptr),
        "clEnqueueWriteBuffer");
  return buffer;
}

Trial::Arrays Trial::make_arrays(std::size_t batch) const {
  Arrays arrays;
  arrays.in = upload(filled(signal_frame(batch), members_));
  const bool in_place = transform_.placement == Placement::in_place;
  arrays.out =
      in_place ? api::shared<cl::Buffer>(arrays.in()) : upload(filled(spectrum_frame(batch), {}));
  return arrays;
}

void Trial::enqueue(const Plan& plan, const Arrays& arrays, cl::Event* done) const {
  if (transform_.placement == Placement::out_of_place)
    return plan.forward(queue_, Array(arrays.in, kGuard), Array(arrays.out, kGuard),
                        {.event = done});
  const std::size_t reals = transform_.kind == Kind::real ? 2 : 1;  // real numbers per element of a
                                                                    // guard
  plan.forward(queue_, Array(arrays.in, reals * kGuard), {.event = done});
}

void Trial::verify(const Plan& plan) {
  const Arrays arrays = make_arrays(small_batch_);
  enqueue(plan, arrays);
  const Frame frame = spectrum_frame(small_batch_);
  std::vector<std::byte> host(frame.bytes());
  check(clEnqueueReadBuffer(queue_(), arrays.out(), CL_TRUE, 0, host.size(), host.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
  judge(frame, host, {spectra_, frame.elements / small_batch_, logical_points()});
}

const Plan& Trial::contender(const Parameters& candidate) {
  const auto known = std::find_if(contenders_.begin(), contenders_.end(),
                                  [&](const Contender& c) { return c.parameters == candidate; });
  if (known != contenders_.end()) return *known->plan;
  if (members_.empty()) make_data();
  auto plan = std::make_unique<Plan>(make(candidate, transform_.batch));
  if (small_batch_ == transform_.batch)
    verify(*plan);
  else
    verify(make(candidate, small_batch_));
  if (contenders_.size() == kContenders) contenders_.pop_front();
  contenders_.push_back({candidate, std::move(plan)});
  run(*contenders_.back().plan, 1);
  return *contenders_.back().plan;
}

/// Returns the seconds of the calls; in device time, those of all calls but the first.
double Trial::run(const Plan& plan, std::size_t calls) {
  const double start = host_now();
  cl::Event first, last;
  for (std::size_t i = 0; i < calls; ++i) {
    const bool ends = i == 0 || i + 1 == calls;
    enqueue(plan, timed_, host_clock_ || !ends ? nullptr : i == 0 ? &first : &last);
  }
  check(clFinish(queue_()), "clFinish");
  if (host_clock_) return host_now() - start;
  if (calls == 1) return 0;
  // Counts from the end of the first call, because its event may belong to its last kernel.
  return 1e-9 * static_cast<double>(moment(last, CL_PROFILING_COMMAND_END) -
                                    moment(first, CL_PROFILING_COMMAND_END));
}

double Trial::time(const Parameters& candidate, const Timing& timing) {
  const Plan& plan = contender(candidate);
  const double piece = timing.seconds / kPieces;
  std::size_t calls = 2;
  double least = kNever, total = 0;
  for (;;) {
    const double taken = run(plan, calls);
    const auto timed = static_cast<double>(host_clock_ ? calls : calls - 1);
    const bool long_enough = taken >= piece / 2 || taken / timed > timing.hopeless;
    if (long_enough || calls > 100000) {
      // The first sample alone may be disturbed.
      const bool hopeless = total > 0 && std::min(least, taken / timed) > timing.hopeless;
      least = std::min(least, taken / timed), total += taken;
      if (hopeless || total >= timing.seconds - piece / 2 || calls > 100000) return least;
      continue;
    }
    const double wanted = std::ceil(piece / std::max(taken / timed, 1e-7));
    calls = std::max(2 * calls, static_cast<std::size_t>(wanted) + 1);
  }
}

std::size_t Trial::bytes() const {
  if (members_.empty()) return 0;
  const std::size_t out = spectrum_frame(transform_.batch).bytes();
  return transform_.placement == Placement::in_place ? out
                                                     : out + signal_frame(transform_.batch).bytes();
}

}  // namespace imago::tuner
