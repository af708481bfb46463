// This file runs an object of the public interface under faults: it is made and used once, and if
// the use fails, once more without faults. It also has the sums that results are compared with.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "faults.hpp"
#include "scenarios.hpp"
#include "support/larger.hpp"

namespace imago::faults {

template <class Object>
struct ObjectRun {
  std::function<std::unique_ptr<Object>()> make;
  std::function<void()> prepare;  ///< prepares the arrays of a use, and spoils earlier results
  std::function<void(Object&)> use;
  std::function<void()> settle;  ///< waits for the commands of a use
  /// Returns the error of the results; empty: none.
  std::function<std::string()> wrong;

  Outcome operator()() const {
    Outcome outcome;
    std::unique_ptr<Object> object;
    prepare();
    try {
      const Live scope;
      object = make();
      use(*object);
    } catch (...) {
      outcome.error = std::current_exception();
    }
    settle();
    if (object && outcome.error) {
      prepare();
      use(*object);
      settle();
    }
    if (object) outcome.wrong = wrong();
    const Live scope;
    object.reset();
    return outcome;
  }
};

/// Fills buffers with NaN, so that results of earlier runs do not pass for new ones.
inline void spoil(const test::Device& device, const std::vector<cl::Buffer>& buffers) {
  for (const cl::Buffer& buffer : buffers) {
    const cl_uchar ones = 0xff;
    test::check_call(device.queue.enqueueFillBuffer(buffer, ones, 0, buffer.getInfo<CL_MEM_SIZE>()),
                     "clEnqueueFillBuffer");
  }
  test::check_call(device.queue.finish(), "clFinish");
}

using Sum = std::complex<double>;

/// Returns sum_j x[j] exp(i sign place[j] frequency[k]) for each frequency; angles are in radians.
template <class Number>
std::vector<Sum> sums_of(const std::vector<Number>& x, const std::vector<double>& places,
                         const std::vector<double>& frequencies, int sign) {
  std::vector<Sum> sums;
  for (const double frequency : frequencies) {
    Sum sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += Sum(x[j]) * std::polar(1.0, sign * places[j] * frequency);
    sums.push_back(sum);
  }
  return sums;
}

/// Returns the error of numbers, relative to the largest one expected; NaN if one is NaN. There may
/// be more numbers than expected.
template <class Number, class Expected>
double distance_of(const std::vector<Number>& found, const std::vector<Expected>& expected) {
  double error = found.size() < expected.size() ? 1e9 : 0, size = 1e-300;
  for (std::size_t i = 0; i < expected.size() && i < found.size(); ++i) {
    error = test::larger(error, std::abs(Sum(found[i]) - Sum(expected[i])));
    size = std::max(size, std::abs(Sum(expected[i])));
  }
  return error / size;
}

/// Returns a text for an error beyond the bound.
inline std::string judged(const char* what, double error, double bound) {
  return error < bound ? std::string() : std::string(what) + " differs by " + std::to_string(error);
}

/// Returns numbers that repeat late.
inline std::vector<float> some_numbers(std::size_t count, std::size_t seed = 1) {
  std::vector<float> numbers;
  for (std::size_t i = 0; i < count; ++i)
    numbers.push_back(static_cast<float>((i * i * 7 + seed * i) % 101) / 50 - 1);
  return numbers;
}

/// Returns complex numbers that repeat late.
inline std::vector<std::complex<float>> some_pairs(std::size_t count, std::size_t seed = 1) {
  const auto numbers = some_numbers(2 * count, seed);
  std::vector<std::complex<float>> pairs;
  for (std::size_t i = 0; i < count; ++i) pairs.emplace_back(numbers[2 * i], numbers[2 * i + 1]);
  return pairs;
}

}  // namespace imago::faults
