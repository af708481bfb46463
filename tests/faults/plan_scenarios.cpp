// This file tests plans, workspaces and the transforms of host data under faults. The catalogue's
// verifier compares the results with FFTW's, and the surrounding memory with marks.
#include <chrono>
#include <cmath>
#include <complex>
#include <memory>
#include <optional>
#include <thread>

#include "catalogue/catalogue.hpp"
#include "catalogue/host_memory.hpp"
#include "faults.hpp"
#include "scenarios.hpp"

namespace imago::faults {
namespace {

using catalogue::Case;

struct Shape {
  const char* name;
  const char* problem;
  bool is_long = false;
};

constexpr Shape kShapes[] = {
    {"one", "64*4-f32-out-forward-none"},
    {"several", "4096*2-f32-out-forward-none-hierarchy"},
    {"one_launch", "64x64*1-f32-in-forward-none-hierarchy-one_launch"},
    {"real_2d", "48x64*3-f32-out-forward-none-real"},
    {"real_back", "48x64*3-f64-out-inverse-backward-real"},
    {"work_group", "4096*2-f32-out-forward-none-work_group-hierarchy"},
    {"global", "1024*2-f32-out-forward-none-work_group-global"},
    {"bluestein", "97*3-f32-out-forward-none-bluestein"},
    {"rader", "37*9-f64-in-forward-none-rader"},
    {"cosine", "40*6-f32-out-forward-ortho-dct2"},
    {"cosines_2d", "24x18*3-f32-out-inverse-none-axes_C2S3"},
    {"planar_halves", "360*3-f16-in-forward-ortho-s3+0:planar-hierarchy"},
    {"chained", "48x64*24-f32-out-forward-none-chained_launches", true},
    {"chained_halves", "64x48*16-f16-in-inverse-none-real-chained_launches", true}};

bool in_place(const Case& problem) { return problem.placement == Placement::in_place; }

Array array_of(const std::array<cl::Buffer, 2>& buffers, std::uint64_t offset) {
  return buffers[1]() == nullptr ? Array(buffers[0], offset)
                                 : Array::planar(buffers[0], buffers[1], offset);
}

/// The arrays of one call of a case, in the verifier's buffers.
struct Sides {
  Sides(const Case& problem, const catalogue::Arrays& arrays)
      : forward(problem.direction == catalogue::Direction::forward),
        alone(in_place(problem)),
        read(array_of(arrays.source, catalogue::repeated_side(problem, true, 1).start(0))),
        write(array_of(arrays.target, catalogue::repeated_side(problem, false, 1).start(0))) {}

  void call(const Plan& plan, const cl::CommandQueue& queue, const Call& with = {}) const {
    if (alone) {
      forward ? plan.forward(queue, read, with) : plan.inverse(queue, read, with);
    } else {
      forward ? plan.forward(queue, read, write, with) : plan.inverse(queue, read, write, with);
    }
  }

