// This program times saturating transforms with and without hooks. A fused step should cost no more
// than the bytes that it moves. Parameters of the kernel may be given, to find the best ones for a
// hook.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <imago/imago.hpp>

namespace {

using namespace imago;

struct Row {
  std::string name;
  Hooks hooks = {};
  double bytes_per_point = 16;  ///< minimum bytes to move
};

std::vector<Row> rows() {
  const std::string text =
      "float2 limited(float2 x, const imago_at* at, __global const float* window, float most) {\n"
      "  const float2 y = x * window[at->index[0]];\n"
      "  return clamp(y, -most, most);\n"
      "}\n";
  const std::string of_lanes =
      "imago_complex limited(imago_complex x, const imago_at* at, __global const float* window,\n"
      "                      float most) {\n"
      "  const imago_real w = imago_gather(window, at->index[0]);\n"
      "  x.re = clamp(x.re * w, -most, most);\n"
      "  x.im = clamp(x.im * w, -most, most);\n"
      "  return x;\n"
      "}\n";
  using Type = hook::Parameter::Type;
  const std::vector<hook::Parameter> parameters{{Type::real_buffer, "window"},
                                                {Type::real, "most"}};
  return {{"nothing"},
          {"window", {.load = {hook::window(0, "window")}}},
          {"multiply", {.store = {hook::multiply("spectrum")}}},
          {"multiply, batched", {.store = {hook::multiply("spectra", {.batched = true})}}, 24},
          {"from_integer i16", {.load = {hook::from_integer(Integer::i16, 1.0 / 32768)}}, 12},
          {"power", {.store = {hook::power()}}, 12},
          {"decibels", {.store = {hook::decibels(1e-12)}}, 12},
          {"shift", {.store = {hook::shift({0})}}},
          {"modulate", {.load = {hook::modulate(0, 7, 1000)}}},
          {"half of it zero", {.load = {hook::zero_outside(0, 0, 1)}}, 12},
          {"code", {.load = {hook::code(text, "limited", parameters)}}},
          {"code of lanes", {.load = {hook::lane_code(of_lanes, "limited", parameters)}}}};
}

class Timer {
 public:
  Timer(std::size_t length, std::size_t points, double seconds, Options options)
      : length_(length), batch_(points / length), seconds_(seconds), options_(std::move(options)) {
    for (cl::Buffer* data : {&in_, &out_, &spectra_}) {
      *data = cl::Buffer(context_, CL_MEM_READ_WRITE, length_ * batch_ * 8);
      queue_.enqueueFillBuffer(*data, 0.5f, 0, length_ * batch_ * 8);
    }
  }

  /// Returns the seconds of a call, the minimum over several series of back-to-back calls.
  double time(Row& row) const {
    Transform transform;
    transform.lengths = {length_}, transform.batch = batch_;
    transform.directions = Directions::forward;
    for (Hook& hook : row.hooks.load) {
      if (auto* box = std::get_if<hook::ZeroOutside>(&hook)) box->end = length_ / 2;
    }
    transform.on_forward = row.hooks;
    const Plan plan(context_, device_, transform, options_);
    Call call;
    for (const auto* hooks : {&row.hooks.load, &row.hooks.store}) {
      for (const Hook& hook : *hooks) {
        if (const auto* multiply = std::get_if<hook::Multiply>(&hook))
          call.arguments.emplace_back(multiply->argument, spectra_);
        if (std::holds_alternative<hook::Code>(hook)) {
          call.arguments.emplace_back("window", spectra_);
          call.arguments.emplace_back("most", 100.0);
        }
      }
    }
    const auto train = [&](std::size_t calls) {
      const auto start = std::chrono::steady_clock::now();
      for (std::size_t i = 0; i < calls; ++i) plan.forward(queue_, in_, out_, call);
      queue_.finish();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      return took.count() / static_cast<double>(calls);
    };
    train(2);
    const auto calls = static_cast<std::size_t>(seconds_ / 5 / train(3)) + 1;
    double best = 1e9;
    for (int round = 0; round < 5; ++round) best = std::min(best, train(calls));
    return best;
  }
  double points() const { return static_cast<double>(length_ * batch_); }

 private:
  const cl::Device device_ = find_device();
  const cl::Context context_{device_};
  const cl::CommandQueue queue_{context_, device_};
  std::size_t length_, batch_;
  double seconds_;
  const Options options_;
  cl::Buffer in_, out_, spectra_;
};

/// Parses "model" (parameters of the cost model, without profiles), or the parameters of one
/// kernel, for example "16.16.4:64x2:split": radices, work-items per transform, transforms per
/// work-group, and the local-memory transpose.
Options parse_options(const std::string& text) {
  Options options;
  options.profiles = false;
  if (text == "model") return options;
  KernelParameters kernel;
  const std::size_t colon = text.find(':'), cross = text.find('x', colon);
  if (colon == std::string::npos || cross == std::string::npos)
    throw std::invalid_argument("parameters are model, or as 16.16.4:64x2:split, not " + text);
  std::stringstream radices(text.substr(0, colon));
  for (std::string radix; std::getline(radices, radix, '.');)
    kernel.radices.push_back(static_cast<unsigned>(std::stoul(radix)));
  kernel.items = static_cast<unsigned>(std::stoul(text.substr(colon + 1)));
  kernel.columns = static_cast<unsigned>(std::stoul(text.substr(cross + 1)));
  if (text.ends_with(":split")) kernel.exchange = Exchange::split;
  if (text.ends_with(":interleaved")) kernel.exchange = Exchange::interleaved;
  options.parameters = {Mapping::work_group, Algorithm::single, {std::move(kernel)}};
  return options;
}

void run(const Timer& timer, std::size_t length, const std::string& only) {
  std::printf("%zu points, %.0f in all\n%-20s %10s %8s %s\n", length, timer.points(), "hook", "us",
              "GB/s", "time per byte, of nothing's");
  double plain = 0;
  for (Row& row : rows()) {
    if (plain > 0 && !row.name.starts_with(only)) continue;
    const double time = timer.time(row), bytes = row.bytes_per_point * timer.points();
    if (plain == 0) plain = time / bytes;
    std::printf("%-20s %10.1f %8.0f %.3f\n", row.name.c_str(), time * 1e6, bytes / time / 1e9,
                time / bytes / plain);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fputs(
        "usage: imago_hooks <length> <points in all> [<seconds for a row> [<hook>|\"\"\n"
        "         [model|<radices>:<items>x<columns>[:split|:interleaved]]]]\n",
        stderr);
    return 2;
  }
  try {
    const std::size_t length = std::strtoull(words[1], nullptr, 10);
    const Timer timer(length, std::strtoull(words[2], nullptr, 10),
                      count > 3 ? std::strtod(words[3], nullptr) : 0.5,
                      count > 5 ? parse_options(words[5]) : Options{});
    run(timer, length, count > 4 ? words[4] : "");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
