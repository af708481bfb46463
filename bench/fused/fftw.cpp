// This file uses FFTW with loops around it, in f32, on all threads. Either each step runs over all
// data, or each thread runs all steps on parts that fit into its core's cache. The compiler
// vectorises the loops (-O3 -march=native), so it is a plugin, which runs only on the machine of
// the build. Plans use FFTW_MEASURE and as many threads as their use has.
#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>

#include "bench/fused/problem.hpp"
#include "bench/host_clock.hpp"
#include "catalogue/fftw.hpp"

namespace imago::bench::fused {
namespace {

using Array = catalogue::FftwArray<float>;
using Complex = std::complex<float>;
using Fftwf = catalogue::Fftw<float>;
using FftwPlan = catalogue::FftwPlan<float>;

/// Floats of a part. With its spectra this is half a megabyte, which fits into a second-level
/// cache.
constexpr std::size_t kPartFloats = std::size_t{1} << 16;

/// Calls `body(begin, end)` in parallel for ranges of [0, count).
template <class Body>
void share(unsigned threads, std::size_t count, const Body& body) {
  std::vector<std::jthread> others;
  const auto bound = [&](std::size_t i) { return count * i / threads; };
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(body, bound(i), bound(i + 1));
  body(0, bound(1));
}

Complex* complex_of(float* numbers) { return reinterpret_cast<Complex*>(numbers); }

/// The steps for some batch elements: conversion to floating-point arrays, forward and inverse
/// transform, and conversion back.
class Steps {
 public:
  Steps(const Problem& problem, const Data& data, std::size_t length)
      : problem_(problem), data_(data), length_(length) {}

  bool planes() const { return problem_.which == Case::planes; }
  bool inverts() const { return problem_.which != Case::stft; }
  std::string about() const {
    return problem_.which == Case::lines ? "length " + std::to_string(length_) + " " : "";
  }
  /// Return the floats of a batch element's array and of its spectrum.
  std::size_t array() const { return planes() ? 2 * length_ * length_ : length_; }
  std::size_t spectrum() const { return planes() ? array() : 2 * (length_ / 2 + 1); }

  FftwPlan plan(std::size_t members, Array& arrays, Array& spectra, bool inverse) const {
    const int n[] = {static_cast<int>(length_), static_cast<int>(length_)};
    const int count = static_cast<int>(members), wide = static_cast<int>(array()),
              half = static_cast<int>(spectrum() / 2);
    if (planes())
      return FftwPlan(fftwf_plan_many_dft(2, n, count, (inverse ? spectra : arrays).complex(),
                                          nullptr, 1, half, (inverse ? arrays : spectra).complex(),
                                          nullptr, 1, half, inverse ? FFTW_BACKWARD : FFTW_FORWARD,
                                          FFTW_MEASURE));
    if (inverse)
      return FftwPlan(fftwf_plan_many_dft_c2r(1, n, count, spectra.complex(), nullptr, 1, half,
                                              arrays.data(), nullptr, 1, wide, FFTW_MEASURE));
    return FftwPlan(fftwf_plan_many_dft_r2c(1, n, count, arrays.data(), nullptr, 1, wide,
                                            spectra.complex(), nullptr, 1, half, FFTW_MEASURE));
  }
  void transform(const FftwPlan& plan, float* arrays, float* spectra, bool inverse) const {
    const auto pairs = [](float* numbers) { return reinterpret_cast<fftwf_complex*>(numbers); };
    if (planes())
      fftwf_execute_dft(plan.get(), pairs(inverse ? spectra : arrays),
                        pairs(inverse ? arrays : spectra));
    else if (inverse)
      fftwf_execute_dft_c2r(plan.get(), pairs(spectra), arrays);
    else
      fftwf_execute_dft_r2c(plan.get(), arrays, pairs(spectra));
  }

