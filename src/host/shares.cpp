// This file implements the division of a batch.
#include "host/shares.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "problem/make_problem.hpp"
#include "problem/problem.hpp"

namespace imago::host {
namespace {

/// Enough work to keep a device busy, but quick on a slow device.
constexpr std::size_t kSampleBytes = std::size_t{64} << 20;
constexpr int kRepeats = 5;
/// Measurements of equal devices differ by up to this fraction.
constexpr double kNoise = 0.05;

/// Zeros on the device as an input or output, planar or not.
struct Zeros {
  Zeros(const QueueSet& queues, std::size_t bytes, const Layout& layout)
      : re(make(queues, bytes)),
        im(layout.storage == Storage::planar ? make(queues, bytes) : cl::Buffer()) {}
  Array array() const { return im() ? Array::planar(re, im) : Array(re); }

  cl::Buffer re, im;

 private:
  static cl::Buffer make(const QueueSet& queues, std::size_t bytes) {
    const cl::Buffer buffer(runtime::allocate(queues.context, bytes).take(), false);
    const cl_uint zero = 0;
    const std::size_t whole = bytes / sizeof zero * sizeof zero;
    if (whole > 0)
      runtime::check(clEnqueueFillBuffer(queues.queue()(), buffer(), &zero, sizeof zero, 0, whole,
                                         0, nullptr, nullptr),
                     "clEnqueueFillBuffer");
    return buffer;
  }
};

std::size_t sample(const Transform& transform) {
  Transform one = transform;
  one.batch = 1;
  const auto problem = problem::make_problem(one);
  const std::size_t bytes = std::max(problem.bytes(false), problem.bytes(true));
  return std::clamp<std::size_t>(kSampleBytes / bytes, 1, transform.batch);
}

}  // namespace

double members_per_second(const QueueSet& queues, Transform transform, const Options& options) {
  transform.batch = sample(transform);
  const Plan plan(cl::Context(runtime::Handle<cl_context>::shared(queues.context).take(), false),
                  cl::Device(queues.device, true), transform, options);
  const bool in_place = transform.placement == Placement::in_place;
  const Zeros signal(queues, plan.signal_bytes(), transform.signal);
  const Zeros spectrum(queues, in_place ? 1 : plan.spectrum_bytes(), transform.spectrum);
  const bool inverse = transform.directions == Directions::inverse;
  const auto& queue = queues.queue();
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kRepeats; ++i) {
    runtime::check(clFinish(queue()), "clFinish");
    const auto start = std::chrono::steady_clock::now();
    if (in_place)
      inverse ? plan.inverse(queue, signal.array()) : plan.forward(queue, signal.array());
    else
      inverse ? plan.inverse(queue, spectrum.array(), signal.array())
              : plan.forward(queue, signal.array(), spectrum.array());
    runtime::check(clFinish(queue()), "clFinish");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return static_cast<double>(transform.batch) / std::max(best, 1e-9);
}

std::vector<std::size_t> shares(std::size_t batch, std::vector<double> rates) {
  const double most = *std::max_element(rates.begin(), rates.end());
  for (double& rate : rates) {
    if (rate > (1 - kNoise) * most) rate = most;
  }
  const double all = std::accumulate(rates.begin(), rates.end(), 0.0);
  std::vector<std::size_t> found;
  double before = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    before += rates[i];
    const auto end =
        i + 1 == rates.size()
            ? batch
            : static_cast<std::size_t>(std::llround(static_cast<double>(batch) * before / all));
    found.push_back(end - begin);
    begin = end;
  }
  return found;
}

}  // namespace imago::host