  bool forward, alone;
  Array read, write;
};

/// Returns the exception that `body` throws, or null.
template <class Body>
std::exception_ptr caught(Body body) {
  try {
    body();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

/// One use of a plan, with imago's calls live or without faults.
using Use = std::function<void(const Plan&, const cl::CommandQueue&, const Sides&, bool live)>;

/// A plan that is created and used once for each call of the verifier. If the use fails, the plan
/// is used once more without faults.
struct PlanRun {
  const test::Device& device;
  Case problem;
  Options options;
  Use use;
  std::shared_ptr<catalogue::Verifier> verifier;

  Outcome operator()() const {
    Outcome outcome;
    bool computed = true;  // by each call
    verifier->replace([&](const cl::CommandQueue& queue, const catalogue::Arrays& arrays) {
      const Sides sides(problem, arrays);
      std::unique_ptr<const Plan> plan;
      const auto failed = [&](const auto& work) {
        const auto error = caught(work);
        if (error) outcome.error = error;
        return error != nullptr;
      };
      failed([&] {
        const Live scope;
        plan = std::make_unique<Plan>(device.context, device.device, problem.transform(), options);
      });
      if (!plan) {
        computed = false;
        return;
      }
      const bool lost = failed([&] { use(*plan, queue, sides, true); });
      test::check_call(queue.finish(), "clFinish");
      if (lost && sides.alone) computed = false;  // in place the source is lost
      if (lost && !sides.alone) use(*plan, queue, sides, false);
      test::check_call(queue.finish(), "clFinish");
      const Live scope;
      plan.reset();
    });
    const auto verified = verifier->verify(problem);
    if (computed && verified.verdict != catalogue::Verdict::passed) outcome.wrong = verified.detail;
    return outcome;
  }
};

void once(const Plan& plan, const cl::CommandQueue& queue, const Sides& sides, bool live) {
  const Live scope(live);
  sides.call(plan, queue);
}

/// Calls in an out-of-order queue of its own, after an event, and with an event.
struct ByEvents {
  cl::CommandQueue other;
  void operator()(const Plan& plan, const cl::CommandQueue& queue, const Sides& sides,
                  bool live) const {
    cl::Event first, last;
    {
      const Live scope(live);
      sides.call(plan, queue, {.event = &first});
    }
    // If the driver fails to retain a copy of an event, the caller is at fault, not imago.
    const Call second{.waits = {first}, .event = &last};
    const auto error = caught([&] {
      const Live scope(live);
      sides.call(plan, other, second);
    });
    if (error) {  // commands enqueued before the failure still write to the target
      test::check_call(other.finish(), "clFinish");
      std::rethrow_exception(error);
    }
    test::check_call(last.wait(), "clWaitForEvents");
  }
};

Scenario plan_scenario(const test::Device& device, const std::string& name, const Case& problem,
                       Options options, Use use = once) {
  options.parameters = problem.parameters;
  const auto verifier =
      std::make_shared<catalogue::Verifier>(device.context, device.device, Options(), 1);
  return {name, PlanRun{device, problem, options, std::move(use), verifier}};
}

/// Two plans, two queues and one scratch memory.
struct SharedRun {
  const test::Device& device;
  Options options;
  cl::CommandQueue second;
  std::vector<cl::Buffer> arrays;  ///< two equal sources, and two targets
  std::size_t bytes;

  void call(const std::shared_ptr<Workspace>& workspace) const {
    Options with = options;
    with.scratch.workspace = workspace;
    with.parameters.algorithm = Algorithm::hierarchy;
    const Plan one(device.context, device.device, {.lengths = {4096}, .batch = 2}, with);
    const Plan two(device.context, device.device, {.lengths = {8192}}, with);
    one.forward(device.queue, arrays[0], arrays[1]);
    two.forward(second, arrays[0], arrays[2]);
    one.forward(second, arrays[0], arrays[3]);
  }
  Outcome operator()() const {
    Outcome outcome;
    outcome.error = caught([&] {
      const Live scope;
      call(std::make_shared<Workspace>(device.context, device.device, bytes));
    });
    test::check_call(device.queue.finish() | second.finish(), "clFinish");
    if (outcome.error) return outcome;
    const auto a = device.download<float>(arrays[1], bytes / 4);
    const auto b = device.download<float>(arrays[3], bytes / 4);
    // An impulse of 1: every element of its spectrum has magnitude 1.
    const auto c = device.download<std::complex<float>>(arrays[2], bytes / 8);
    if (a != b) outcome.wrong = "two calls that share a workspace differ";
    for (const auto& x : c)
      if (!(std::abs(std::abs(x) - 1) < 1e-5)) outcome.wrong = "the spectrum of an impulse";
    return outcome;
  }
};

Outcome host_run() {
  constexpr std::size_t kCount = 1000, kTone = 77;
  std::vector<std::complex<float>> signal(kCount), spectrum;
  for (std::size_t j = 0; j < kCount; ++j) {
    signal[j] = std::polar(1.f, static_cast<float>(j * kTone % kCount) * 6.28318531f / kCount);
  }
  Outcome outcome;
  outcome.error = caught([&] {
    const Live scope;
    spectrum = fft(std::span<const std::complex<float>>(signal));
  });
  if (outcome.error) return outcome;
  for (std::size_t k = 0; k < kCount; ++k) {
    const float want = k == kTone ? kCount : 0;
    if (!(std::abs(spectrum.at(k) - want) < 0.01f)) outcome.wrong = "the spectrum of a tone";
  }
  return outcome;
}

/// A plan on generic kernels, which may build its own ones in the background. Its calls never fail
/// because of that.
struct FirstCallsRun {
  const test::Device& device;
  Options options;
  cl::Buffer signal, spectrum;

  // Two calls of this size begin to build.
  static Transform transform() { return {.lengths = {128}, .batch = 4096}; }
  /// An impulse of 1 in each batch element: every element of its spectrum has magnitude 1.
  std::string wrong() const {
    for (const auto& x : device.download<std::complex<float>>(spectrum, 128 * 4096))
      if (!(std::abs(std::abs(x) - 1) < 1e-5)) return "the spectrum of an impulse";
    return {};
  }
  void spoil_spectrum() const {
    test::check_call(device.queue.enqueueFillBuffer(spectrum, cl_uchar{0xff}, 0, 8 * 128 * 4096),
                     "clEnqueueFillBuffer");
  }
  Outcome operator()() const {
    Outcome outcome;
    const Held before = held();
    bool ended = false;
    std::unique_ptr<const Plan> plan;
    // The folder would have the kernels.
    if (options.disk_cache) std::filesystem::remove_all(options.cache_directory);
    spoil_spectrum();
    outcome.error = caught([&] {
      const Live scope;
      plan = std::make_unique<Plan>(device.context, device.device, transform(), options);
      for (int i = 0; i < 3; ++i) plan->forward(device.queue, signal, spectrum);
      ended = plan->wait();
      plan->forward(device.queue, signal, spectrum);
    });
    test::check_call(device.queue.finish(), "clFinish");
    if (plan) {
      spoil_spectrum();
      plan->forward(device.queue, signal, spectrum);
      outcome.wrong = wrong();
    }
    if (!outcome.error && !ended) outcome.wrong = "wait() gave up";
    {
      const Live scope;
      plan.reset();
    }
    release_memory();
    // The thread in the background may release its last objects after wait().
    for (int i = 0; i < 1000 && held() != before; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return outcome;
  }
};

std::vector<Scenario> first_calls(const test::Device& device, const std::filesystem::path& cache) {
  std::vector<std::complex<float>> impulses(128 * 4096);
  for (std::size_t i = 3; i < impulses.size(); i += 128) impulses[i] = 1;
  const auto signal = device.upload(impulses),
             spectrum = device.allocate(impulses.size() * sizeof impulses[0]);
  Options swapped, stored, generic;
  swapped.disk_cache = false;
  swapped.first_call = stored.first_call = FirstCall::automatic;
  generic.first_call = FirstCall::generic;
  stored.cache_directory = generic.cache_directory = cache / "first_calls";
  return {{"first_calls", FirstCallsRun{device, swapped, signal, spectrum}},
          {"first_calls_stored", FirstCallsRun{device, stored, signal, spectrum}, true},
          {"generic", FirstCallsRun{device, generic, signal, spectrum}, true}};
}

}  // namespace

std::vector<Scenario> plan_scenarios(const test::Device& device,
                                     const std::filesystem::path& cache) {
  Options options;
  options.cache_directory = cache;
  std::vector<Scenario> all;
  for (const auto& shape : kShapes) {
    const auto problem = catalogue::parse(shape.problem);
    if (problem.precision == Precision::f64 && !device.f64()) continue;
    all.push_back(plan_scenario(device, shape.name, problem, options));
    all.back().is_long = shape.is_long;
  }
  Options chunks = options;
  chunks.scratch.limit = 2 * 4096 * sizeof(std::complex<float>);
  all.push_back(plan_scenario(device, "chunks",
                              catalogue::parse("4096*7-f32-out-forward-none-hierarchy"), chunks));
  all.push_back(plan_scenario(device, "events",
                              catalogue::parse("4096*2-f32-out-inverse-none-hierarchy"), options,
                              ByEvents{device.out_of_order()}));
  std::vector<std::complex<float>> impulse(8192);
  impulse[5] = 1;
  const std::size_t bytes = impulse.size() * sizeof impulse[0];
  all.push_back({"shared", SharedRun{device,
                                     options,
                                     device.make_queue(),
                                     {device.upload(impulse), device.allocate(bytes),
                                      device.allocate(bytes), device.allocate(bytes)},
                                     bytes}});
  all.push_back({"host", host_run});
  for (auto& scenario : first_calls(device, cache)) all.push_back(std::move(scenario));
  return all;
}

}  // namespace imago::faults