  /// Computes the kernel's spectrum, including the normalization that FFTW omits.
  void prepare() {
    if (!inverts()) return;
    Array kernel(array()), factors(spectrum());
    const FftwPlan forward = plan(1, kernel, factors, false);
    std::fill_n(kernel.data(), array(), 0.0f);
    if (planes())
      std::copy(data_.spread.begin(), data_.spread.end(), complex_of(kernel.data()));
    else
      std::copy(data_.taps.begin(), data_.taps.end(), kernel.data());
    transform(forward, kernel.data(), factors.data(), false);
    const double points =
        planes() ? static_cast<double>(length_ * length_) : static_cast<double>(length_);
    for (std::size_t i = 0; i < spectrum(); ++i)
      factors_.push_back(static_cast<float>(factors.data()[i] / points));
  }

  void before(std::size_t member, float* to) const {
    const std::size_t n = problem_.length;
    if (problem_.which == Case::stft) {
      const std::int16_t* from = data_.samples.data() + member * problem_.width;
      const float* window = data_.window.data();
      for (std::size_t j = 0; j < n; ++j)
        to[j] = static_cast<float>(from[j]) * (1.0f / 32768) * window[j];
    } else if (planes()) {
      std::copy_n(data_.planes.data() + member * n * n, n * n, complex_of(to));
    } else {
      std::copy_n(data_.lines.data() + member * n, n, to);
      std::fill(to + n, to + length_, 0.0f);
    }
  }
  void between(float* spectrum_data) const {
    const std::size_t count = spectrum();
    const float* factors = factors_.data();
    for (std::size_t i = 0; i < count; i += 2) {
      const float re = spectrum_data[i], im = spectrum_data[i + 1];
      spectrum_data[i] = re * factors[i] - im * factors[i + 1];
      spectrum_data[i + 1] = re * factors[i + 1] + im * factors[i];
    }
  }
  void after(const float* array_data, const float* spectrum_data, float* result) const {
    const std::size_t count = problem_.result_floats();
    if (inverts()) {
      std::copy_n(array_data, count, result);
      return;
    }
    for (std::size_t k = 0; k < count; ++k)
      result[k] = spectrum_data[2 * k] * spectrum_data[2 * k] +
                  spectrum_data[2 * k + 1] * spectrum_data[2 * k + 1];
  }

 private:
  const Problem problem_;
  const Data& data_;
  std::size_t length_;
  std::vector<float> factors_;
};

class WithFftw : public Contestant {
 public:
  WithFftw(const Problem& problem, unsigned threads)
      : problem_(problem), threads_(threads), result_(problem.members() * problem.result_floats()) {
    std::fill_n(result_.data(), result_.size(), 0.0f);
  }
  void finish() override {}  // a call returns its result
  std::vector<float> result(std::size_t member) override {
    const float* from = result_.data() + member * problem_.result_floats();
    return {from, from + problem_.result_floats()};
  }

 protected:
  const Problem& problem() const { return problem_; }
  unsigned threads() const { return threads_; }
  float* result_of(std::size_t member) {
    return result_.data() + member * problem_.result_floats();
  }

 private:
  const Problem problem_;
  const unsigned threads_;
  Array result_;
};

/// Runs each step over all batch elements before the next step.
class Everything : public WithFftw {
 public:
  Everything(const Problem& problem, const Data& data, unsigned threads, std::size_t length)
      : WithFftw(problem, threads),
        steps_(problem, data, length),
        arrays_(problem.members() * steps_.array()),
        spectra_(problem.members() * steps_.spectrum()) {
    fftwf_plan_with_nthreads(static_cast<int>(threads));
    forward_ = steps_.plan(problem.members(), arrays_, spectra_, false);
    if (steps_.inverts()) inverse_ = steps_.plan(problem.members(), arrays_, spectra_, true);
    fftwf_plan_with_nthreads(1);
    steps_.prepare();
  }
  std::string name() const override { return "fftw in steps"; }
  std::string about() const override { return steps_.about(); }
  void enqueue() override {
    const auto each = [this](const auto& step) {
      share(threads(), problem().members(), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) step(i);
      });
    };
    each([this](std::size_t i) { steps_.before(i, array(i)); });
    steps_.transform(forward_, arrays_.data(), spectra_.data(), false);
    if (steps_.inverts()) {
      each([this](std::size_t i) { steps_.between(spectrum(i)); });
      steps_.transform(inverse_, arrays_.data(), spectra_.data(), true);
    }
    each([this](std::size_t i) { steps_.after(array(i), spectrum(i), result_of(i)); });
  }

