// This program times batches, images and volumes in host memory by the functions for small
// transforms, on one core and on all cores, and by kernels: in turns, the best of many.
//
//     imago_small_threads [TURNS]     default: 60
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include <imago/imago.hpp>

#include "bench/host_clock.hpp"

namespace {

using imago::Kind;
using imago::Precision;

/// Lets the thread use one core, or those that it had at first.
void use_cores([[maybe_unused]] bool all) {
#if defined(__linux__)
  static const cpu_set_t first = [] {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, all ? &first : &one);
#endif
}

struct Shape {
  const char* name;
  imago::Transform transform;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all{
      {"32 x 1024", {.lengths = {1024}, .batch = 32}},
      {"64 x 1024", {.lengths = {1024}, .batch = 64}},
      {"128 x 1024", {.lengths = {1024}, .batch = 128}},
      {"1024 x 1024", {.lengths = {1024}, .batch = 1024}},
      {"64 x 1024 f64", {.precision = Precision::f64, .lengths = {1024}, .batch = 64}},
      {"128x128", {.lengths = {128, 128}}},
      {"256x256", {.lengths = {256, 256}}},
      {"256x256 f64", {.precision = Precision::f64, .lengths = {256, 256}}},
      {"512x512", {.lengths = {512, 512}}},
      {"512x512 real", {.kind = Kind::real, .lengths = {512, 512}}},
      {"32x32x32", {.lengths = {32, 32, 32}}},
      {"64x64x64", {.lengths = {64, 64, 64}}},
      {"512x512 DCT-II", {.kind = Kind::dct2, .lengths = {512, 512}}},
  };
  return all;
}

using Memory = std::unique_ptr<void, void (*)(void*)>;

Memory memory_of(std::size_t bytes) {
  Memory memory(std::aligned_alloc(64, (bytes + 63) / 64 * 64), std::free);
  auto* const numbers = static_cast<float*>(memory.get());
  for (std::size_t i = 0; i < bytes / sizeof(float); ++i)
    numbers[i] = static_cast<float>(i % 977) / 977;
  return memory;
}

double seconds_of(const std::function<void()>& call, double guess) {
  constexpr double kSample = 0.001;
  const int number = std::max(1, static_cast<int>(kSample / guess));
  call();
  const double start = imago::bench::now();
  for (int i = 0; i < number; ++i) call();
  return (imago::bench::now() - start) / number;
}

void print_row(const imago::Pool& pool, const Shape& shape, int turns) {
  const imago::HostPlan kernels(pool, shape.transform, {.small = false});
  const auto small = imago::SmallPlan::make(shape.transform);
  if (!small) return;
  const std::size_t from = kernels.signal_bytes(), to = kernels.spectrum_bytes();
  const Memory in = memory_of(from), out = memory_of(to);
  const imago::ConstHostArray x(in.get(), from);
  const imago::HostArray y(out.get(), to);
  const auto functions = [&] { small->forward(x, y); };
  const std::vector<std::function<void()>> calls{functions, functions,
                                                 [&] { kernels.forward(x, y); }};
  calls[2]();
  kernels.wait();
  std::vector<double> best(calls.size(), 1);
  for (int turn = 0; turn < turns; ++turn) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      use_cores(i > 0);
      best[i] = std::min(best[i], seconds_of(calls[i], best[i]));
    }
  }
  const bool preferred = imago::SmallPlan::make_preferred(shape.transform).has_value();
  std::printf("%-16s one core %8.1f us  all %8.1f (%.2f)  kernels %8.1f (%.2f)  imago takes %s\n",
              shape.name, 1e6 * best[0], 1e6 * best[1], best[0] / best[1], 1e6 * best[2],
              best[2] / best[1], preferred ? "functions" : "kernels");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** values) {
  const int turns = count > 1 ? std::atoi(values[1]) : 60;
  use_cores(true);
  const imago::Pool pool({imago::find_device()});
  for (const Shape& shape : shapes()) print_row(pool, shape, turns);
}
