// This program measures the processor's time of calls, which other programs on the same cores
// hardly change: one line for each shape, with the time until the first result of a plan that
// compiles its kernels, and the lower quartile of further calls. Set IMAGO_CACHE_DIR and
// POCL_CACHE_DIR to empty folders.
//
//   imago_processor_times complex f32 262144 148 1184 64x37   the kind, the precision, the points
//                                                             of a batch (1: one transform), shapes
//
// It uses the shared library only; LD_LIBRARY_PATH selects another build.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include <imago/imago.hpp>

namespace {

using namespace imago;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<std::size_t> lengths_of(const std::string& text) {
  std::vector<std::size_t> lengths;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('x', at), text.size());
    lengths.push_back(std::stoull(text.substr(at, end - at)));
    at = end + 1;
  }
  return lengths;
}

class CallTimer {
 public:
  CallTimer() : device_(find_device()), context_(device_), queue_(context_, device_) {}

  /// Prints the times of a transform.
  void measure(const std::string& name, const Transform& transform) const {
    Options options;
    options.first_call = FirstCall::compile;
    const double begin = processor_seconds();
    const Plan plan(context_, device_, transform, options);
    const cl::Buffer signal(context_, CL_MEM_READ_WRITE, plan.signal_bytes());
    const cl::Buffer spectrum(context_, CL_MEM_READ_WRITE, plan.spectrum_bytes());
    queue_.enqueueFillBuffer(signal, cl_uchar{0}, 0, plan.signal_bytes());
    run(plan, signal, spectrum);
    const double first = processor_seconds() - begin;
    std::vector<double> times;
    for (double sum = 0; sum < kSeconds && times.size() < kCalls; sum += times.back()) {
      const double start = processor_seconds();
      run(plan, signal, spectrum);
      times.push_back(processor_seconds() - start);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-16s * %-8zu first %8.2f s, each %10.4f ms\n", name.c_str(), transform.batch,
                first, 1e3 * times[times.size() / 4]);
    std::fflush(stdout);
  }

 private:
  static constexpr double kSeconds = 0.6;
  static constexpr std::size_t kCalls = 400;

  void run(const Plan& plan, const cl::Buffer& signal, const cl::Buffer& spectrum) const {
    plan.forward(queue_, signal, spectrum);
    queue_.finish();
  }

  cl::Device device_;
  cl::Context context_;
  cl::CommandQueue queue_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr,
                 "usage: imago_processor_times complex|real|dct2 f32|f64 POINTS SHAPE...\n");
    return 2;
  }
  const std::string_view kind = argv[1], precision = argv[2];
  const std::size_t points = std::stoull(argv[3]);
  const CallTimer timer;
  timer.measure("16", {.lengths = {16}, .directions = Directions::forward});
  for (int i = 4; i < argc; ++i) {
    Transform transform{.lengths = lengths_of(argv[i]), .directions = Directions::forward};
    transform.kind = kind == "real" ? Kind::real : kind == "dct2" ? Kind::dct2 : Kind::complex;
    transform.precision = precision == "f64" ? Precision::f64 : Precision::f32;
    std::size_t each = 1;
    for (const std::size_t length : transform.lengths) each *= length;
    transform.batch = std::max<std::size_t>(1, points / each);
    timer.measure(argv[i], transform);
  }
}