 private:
  float* array(std::size_t i) { return arrays_.data() + i * steps_.array(); }
  float* spectrum(std::size_t i) { return spectra_.data() + i * steps_.spectrum(); }
  Steps steps_;
  Array arrays_, spectra_;
  FftwPlan forward_, inverse_;
};

/// Runs all steps over a few batch elements before the next few.
class InParts : public WithFftw {
 public:
  InParts(const Problem& problem, const Data& data, unsigned threads, std::size_t length)
      : WithFftw(problem, threads),
        steps_(problem, data, length),
        part_(std::clamp<std::size_t>(kPartFloats / steps_.array(), 1, problem.members())) {
    fftwf_plan_with_nthreads(1);
    for (unsigned i = 0; i < threads; ++i)
      rooms_.push_back(
          std::make_unique<Room>(Array(part_ * steps_.array()), Array(part_ * steps_.spectrum())));
    Room& room = *rooms_[0];
    forward_ = steps_.plan(part_, room.arrays, room.spectra, false);
    if (steps_.inverts()) inverse_ = steps_.plan(part_, room.arrays, room.spectra, true);
    for (const auto& each : rooms_) std::fill_n(each->arrays.data(), each->arrays.size(), 0.0f);
    steps_.prepare();
  }
  std::string name() const override { return "fftw in parts"; }
  std::string about() const override {
    return steps_.about() + "parts of " + std::to_string(part_);
  }
  void enqueue() override {
    share(threads(), threads(), [this](std::size_t thread, std::size_t) {
      const std::size_t members = problem().members();
      for (std::size_t i = members * thread / threads(), end = members * (thread + 1) / threads();
           i < end; i += part_)
        compute(*rooms_[thread], i, std::min(part_, end - i));
    });
  }

 private:
  struct Room {
    Room(Array a, Array s) : arrays(std::move(a)), spectra(std::move(s)) {}
    Array arrays, spectra;
  };
  void compute(Room& room, std::size_t first, std::size_t count) {
    const auto array = [&](std::size_t i) { return room.arrays.data() + i * steps_.array(); };
    const auto spectrum = [&](std::size_t i) {
      return room.spectra.data() + i * steps_.spectrum();
    };
    for (std::size_t i = 0; i < count; ++i) steps_.before(first + i, array(i));
    steps_.transform(forward_, array(0), spectrum(0), false);
    if (steps_.inverts()) {
      for (std::size_t i = 0; i < count; ++i) steps_.between(spectrum(i));
      steps_.transform(inverse_, array(0), spectrum(0), true);
    }
    for (std::size_t i = 0; i < count; ++i)
      steps_.after(array(i), spectrum(i), result_of(first + i));
  }
  Steps steps_;
  std::size_t part_;
  std::vector<std::unique_ptr<Room>> rooms_;
  FftwPlan forward_, inverse_;
};

