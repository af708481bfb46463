// This program measures plans that begin on generic kernels (Options::first_call), one line for
// each shape: the time of the plan and of its first result; the best of some calls with generic
// kernels; and the same with kernels of the shape, whose first result includes their compilation.
//
//   imago_first_calls           40 shapes of one to three dimensions, all kinds, f32 and f64
//   imago_first_calls first     only the generic kernels, without compiling others
//   imago_first_calls 1001*64   generic kernels for any number of lengths and batches, complex and
//                               real
//
// Before the first shape it prints the time and the processor's time until the first result of the
// device in each precision. Set IMAGO_CACHE_DIR and the driver's cache folder to empty ones to see
// a device that was never used.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <imago/imago.hpp>

#include "bench/host_clock.hpp"

namespace {

using namespace imago;
using bench::now;

constexpr int kCalls = 15;

struct Shape {
  std::vector<std::size_t> lengths;
  std::size_t batch = 1;
  Kind kind = Kind::complex;
};

const std::vector<Shape> kShapes{{{1024}, 1024},
                                 {{1000}, 1000},
                                 {{64}, 16384},
                                 {{360}, 2912},
                                 {{1024}},
                                 {{4096}, 256},
                                 {{65536}},
                                 {{1009}, 100},
                                 {{101}, 1000},
                                 {{512, 512}},
                                 {{640, 480}},
                                 {{100, 100}},
                                 {{64, 64, 64}},
                                 {{1024}, 512, Kind::real},
                                 {{999}, 512, Kind::real},
                                 {{1080, 1920}, 1, Kind::real},
                                 {{384, 384}, 1, Kind::real},
                                 {{1000}, 100, Kind::dct2},
                                 {{512, 512}, 1, Kind::dct3},
                                 {{512, 512}, 1, Kind::dst4}};

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string name_of(const Shape& shape, Precision precision) {
  std::string name = shape.kind == Kind::complex ? "complex "
                     : shape.kind == Kind::real  ? "real "
                                                 : "dct/dst ";
  for (std::size_t i = 0; i < shape.lengths.size(); ++i)
    name += (i == 0 ? "" : "x") + std::to_string(shape.lengths[i]);
  name += " * " + std::to_string(shape.batch);
  return name + (precision == Precision::f64 ? " f64" : " f32");
}

class Measurer {
 public:
  Measurer() : device_(find_device()), context_(device_), queue_(context_, device_) {}

  bool has_doubles() const { return device_.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0; }

  struct Times {
    double plan = 0, first = 0;  ///< seconds until the plan is made, and until its first result
    double best = 0;             ///< seconds of the fastest call
  };
  Times measure(const Shape& shape, Precision precision, FirstCall first_call, int calls) const {
    Options options;
    options.first_call = first_call;
    const double begin = now();
    const Plan plan(context_, device_,
                    {.kind = shape.kind,
                     .precision = precision,
                     .lengths = shape.lengths,
                     .batch = shape.batch,
                     .directions = Directions::forward},
                    options);
    Times times;
    times.plan = now() - begin;
    // The buffers are the caller's and not part of the first call.
    const cl::Buffer signal = zeros(plan.signal_bytes()), spectrum = zeros(plan.spectrum_bytes());
    const double ready = now();
    run(plan, signal, spectrum);
    times.first = times.plan + now() - ready;
    times.best = std::numeric_limits<double>::max();
    for (int i = 0; i < calls; ++i) {
      const double start = now();
      run(plan, signal, spectrum);
      times.best = std::min(times.best, now() - start);
    }
    return times;
  }

 private:
  cl::Buffer zeros(std::size_t bytes) const {
    cl::Buffer buffer(context_, CL_MEM_READ_WRITE, bytes);
    queue_.enqueueFillBuffer(buffer, cl_uchar{0}, 0, bytes);
    queue_.finish();
    return buffer;
  }
  void run(const Plan& plan, const cl::Buffer& signal, const cl::Buffer& spectrum) const {
    plan.forward(queue_, signal, spectrum);
    queue_.finish();
  }

  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
};

/// Adds the complex and the real transform of a length and a batch, such as "1001*64".
void add_shapes(const std::string& text, std::vector<Shape>& shapes) {
  const std::size_t star = text.find('*');
  const std::size_t length = std::stoull(text);
  const std::size_t batch = star == std::string::npos ? 1 : std::stoull(text.substr(star + 1));
  for (const Kind kind : {Kind::complex, Kind::real}) shapes.push_back({{length}, batch, kind});
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const bool only_first = argc > 1 && std::string_view(argv[1]) == "first", all = argc < 2;
  std::vector<Shape> shapes;
  for (int i = 1; i < argc && !only_first; ++i) add_shapes(argv[i], shapes);
  if (shapes.empty()) shapes = kShapes;
  const double begin = now();
  const Measurer measurer;
  std::vector<Precision> precisions{Precision::f32};
  if (measurer.has_doubles()) precisions.push_back(Precision::f64);
  for (const Precision precision : precisions) {
    measurer.measure({{16}}, precision, FirstCall::automatic, 0);
    std::printf("first result in %s: %.3f s after the start, %.3f s of processors\n",
                precision == Precision::f64 ? "f64" : "f32", now() - begin, processor_seconds());
  }
  std::printf("%-32s %10s %10s %12s %12s %12s %8s\n", "shape", "plan ms", "first ms", "generic us",
              "compiled ms", "own us", "speed");
  std::vector<double> firsts;
  double sum = 0;
  for (const Precision precision : precisions) {
    for (const Shape& shape : shapes) {
      const int calls = only_first ? 0 : kCalls;
      const auto generic = measurer.measure(shape, precision, FirstCall::generic, calls);
      firsts.push_back(generic.first);
      std::printf("%-32s %10.2f %10.2f", name_of(shape, precision).c_str(), 1e3 * generic.plan,
                  1e3 * generic.first);
      if (!only_first) std::printf(" %12.1f", 1e6 * generic.best);
      if (all) {
        const auto own = measurer.measure(shape, precision, FirstCall::compile, kCalls);
        const double speed = own.best / generic.best;
        sum += std::log(speed);
        std::printf(" %12.1f %12.1f %8.2f", 1e3 * own.first, 1e6 * own.best, speed);
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  }
  std::printf("first result: median %.2f ms, largest %.2f ms\n", 1e3 * median(firsts),
              1e3 * *std::max_element(firsts.begin(), firsts.end()));
  if (all)
    std::printf("speed of generic kernels: %.3f in the geometric mean of %zu shapes\n",
                std::exp(sum / static_cast<double>(firsts.size())), firsts.size());
}
