// This program makes one plan and calls it repeatedly. It is for tools that measure the host's cost
// of a call (call_instructions.sh), for long runs (10^6 calls) and for the scaling of threads. It
// also measures a kernel that is launched without imago.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <imago/imago.hpp>

namespace {

using namespace imago;

struct Wish {
  std::vector<std::size_t> lengths;
  std::size_t calls = 1, threads = 1;
  Launches launches = Launches::automatic;
};

// Number of calls between waits, because an endless queue needs endless memory.
constexpr std::size_t kTrain = 1000;

template <class Launch>
void launch_in_trains(const cl::CommandQueue& queue, std::size_t times, const Launch& launch) {
  for (std::size_t i = 0; i < times; ++i) {
    launch();
    if ((i + 1) % kTrain == 0) queue.finish();
  }
  queue.finish();
}

/// A kernel with almost no work, in one work-group, launched by the driver alone.
struct RawCaller {
  RawCaller(const cl::Context& context, const cl::Device& device, const Wish&)
      : program(context, "kernel void touch(global float* x) { x[get_local_id(0)] = 1; }"),
        queue(context, device),
        data(context, CL_MEM_READ_WRITE, kItems * sizeof(float)) {
    program.build(device);
    kernel = cl::Kernel(program, "touch");
    kernel.setArg(0, data);
    call(10);
  }
  void call(std::size_t times) {
    launch_in_trains(queue, times,
                     [&] { queue.enqueueNDRangeKernel(kernel, cl::NullRange, kItems, kItems); });
  }
  std::string name() const { return "raw launches\n"; }

  static constexpr std::size_t kItems = 64;
  cl::Program program;
  cl::Kernel kernel;
  cl::CommandQueue queue;
  cl::Buffer data;
};

/// A caller with its own plan, queue and data.
struct Caller {
  Caller(const cl::Context& context, const cl::Device& device, const Wish& wish)
      : plan(context, device, transform(wish), options(wish)),
        queue(context, device),
        data(context, CL_MEM_READ_WRITE, plan.signal_bytes()) {
    const float zero = 0;
    queue.enqueueFillBuffer(data, zero, 0, plan.signal_bytes());
    call(10);
  }
  void call(std::size_t times) {
    launch_in_trains(queue, times, [&] { plan.forward(queue, data); });
  }
  std::string name() const { return plan.describe(); }

  static Transform transform(const Wish& wish) {
    Transform transform;
    transform.lengths = wish.lengths;
    transform.placement = Placement::in_place;
    transform.directions = Directions::forward;
    return transform;
  }
  static Options options(const Wish& wish) {
    Options options;
    options.parameters.launches = wish.launches;
    // A setting of launches needs a plan with several kernels.
    if (wish.launches != Launches::automatic) options.parameters.algorithm = Algorithm::hierarchy;
    return options;
  }

  Plan plan;
  cl::CommandQueue queue;
  cl::Buffer data;
};

template <class Caller>
void run(const Wish& wish) {
  const cl::Device device = find_device();
  const cl::Context context(device);
  std::vector<Caller> callers;
  for (std::size_t i = 0; i < wish.threads; ++i) callers.emplace_back(context, device, wish);
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < wish.threads; ++i)
    threads.emplace_back([&, i] { callers[i].call(wish.calls); });
  callers[0].call(wish.calls);
  threads.clear();  // joins
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%s%zu calls in each of %zu threads, %.3f us a call\n", callers[0].name().c_str(),
              wish.calls, wish.threads, seconds.count() / static_cast<double>(wish.calls) * 1e6);
}

Wish parse(int count, char** words) {
  Wish wish;
  for (const char* at = words[1];; ++at) {
    char* end = nullptr;
    wish.lengths.push_back(std::strtoull(at, &end, 10));
    at = end;
    if (*at != 'x') break;
  }
  wish.calls = std::strtoull(words[2], nullptr, 10);
  if (count > 3) wish.threads = std::strtoull(words[3], nullptr, 10);
  if (count > 4) wish.launches = std::string(words[4]) == "one" ? Launches::one : Launches::several;
  return wish;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fputs("usage: imago_calls <lengths, 64x64> <calls> [<threads> [one | several | raw]]\n",
               stderr);
    return 2;
  }
  try {
    const bool raw = count > 4 && std::string(words[4]) == "raw";
    raw ? run<RawCaller>(parse(count, words)) : run<Caller>(parse(count, words));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
