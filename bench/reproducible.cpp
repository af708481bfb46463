// This program compares the speed of reproducible plans with that of automatic ones, both in turns
// in one process: `imago_reproducible cpu` or `h200` for the shapes of the suites of these names
// (bench/suites.cpp), or with any lengths, such as `4096 65536:f64`. It uses only libimago.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <imago/devices.hpp>
#include <imago/plan.hpp>

namespace imago {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRounds = 7;
constexpr double kRoundSeconds = 0.03;

struct Shape {
  std::size_t length;
  Precision precision;
  std::size_t points;
};

std::vector<Shape> shapes_of(const std::string& word) {
  std::vector<Shape> shapes;
  const auto add = [&](Precision precision, std::size_t points, unsigned first, unsigned last,
                       std::initializer_list<std::size_t> others) {
    for (unsigned i = first; i <= last; ++i)
      shapes.push_back({std::size_t{1} << i, precision, points});
    for (const std::size_t n : others) shapes.push_back({n, precision, points});
  };
  if (word == "cpu") {
    for (const Precision precision : {Precision::f32, Precision::f64})
      add(precision, std::size_t{1} << 20, 4, 16, {360, 1000, 1008});
  } else if (word == "h200") {
    add(Precision::f32, std::size_t{1} << 25, 2, 26,
        {100, 360, 1000, 1001, 1536, 2401, 6561, 10000, 15625});
  } else {
    const bool f64 = word.find(":f64") != std::string::npos;
    shapes.push_back({std::stoul(word), f64 ? Precision::f64 : Precision::f32, 1 << 20});
  }
  return shapes;
}

/// Calls of one plan, which are timed together.
class Calls {
 public:
  Calls(const cl::CommandQueue& queue, const cl::Buffer& data, Plan plan)
      : queue_(queue), data_(data), plan_(std::move(plan)) {
    run(1);
    const double once = std::max(run(1), 1e-7);
    count_ = static_cast<int>(std::clamp(kRoundSeconds / once, 1.0, 2000.0));
  }
  void measure() { best_ = std::min(best_, run(count_)); }
  double best() const { return best_; }

 private:
  double run(int count) {
    const auto start = Clock::now();
    for (int i = 0; i < count; ++i) plan_.forward(queue_, data_);
    queue_.finish();
    return std::chrono::duration<double>(Clock::now() - start).count() / count;
  }

  const cl::CommandQueue& queue_;
  const cl::Buffer& data_;
  Plan plan_;
  int count_ = 1;
  double best_ = 1e9;
};

int run(const std::vector<std::string>& words) {
  const cl::Device device = find_device();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device);
  double logarithms = 0;
  int count = 0;
  std::printf("%10s %5s %12s %14s %7s\n", "length", "", "automatic us", "reproducible", "ratio");
  for (const std::string& word : words) {
    for (const Shape& shape : shapes_of(word)) {
      const Transform t{.precision = shape.precision,
                        .lengths = {shape.length},
                        .batch = std::max<std::size_t>(1, shape.points / shape.length),
                        .placement = Placement::in_place,
                        .directions = Directions::forward};
      Plan automatic(context, device, t), reproducible(context, device, t, {.reproducible = true});
      const cl::Buffer data(context, CL_MEM_READ_WRITE, automatic.signal_bytes());
      queue.enqueueFillBuffer(data, 0, 0, automatic.signal_bytes());
      Calls first(queue, data, std::move(automatic)), second(queue, data, std::move(reproducible));
      for (int i = 0; i < kRounds; ++i) first.measure(), second.measure();
      const double ratio = second.best() / first.best();
      logarithms += std::log(ratio), ++count;
      std::printf("%10zu %5s %12.1f %14.1f %7.3f\n", shape.length,
                  shape.precision == Precision::f64 ? "f64" : "f32", 1e6 * first.best(),
                  1e6 * second.best(), ratio);
      std::fflush(stdout);
    }
  }
  std::printf("%s: geometric mean of %d ratios: %.3f\n", device.getInfo<CL_DEVICE_NAME>().c_str(),
              count, std::exp(logarithms / count));
  return 0;
}

}  // namespace
}  // namespace imago

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  return imago::run(words.empty() ? std::vector<std::string>{"cpu"} : words);
} catch (const std::exception& error) {
  std::fprintf(stderr, "imago_reproducible: %s\n", error.what());
  return 1;
}
