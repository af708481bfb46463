// This file checks HostPlans as the catalogue checks plans: results against FFTW in a higher
// precision, marks around and between the data, and an unchanged input.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "catalogue/catalogue.hpp"
#include "catalogue/host_memory.hpp"
#include "support/device.hpp"

namespace imago::test {

/// The pool and options for a case in host memory.
struct HostWay {
  Pool pool;
  HostOptions options = {};
  HostCall call = {};
  bool pinned = false;  ///< the arrays, for the pool
};

/// Returns all devices of the tests' platform, at least two: the same one twice if there is one.
inline std::vector<cl::Device> two_or_more() {
  const cl::Device first = default_device().device;
  std::vector<cl::Device> found;
  for (const auto& device : devices()) {
    if (device.getInfo<CL_DEVICE_PLATFORM>() == first.getInfo<CL_DEVICE_PLATFORM>())
      found.push_back(device);
  }
  if (found.size() == 1) found.push_back(found.front());
  return found;
}

inline void run(const HostPlan& plan, const catalogue::Case& problem, const void* from, void* to,
                const HostCall& call = {}) {
  const bool forward = problem.direction == catalogue::Direction::forward;
  const std::size_t sizes[] = {plan.signal_bytes(), plan.spectrum_bytes()};
  const ConstHostArray source(from, sizes[!forward]);
  const HostArray target(to, sizes[forward]);
  if (problem.placement == Placement::in_place)
    forward ? plan.forward(target, call) : plan.inverse(target, call);
  else
    forward ? plan.forward(source, target, call) : plan.inverse(source, target, call);
}

/// Checks the case, computed by a HostPlan.
inline catalogue::Outcome verify_on_host(const std::string& name, const HostWay& way) {
  const catalogue::Case problem = catalogue::parse(name);
  catalogue::Verifier verifier(default_device().context, default_device().device);
  verifier.replace([&](const cl::CommandQueue& queue, const catalogue::Arrays& arrays) {
    const auto bytes = [](const cl::Buffer& buffer) { return buffer.getInfo<CL_MEM_SIZE>(); };
    const bool in_place = problem.placement == Placement::in_place;
    std::vector<char> from(bytes(arrays.source[0])), to(bytes(arrays.target[0]));
    queue.enqueueReadBuffer(arrays.source[0], CL_TRUE, 0, from.size(), from.data());
    queue.enqueueReadBuffer(arrays.target[0], CL_TRUE, 0, to.size(), to.data());
    const HostPlan plan(way.pool, problem.transform(), way.options);
    std::vector<Pinned> pins;
    for (std::vector<char>* array : {&from, &to})
      if (way.pinned) pins.push_back(way.pool.pin({array->data(), array->size()}));
    const auto source = catalogue::repeated_side(problem, true, catalogue::kPooled);
    const auto target = catalogue::repeated_side(problem, false, catalogue::kPooled);
    const std::size_t number = problem.precision == Precision::f64   ? 8
                               : problem.precision == Precision::f32 ? 4
                                                                     : 2;
    for (std::uint64_t i = 0; i < source.repeats; ++i) {
      const std::size_t read = number * source.words_per_element() * source.start(i);
      const std::size_t written = number * target.words_per_element() * target.start(i);
      run(plan, problem, &from[read], in_place ? &from[read] : &to[written], way.call);
    }
    queue.enqueueWriteBuffer(arrays.source[0], CL_TRUE, 0, from.size(), from.data());
    if (!in_place) queue.enqueueWriteBuffer(arrays.target[0], CL_TRUE, 0, to.size(), to.data());
  });
  return verifier.verify(problem);
}

}  // namespace imago::test
