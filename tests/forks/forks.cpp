// This program forks children of a parent that used imago, and of one that did not. Every public
// function must return at once in them: with DeviceError if the parent used a device, else with its
// result. The children then end as programs do.
//
//   imago_forks TIMES        TIMES children of each parent
//   imago_forks --compute    the program of the children that posix_spawn() and exec start
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <imago/imago.h>
#include <imago/imago_cl.h>
#include <imago/tune.h>
#include <imago/imago.hpp>
#include <imago/tune.hpp>

#include "processes.hpp"

namespace imago::forks {
namespace {

using Numbers = std::vector<std::complex<float>>;
constexpr std::size_t kLength = 48;

bool names_remedy(const char* message) {
  return std::strstr(message, "forked") && std::strstr(message, "posix_spawn");
}

template <class Work>
Answer call(const Work& work) {
  try {
    return work() ? Answer::computed : Answer::wrong;
  } catch (const DeviceError& error) {
    return names_remedy(error.what()) ? Answer::refused : Answer::wrong;
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return Answer::wrong;
  }
}

/// The answer of a function of C.
Answer of_status(imago_status status, const char* message) {
  if (status == IMAGO_SUCCESS) return Answer::computed;
  return status == IMAGO_DEVICE_ERROR && names_remedy(message) ? Answer::refused : Answer::wrong;
}
Answer of_status(imago_status status) { return of_status(status, imago_last_error()); }

bool computes() {
  const Numbers spectrum = fft(Numbers(kLength, 1.0F));
  return std::abs(spectrum[0] - float(kLength)) < 1e-3F && std::abs(spectrum[1]) < 1e-3F;
}

imago_transform c_transform() { return imago_transform_of(1, &kLength); }

void check(bool good, const char* what) {
  if (!good) throw std::runtime_error(std::string(what) + ": " + imago_last_error());
}

/// Objects that a parent made before it forks.
struct Made {
  cl::Device device = find_device();
  cl::Context context{device};
  cl::CommandQueue queue{context, device};
  cl::Buffer data{context, CL_MEM_READ_WRITE, kLength * sizeof(std::complex<float>)};
  std::optional<Plan> plan{std::in_place, context, device, transform(), automatic()};
  Pool pool{context, device};
  std::optional<HostPlan> host{std::in_place, pool, transform(), HostOptions{.plan = automatic()}};
  Workspace workspace{context, device, 64};
  imago_plan* c_plan = nullptr;
  imago_cl_plan* cl_plan = nullptr;
  imago_workspace* c_workspace = nullptr;

