// This file tests streams, short-time transforms, averaged spectra, zooms and filters under faults.
#include <algorithm>
#include <chrono>
#include <complex>
#include <memory>
#include <numbers>
#include <thread>
#include <vector>

#include "faults.hpp"
#include "object_run.hpp"
#include "scenarios.hpp"

namespace imago::faults {
namespace {

using Pairs = std::vector<std::complex<float>>;

constexpr double kSignalBound = 1e-5;  ///< f32, relative to the largest result

/// A signal of 100 samples, and frames of 16 that start every 4.
constexpr std::size_t kSamples = 100, kFrame = 16, kHop = 4, kBins = kFrame / 2 + 1;

std::vector<std::complex<double>> frame_window() {
  std::vector<std::complex<double>> window;
  for (std::size_t j = 0; j < kFrame; ++j) window.emplace_back(0.5 + 0.03 * static_cast<double>(j));
  return window;
}

/// Returns the spectra of frames, the first of which starts `before` samples before the signal.
std::vector<Sum> frame_spectra(const std::vector<float>& x, std::size_t before,
                               std::size_t frames) {
  const auto window = frame_window();
  std::vector<double> places, frequencies;
  for (std::size_t j = 0; j < kFrame; ++j) places.push_back(static_cast<double>(j));
  for (std::size_t k = 0; k < kBins; ++k)
    frequencies.push_back(2 * std::numbers::pi * static_cast<double>(k) / kFrame);
  std::vector<Sum> all;
  for (std::size_t i = 0; i < frames; ++i) {
    std::vector<Sum> frame(kFrame);
    for (std::size_t j = 0; j < kFrame; ++j) {
      const std::size_t at = i * kHop + j;
      if (at >= before && at - before < x.size())
        frame[j] = static_cast<double>(x[at - before]) * window[j];
    }
    const auto bins = sums_of(frame, places, frequencies, -1);
    all.insert(all.end(), bins.begin(), bins.end());
  }
  return all;
}

ShortTimeTransform short_time(std::size_t samples, Directions directions) {
  ShortTimeTransform d;
  d.lengths = {samples}, d.window = frame_window(), d.hop = kHop, d.directions = directions;
  return d;
}

/// The arrays of a stream, and its right results.
struct StreamData {
  cl::Buffer from;
  std::size_t count = 0;  ///< elements of the stream
  /// Numbers of the array's type in an element of the stream, and in a result.
  std::size_t each = 1, each_result = 1;
  std::vector<Sum> expected;  ///< real numbers, or pairs
  bool real_results = true;
};

/// Returns the samples, and what a filter computes from them.
template <class Taps>
StreamData filtered_data(const test::Device& device, const Taps& taps) {
  const auto x = some_numbers(kSamples, 3);
  StreamData data{device.upload(x), kSamples, 1, 1, {}, true};
  for (std::size_t t = 0; t < kSamples + taps.size() - 1; ++t) {
    Sum sum = 0;
    for (std::size_t j = 0; j < taps.size() && j <= t; ++j)
      if (t - j < kSamples) sum += taps[j] * static_cast<double>(x[t - j]);
    data.expected.push_back(sum);
  }
  return data;
}

constexpr std::size_t kFramesOfStream = (kSamples + kFrame - kHop + kHop - 1) / kHop;

StreamData analysed_data(const test::Device& device) {
  const auto x = some_numbers(kSamples, 4);
  return {device.upload(x),
          kSamples,
          1,
          kBins,
          frame_spectra(x, kFrame - kHop, kFramesOfStream),
          false};
}

/// Frames, and the samples that an inverse restores from them.
StreamData synthesized_data(const test::Device& device) {
  const auto x = some_numbers(kSamples, 5);
  Pairs spectra;
  for (const Sum& bin : frame_spectra(x, kFrame - kHop, kFramesOfStream)) spectra.emplace_back(bin);
  StreamData data{device.upload(spectra), kFramesOfStream, kBins, 1, {}, true};
  data.expected.assign(x.begin(), x.end());
  return data;
}

/// A stream in blocks. If a call fails, the stream is reset and begins again, while the commands of
/// the failed call still wait for an event.
struct StreamRun {
  const test::Device& device;
  cl::CommandQueue queue;
  std::function<std::unique_ptr<Stream>(const cl::CommandQueue&)> make;
  StreamData data;

  /// Pushes the elements from `begin` to `end` in blocks. Returns the number of results.
  std::size_t push(Stream& stream, std::size_t begin, std::size_t end, std::size_t results,
                   const cl::Buffer& to, const Call& call) const {
    for (std::size_t i = begin, block = 7; i < end; i += block, block = block % 11 + 5) {
      block = std::min({block, end - i, stream.most()});
      results += stream.push(Array(data.from, i * data.each), block,
                             Array(to, results * data.each_result), call);
    }
    return results;
  }
  cl::Buffer results() const {
    return device.allocate(2 * sizeof(float) * data.each_result * (data.expected.size() + 200));
  }
  std::string wrong(const cl::Buffer& to) const {
    test::check_call(queue.finish(), "clFinish");
    const std::size_t count = data.expected.size();
    const double error =
        data.real_results
            ? distance_of(device.download<float>(to, count), data.expected)
            : distance_of(device.download<std::complex<float>>(to, count), data.expected);
    return judged("a stream", error, kSignalBound);
  }