/// Inverse short-time transforms: transforms frames, then adds those that share samples. A part is
/// everything, or a few hops of samples for each thread.
class OverlapAdd : public WithFftw {
 public:
  OverlapAdd(const Problem& problem, const Data& data, unsigned threads, bool in_parts)
      : WithFftw(problem, threads),
        data_(data),
        part_(in_parts ? std::clamp<std::size_t>(kPartFloats / problem.length, 1,
                                                 problem.members() / threads)
                       : problem.members()) {
    const std::size_t frames = problem.frames(part_);
    for (unsigned i = 0; i < (in_parts ? threads : 1); ++i) frames_.emplace_back(frames * length());
    Array spectra(frames * 2 * bins());
    const int n[] = {static_cast<int>(length())};
    fftwf_plan_with_nthreads(in_parts ? 1 : static_cast<int>(threads));
    inverse_ = FftwPlan(fftwf_plan_many_dft_c2r(
        1, n, static_cast<int>(frames), spectra.complex(), nullptr, 1, static_cast<int>(bins()),
        frames_[0].data(), nullptr, 1, n[0], FFTW_MEASURE | FFTW_PRESERVE_INPUT | FFTW_UNALIGNED));
  }
  std::string name() const override { return in_parts() ? "fftw in parts" : "fftw in steps"; }
  std::string about() const override {
    return (in_parts() ? "parts of " + std::to_string(part_) + ", " : "") +
           scratch(frames_.size() * frames_[0].size() * sizeof(float));
  }
  void enqueue() override {
    if (!in_parts()) {
      transform(0, frames_[0]);
      share(threads(), part_, [this](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) add(i, frames_[0].data() + i * length());
      });
      return;
    }
    share(threads(), threads(), [this](std::size_t thread, std::size_t) {
      const std::size_t members = problem().members();
      Array& frames = frames_[thread];
      for (std::size_t i = members * thread / threads(), end = members * (thread + 1) / threads();
           i < end; i += part_) {
        const std::size_t first = std::min(i, end - part_);  // the last part may overlap
        transform(first, frames);
        for (std::size_t j = 0; j < part_; ++j) add(first + j, frames.data() + j * length());
      }
    });
  }

 private:
  bool in_parts() const { return part_ < problem().members(); }
  std::size_t length() const { return problem().length; }
  std::size_t bins() const { return length() / 2 + 1; }
  void transform(std::size_t first, Array& frames) const {
    // FFTW does not write to the input (FFTW_PRESERVE_INPUT), but its type says otherwise.
    auto* const spectra = const_cast<Complex*>(data_.spectra.data() + first * bins());
    fftwf_execute_dft_c2r(inverse_.get(), reinterpret_cast<fftwf_complex*>(spectra), frames.data());
  }
  /// Adds the frames that share samples with the hop; `frame` is the first of them.
  void add(std::size_t hop, const float* frame) {
    const std::size_t width = problem().width;
    float* const result = result_of(hop);
    std::fill_n(result, width, 0.0f);
    for (std::size_t first = length() - width; first < length();
         first -= width, frame += length()) {  // ends when `first` wraps around
      const float* const dual = data_.dual.data() + first;
      for (std::size_t j = 0; j < width; ++j) result[j] += frame[first + j] * dual[j];
    }
  }

  const Data& data_;
  const std::size_t part_;
  std::vector<Array> frames_;
  FftwPlan inverse_;
};

std::unique_ptr<Contestant> make(const Problem& problem, const Data& data, unsigned threads,
                                 std::size_t length, bool in_parts) {
  if (in_parts) return std::make_unique<InParts>(problem, data, threads, length);
  return std::make_unique<Everything>(problem, data, threads, length);
}

/// Returns the shortest time of some calls with a few lines.
double seconds(const Problem& problem, const Data& data, std::size_t length) {
  Problem few = problem;
  few.count = std::min<std::size_t>(problem.count, 256);
  const auto contestant = make(few, data, 1, length, true);
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i)
    best = std::min(best, time_train([&] { contestant->enqueue(); }, [] {}, 1));
  return best;
}

std::unique_ptr<Contestant> make_fftw(const Problem& problem, const Data& data, unsigned threads,
                                      bool in_parts) {
  if (fftwf_init_threads() == 0) throw std::runtime_error("FFTW could not start its threads");
  if (problem.which == Case::istft)
    return std::make_unique<OverlapAdd>(problem, data, threads, in_parts);
  std::size_t length = problem.length;
  if (problem.which == Case::lines) {
    double best = std::numeric_limits<double>::infinity();
    for (const std::size_t candidate : padded_lengths(problem)) {
      const double time = seconds(problem, data, candidate);
      if (time < best) best = time, length = candidate;
    }
  }
  return make(problem, data, threads, length, in_parts);
}

}  // namespace
}  // namespace imago::bench::fused

extern "C" __attribute__((visibility("default"))) imago::bench::fused::Contestant* imago_fused_peer(
    const imago::bench::fused::Question& question, std::string& reason) {
  try {
    return imago::bench::fused::make_fftw(question.problem, question.data, question.threads,
                                          question.in_parts)
        .release();
  } catch (const std::exception& error) {
    reason = error.what();
    return nullptr;
  }
}