  Made() {
    const auto wanted = c_transform();
    check(imago_plan_create(&wanted, nullptr, &c_plan) == IMAGO_SUCCESS, "imago_plan_create");
    check(imago_cl_plan_create(context(), device(), &wanted, nullptr, &cl_plan) == IMAGO_SUCCESS,
          "imago_cl_plan_create");
    check(imago_workspace_create(context(), device(), 64, &c_workspace) == IMAGO_SUCCESS,
          "imago_workspace_create");
    forward();
  }
  void forward() const {
    const cl::Buffer spectrum(context, CL_MEM_READ_WRITE, plan->spectrum_bytes());
    plan->forward(queue, data, spectrum);
    queue.finish();
  }
  static Transform transform() { return {.lengths = {kLength}}; }
  static Options automatic() {
    Options options;
    options.first_call = FirstCall::automatic;
    return options;
  }
};

using Case = std::function<Answer()>;
using Cases = std::map<std::string, Case>;

/// Calls that need nothing of the parent.
Cases cases_alone() {
  return {
      {"devices", [] { return call([] { return !devices().empty(); }); }},
      {"find_device", [] { return call([] { return find_device()() != nullptr; }); }},
      {"dealt_device", [] { return call([] { return dealt_device(0)() != nullptr; }); }},
      {"fft", [] { return call(computes); }},
      {"imago_plan_create",
       [] {
         auto* plan = reinterpret_cast<imago_plan*>(1);
         const auto wanted = c_transform();
         const Answer answer = of_status(imago_plan_create(&wanted, nullptr, &plan));
         return (answer == Answer::refused) == (plan == nullptr) ? answer : Answer::wrong;
       }},
      {"imago_nufft_create",
       [] {
         imago_nufft_plan* plan = nullptr;
         const auto wanted = imago_nufft_of(1, &kLength);
         return of_status(imago_nufft_create(&wanted, nullptr, &plan));
       }},
  };
}

/// Constructors with the parent's context, and free functions with its device.
Cases cases_with_context(const Made& made) {
  const cl::Device& device = made.device;
  const cl::Context& context = made.context;
  const std::vector<std::complex<double>> window(16, 1.0);
  const auto makes = [](auto work) {
    return [work] {
      return call([&] {
        work();
        return true;
      });
    };
  };
  return {
      {"Plan", makes([&] { Plan(context, device, Made::transform()); })},
      {"Pool", makes([&] { Pool({device}); })},
      {"Pool of a context", makes([&] { Pool(context, device); })},
      {"HostPlan", makes([&] { HostPlan(made.pool, Made::transform()); })},
      {"MultiDevicePlan", makes([&] { MultiDevicePlan(made.pool, Made::transform()); })},
      {"Filter", makes([&] { Filter(context, device, {.lengths = {kLength}}); })},
      {"Convolution",
       makes([&] { Convolution(context, device, {.signal = {kLength}, .kernel = {5}}); })},
      {"ShortTimePlan", makes([&, window] {
         ShortTimePlan(context, device, {.lengths = {kLength}, .window = window, .hop = 8});
       })},
      {"WelchPlan", makes([&, window] {
         WelchPlan(context, device, {.lengths = {kLength}, .window = window, .hop = 8});
       })},
      {"ZoomPlan",
       makes([&] { ZoomPlan(context, device, {.lengths = {kLength}, .points = 9, .to = 0.3}); })},
      {"Stream", makes([&] {
         Stream(made.queue, FirFilter{.lengths = {kLength}, .taps = {1.0, 2.0}});
       })},
      {"NufftPlan", makes([&] { NufftPlan(context, device, {.modes = {kLength}}); })},
      {"NufftPlan::estimate", makes([&] { NufftPlan::estimate(device, {.modes = {kLength}}); })},
      {"SparsePlan",
       makes([&] { SparsePlan(context, device, {.length = 1 << 16, .sparsity = 10}); })},
      {"HostPlan::estimate", makes([&] { HostPlan::estimate(made.pool, Made::transform()); })},
      {"SparsePlan::estimate",
       makes([&] { SparsePlan::estimate(device, {.length = 1 << 16, .sparsity = 10}); })},
      {"Stream::estimate", makes([&] {
         Stream::estimate(device, FirFilter{.lengths = {kLength}, .taps = {1.0, 2.0}});
       })},
      {"Workspace", makes([&] { Workspace(context, device, 64); })},
      {"Workspace of a buffer", makes([&] { Workspace{made.data}; })},
      {"estimate", makes([&] { estimate(device, Made::transform()); })},
      {"good_size", makes([&] { good_size(device, 47); })},
      {"tune", makes([&] { tune(context, device, Made::transform(), {.seconds = 0.1}); })},
      {"imago_tune",
       [] {
         const auto wanted = c_transform();
         return of_status(imago_tune(&wanted, nullptr, 0.1, nullptr), imago_tune_error());
       }},
      {"imago_cl_plan_create",
       [&] {
         imago_cl_plan* plan = nullptr;
         const auto wanted = c_transform();
         return of_status(imago_cl_plan_create(context(), device(), &wanted, nullptr, &plan));
       }},
      {"imago_cl_good_size",
       [&] {
         std::size_t best = 0;
         return of_status(imago_cl_good_size(device(), 47, nullptr, &best));
       }},
  };
}

/// Calls of objects that the parent made.
Cases cases_of_made(Made& made) {
  static Numbers in(kLength), out(kLength);
  return {
      {"forward", [&] { return call([&] { return made.forward(), true; }); }},
      {"wait", [&] { return call([&] { return made.plan->wait(); }); }},
      {"describe", [&] { return call([&] { return !made.plan->describe().empty(); }); }},
      {"sources", [&] { return call([&] { return !made.plan->sources().empty(); }); }},
      {"HostPlan::forward",
       [&] {
         return call([&] {
           made.host->forward(std::span<const std::complex<float>>(in), std::span(out));
           return true;
         });
       }},
      {"HostPlan::describe", [&] { return call([&] { return !made.host->describe().empty(); }); }},
      {"Pool::on_buffers",
       [&] {
         return call([&] {
           const HostBytes bytes{in.data(), in.size() * sizeof in[0]};
           made.pool.on_buffers(
               bytes, bytes, [](const auto& queue, const auto&, const auto&) { queue.finish(); });
           return true;
         });
       }},
      {"Pool::pin",
       [&] {
         return call([&] {
           const auto pinned = made.pool.pin({in.data(), in.size() * sizeof in[0]});
           return true;
         });
       }},
      {"Pool::clear", [&] { return call([&] { return made.pool.clear(), true; }); }},
      {"imago_execute_forward",
       [&] { return of_status(imago_execute_forward(made.c_plan, in.data(), out.data())); }},
      {"imago_plan_layout",
       [&] {
         imago_layout layout;
         return of_status(imago_plan_layout(made.c_plan, IMAGO_SIGNAL, &layout));
       }},
      {"imago_signal_bytes",
       [&] { return imago_signal_bytes(made.c_plan) == 0 ? Answer::refused : Answer::wrong; }},
      {"imago_cl_forward",
       [&] {
         const imago_array array = imago_array_of(made.data());
         return of_status(imago_cl_forward(made.cl_plan, made.queue(), array, array, nullptr));
       }},
      {"imago_cl_plan_wait",
       [&] {
         int ready = 0;
         return of_status(imago_cl_plan_wait(made.cl_plan, 1e9, &ready));
       }},
      {"imago_cl_plan_kernels",
       [&] {
         const imago_kernels* kernels = nullptr;
         return of_status(imago_cl_plan_kernels(made.cl_plan, &kernels));
       }},
      {"imago_cl_plan_describe",
       [&] {
         return imago_cl_plan_describe(made.cl_plan, nullptr, 0) == 0 ? Answer::refused
                                                                      : Answer::wrong;
       }},
  };
}

/// Calls that return without an error, because they only release.
Cases cases_of_releases(Made& made) {
  const auto releases = [](auto work) {
    return [work] {
      work();
      return Answer::refused;
    };
  };
  return {
      {"release_memory", releases([] { release_memory(); })},
      {"~Plan", releases([&] { made.plan.reset(); })},
      {"~HostPlan", releases([&] { made.host.reset(); })},
      {"imago_plan_destroy", releases([&] { imago_plan_destroy(made.c_plan); })},
      {"imago_cl_plan_destroy", releases([&] { imago_cl_plan_destroy(made.cl_plan); })},
      {"imago_workspace_destroy", releases([&] { imago_workspace_destroy(made.c_workspace); })},
  };
}

/// Threads that use the locks of imago and of the driver: two compute, one compiles.
class Busy {
 public:
  explicit Busy(const Made& made)
      : threads_{std::jthread([&] { repeat([&] { made.forward(); }); }),
                 std::jthread([&] { repeat(computes); }), std::jthread([&] {
                   repeat([&, n = std::size_t{100}]() mutable {
                     Options options;
                     options.disk_cache = false;
                     Plan(made.context, made.device, {.lengths = {n += 4}}, options);
                   });
                 })} {}
  ~Busy() { stop_ = true; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  template <class Work>
  void repeat(Work work) const {
    while (!stop_) work();
  }
  std::atomic<bool> stop_ = false;
  std::jthread threads_[3];
};

/// Runs the cases in turn in `times` children, and counts unexpected answers.
int run(const char* parent, const Cases& cases, Answer expected, int times) {
  int failures = 0;
  auto next = cases.begin();
  for (int i = 0; i < times; ++i) {
    if (next == cases.end()) next = cases.begin();
    const Answer answer = in_child(next->second);
    if (answer != expected) {
      std::printf("FAILED: a child of a parent (%s) calls %s: %s\n", parent, next->first.c_str(),
                  word_of(answer).c_str());
      ++failures;
    }
    ++next;
  }
  return failures;
}

int run_new_programs(const char* parent, int times) {
  int failures = 0;
  for (int i = 0; i < times; ++i) {
    const Answer answer = i % 2 == 0 ? in_spawned("--compute") : in_executed("--compute");
    if (answer == Answer::computed) continue;
    std::printf("FAILED: a new program of a parent (%s): %s\n", parent, word_of(answer).c_str());
    ++failures;
  }
  return failures;
}

int unused(int times) {
  return run("it did not use imago", cases_alone(), Answer::computed, times) +
         run_new_programs("it did not use imago", times / 2);
}

int listed(int times) {
  find_device();
  return run("it listed the devices", cases_alone(), Answer::refused, times);
}

int planned(int times, bool busy) {
  Made made;
  Cases cases = cases_alone();
  for (Cases more : {cases_with_context(made), cases_of_made(made), cases_of_releases(made)})
    cases.merge(more);
  std::optional<Busy> threads;
  if (busy) threads.emplace(made);
  const char* const parent = busy ? "its threads compute" : "it made plans";
  return run(parent, cases, Answer::refused, std::max(times, static_cast<int>(cases.size()))) +
         run_new_programs(parent, times / 4);
}

int all(int times) {
  // Each parent is a process of its own, because the use of a device cannot be undone.
  const std::function<int()> parents[] = {
      [=] { return unused(times); }, [=] { return listed(times); },
      [=] { return planned(times, false); }, [=] { return planned(times, true); }};
  int failures = 0;
  for (const auto& parent : parents) {
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process == 0) std::exit(parent() == 0 ? 0 : 1);
    int status = 0;
    waitpid(process, &status, 0);
    failures += status == 0 ? 0 : 1;
  }
  return failures;
}

}  // namespace
}  // namespace imago::forks

int main(int count, char** words) {
  using namespace imago::forks;
  if (count == 2 && std::string_view(words[1]) == "--compute")
    return static_cast<int>(call(computes));
  const int times = count == 2 ? std::atoi(words[1]) : 0;
  if (times < 1) return std::fputs("usage: imago_forks TIMES\n", stderr), 2;
  return all(times) == 0 ? 0 : 1;
}