  Outcome operator()() const {
    Outcome outcome;
    std::unique_ptr<Stream> stream;
    cl::UserEvent gate(device.context);
    const Call gated{.waits = {gate}};
    const cl::Buffer first = results(), second = results();
    spoil(device, {first, second});
    try {
      const Live scope;
      stream = make(queue);
      const std::size_t written = push(*stream, 0, data.count, 0, first, gated);
      stream->finish(Array(first, written * data.each_result), gated);
    } catch (...) {
      outcome.error = std::current_exception();
    }
    const auto open = [&] {
      test::check_call(gate.setStatus(CL_COMPLETE), "clSetUserEventStatus");
    };
    if (stream && outcome.error) {
      stream->reset();
      const std::size_t half = data.count / 2, written = push(*stream, 0, half, 0, second, {});
      test::check_call(queue.flush(), "clFlush");
      std::this_thread::sleep_for(
          std::chrono::milliseconds(2));  // commands that do not wait run now
      open();
      test::check_call(queue.finish(), "clFinish");
      const std::size_t all = push(*stream, half, data.count, written, second, {});
      stream->finish(Array(second, all * data.each_result));
      outcome.wrong = wrong(second);
    } else {
      open();
      if (stream) outcome.wrong = wrong(first);
    }
    test::check_call(queue.finish(), "clFinish");
    const Live scope;
    stream.reset();
    return outcome;
  }
};

/// Returns a function that makes an object of the interface.
template <class Object, class... Arguments>
auto maker(const test::Device& device, const Arguments&... arguments) {
  return [&device, arguments...] {
    return std::make_unique<Object>(device.context, device.device, arguments...);
  };
}

auto settle(const test::Device& device) {
  return [&device] { test::check_call(device.queue.finish(), "clFinish"); };
}

std::vector<Scenario> stream_scenarios(const test::Device& device, const Options& options) {
  FirFilter filter;
  filter.lengths = {40}, filter.points = 32;
  for (const float tap : some_numbers(9, 2)) filter.taps.emplace_back(tap);
  const auto made = [options](const auto& what) {
    return [what, options](const cl::CommandQueue& queue) {
      return std::make_unique<Stream>(queue, what, options);
    };
  };
  const auto there = made(short_time(40, Directions::forward)),
             back = made(short_time(40, Directions::inverse));
  const StreamData filtered = filtered_data(device, filter.taps);
  return {{"stream_filter", StreamRun{device, device.queue, made(filter), filtered}, true},
          {"stream_out_of_order", StreamRun{device, device.out_of_order(), made(filter), filtered},
           true},
          {"stream_frames", StreamRun{device, device.out_of_order(), there, analysed_data(device)},
           true},
          {"stream_inverse",
           StreamRun{device, device.out_of_order(), back, synthesized_data(device)}, true}};
}

Scenario short_time_scenario(const test::Device& device, const Options& options) {
  const auto x = some_numbers(kSamples, 6);
  const auto signal = device.upload(x), back = device.allocate(4 * kSamples),
             spectra = device.allocate(8 * kBins * (kFramesOfStream + 8));
  const auto expected = frame_spectra(x, kFrame - kHop, kFramesOfStream);
  const auto use = [=, &device](const ShortTimePlan& plan) {
    plan.forward(device.queue, signal, spectra);
    plan.inverse(device.queue, spectra, back);
  };
  const auto wrong = [=, &device]() -> std::string {
    const auto found = device.download<std::complex<float>>(spectra, expected.size());
    if (auto text = judged("a frame", distance_of(found, expected), kSignalBound); !text.empty())
      return text;
    return judged("there and back", distance_of(device.download<float>(back, kSamples), x), 1e-5);
  };
  const auto make = maker<ShortTimePlan>(device, short_time(kSamples, Directions::both), options);
  return {"short_time",
          ObjectRun<ShortTimePlan>{make,
                                   [=, &device] {
                                     spoil(device, {spectra, back});
                                   },
                                   use, settle(device), wrong},
          true};
}

Scenario welch_scenario(const test::Device& device, const Options& options) {
  const auto x = some_numbers(kSamples, 7), y = some_numbers(kSamples, 8);
  const std::size_t frames = (kSamples - kFrame) / kHop + 1;
  const auto of_x = frame_spectra(x, 0, frames), of_y = frame_spectra(y, 0, frames);
  std::vector<Sum> expected(kBins);
  for (std::size_t i = 0; i < of_x.size(); ++i)
    expected[i % kBins] += std::conj(of_x[i]) * of_y[i] / static_cast<double>(frames);
  const auto signal = device.upload(x), other = device.upload(y),
             result = device.allocate(8 * kBins);
  const auto use = [=, &device](const WelchPlan& plan) {
    plan.cross(device.queue, signal, other, result);
  };
  const auto wrong = [=, &device] {
    const auto found = device.download<std::complex<float>>(result, kBins);
    return judged("a cross spectrum", distance_of(found, expected), kSignalBound);
  };
  WelchTransform d;
  d.lengths = {kSamples}, d.window = frame_window(), d.hop = kHop, d.cross = true;
  return {
      "welch",
      ObjectRun<WelchPlan>{maker<WelchPlan>(device, d, options),
                           [=, &device] { spoil(device, {result}); }, use, settle(device), wrong},
      true};
}

Scenario zoom_scenario(const test::Device& device, const Options& options) {
  constexpr std::size_t kLength = 50, kPoints = 20;
  std::vector<double> places, frequencies;
  for (std::size_t j = 0; j < kLength; ++j) places.push_back(static_cast<double>(j));
  for (std::size_t k = 0; k < kPoints; ++k)
    frequencies.push_back(2 * std::numbers::pi * (0.125 + 0.25 * static_cast<double>(k) / kPoints));
  const auto x = some_pairs(kLength, 9), f = some_pairs(kPoints, 10);
  const auto expected = sums_of(x, places, frequencies, -1),
             expected_back = sums_of(f, frequencies, places, 1);
  const auto signal = device.upload(x), spectrum = device.upload(f),
             there = device.allocate(8 * kPoints), back = device.allocate(8 * kLength);
  const auto use = [=, &device](const ZoomPlan& plan) {
    plan.forward(device.queue, signal, there);
    plan.adjoint(device.queue, spectrum, back);
  };
  const auto wrong = [=, &device]() -> std::string {
    const auto found = device.download<std::complex<float>>(there, kPoints);
    if (auto text = judged("a zoom", distance_of(found, expected), kSignalBound); !text.empty())
      return text;
    const auto found_back = device.download<std::complex<float>>(back, kLength);
    return judged("an adjoint", distance_of(found_back, expected_back), kSignalBound);
  };
  ZoomTransform zoom;
  zoom.lengths = {kLength}, zoom.points = kPoints, zoom.from = 0.125, zoom.to = 0.375;
  return {"zoom",
          ObjectRun<ZoomPlan>{maker<ZoomPlan>(device, zoom, options),
                              [=, &device] {
                                spoil(device, {there, back});
                              },
                              use, settle(device), wrong},
          true};
}

/// Keeps the slow one of two waves, times a window and a number of the call, in place.
template <class Real>
Scenario filter_scenario(const test::Device& device, const Options& options, const char* name) {
  constexpr std::size_t kLength = 96, kWords = 2 * (kLength / 2 + 1);
  constexpr bool kPairs = sizeof(Real) == 8;
  std::vector<Real> x(kWords), window(kLength, Real(0.5));
  std::vector<Sum> expected;
  for (std::size_t j = 0; j < kLength; ++j) {
    const double turns = static_cast<double>(j) / kLength,
                 slow = std::cos(4 * std::numbers::pi * turns);
    window[j] = static_cast<Real>(0.25 + 0.005 * static_cast<double>(j % 7));
    x[j] = static_cast<Real>(slow + std::cos(60 * std::numbers::pi * turns));
    expected.emplace_back(3 * slow * static_cast<double>(window[j]));
  }
  const auto signal = device.upload(x), data = device.allocate(kWords * sizeof(Real)),
             factors = device.upload(window);
  // In place a call that fails may have changed the signal.
  const Call call{.arguments = {{"gain", 3.0}, {"window", factors}}};
  const auto prepare = [=, &device] {
    test::check_call(device.queue.enqueueCopyBuffer(signal, data, 0, 0, kWords * sizeof(Real)),
                     "clEnqueueCopyBuffer");
  };
  const auto use = [=, &device](const Filter& filter) { filter.apply(device.queue, data, call); };
  const auto wrong = [=, &device] {
    const auto found = device.download<Real>(data, kLength);
    return judged("a filter", distance_of(found, expected), kPairs ? 1e-12 : kSignalBound);
  };
  FilterShape shape;
  shape.kind = Kind::real, shape.lengths = {kLength}, shape.placement = Placement::in_place;
  shape.precision = kPairs ? Precision::f64 : Precision::f32;
  shape.spectrum = {hook::zero_outside(0, 0, 10)};
  shape.ends.store = {hook::window(0, "window"), hook::scale("gain")};
  return {
      name,
      ObjectRun<Filter>{maker<Filter>(device, shape, options), prepare, use, settle(device), wrong},
      true};
}

}  // namespace

std::vector<Scenario> signal_scenarios(const test::Device& device,
                                       const std::filesystem::path& cache) {
  Options options;
  options.cache_directory = cache;
  Options pairs = options;
  pairs.f64 = F64::pairs;
  auto all = stream_scenarios(device, options);
  all.push_back(short_time_scenario(device, options));
  all.push_back(welch_scenario(device, options));
  all.push_back(zoom_scenario(device, options));
  all.push_back(filter_scenario<float>(device, options, "filter"));
  all.push_back(filter_scenario<double>(device, pairs, "filter_in_pairs"));
  return all;
}

}  // namespace imago::faults
