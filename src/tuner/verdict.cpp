// This file checks results.
#include "tuner/verdict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/errors.hpp"
#include "base/half.hpp"

namespace imago::tuner {
namespace {

constexpr std::byte kMark{0xA5};

constexpr double kHalfRounding = 0x1p-11;  // error of storing a result in float16

/// Writes a real number, or both parts of a complex one.
template <class Number>
void write(const Frame& frame, std::array<Number, 2> parts, std::byte* place) {
  std::memcpy(place, parts.data(), frame.element_bytes());
}

template <class Number>
std::array<Number, 2> read(const Frame& frame, const std::byte* place) {
  std::array<Number, 2> parts{};
  std::memcpy(parts.data(), place, frame.element_bytes());
  return parts;
}

void put(const Frame& frame, std::complex<double> value, std::byte* place) {
  const double re = value.real(), im = value.imag();
  switch (frame.precision) {
    case Precision::f16:
      return write<std::uint16_t>(frame, {base::to_half(re), base::to_half(im)}, place);
    case Precision::f32:
      return write<float>(frame, {static_cast<float>(re), static_cast<float>(im)}, place);
    case Precision::f64:
      return write<double>(frame, {re, im}, place);
  }
}

std::complex<double> get(const Frame& frame, const std::byte* place) {
  if (frame.precision == Precision::f16) {
    const auto [re, im] = read<std::uint16_t>(frame, place);
    return {base::from_half(re), base::from_half(im)};
  }
  if (frame.precision == Precision::f32) {
    const auto [re, im] = read<float>(frame, place);
    return {re, im};
  }
  const auto [re, im] = read<double>(frame, place);
  return {re, im};
}

double tolerance(const Frame& frame, std::size_t length) {
  const double levels = std::log2(static_cast<double>(length));
  if (frame.pairs) return 2 * 4e-16 * (8 + levels);
  const double unit = frame.precision == Precision::f64 ? 4e-17 : 2e-8;
  const double stored = frame.precision == Precision::f16 ? kHalfRounding : 0;
  return 2 * (unit * (4 + levels) + stored);
}

bool marked(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte value) { return value == kMark; });
}

}  // namespace

std::vector<std::byte> filled(const Frame& frame, std::span<const std::complex<double>> values) {
  std::vector<std::byte> array(frame.bytes(), kMark);
  if (values.empty()) return array;
  for (std::size_t i = 0; i < frame.elements; ++i) {
    put(frame, values[i % values.size()], array.data() + (frame.guard + i) * frame.element_bytes());
  }
  return array;
}

void judge(const Frame& frame, std::span<const std::byte> array, const Expected& expected) {
  const std::size_t guard = frame.guard * frame.element_bytes();
  if (!marked(array.first(guard)) || !marked(array.last(guard)))
    base::wrong_result("it writes outside its array");
  const double bound = tolerance(frame, expected.points);
  for (std::size_t first = 0; first < frame.elements; first += expected.elements) {
    double wrong = 0, all = 0;
    for (std::size_t i = first; i < first + expected.elements; ++i) {
      const auto value = get(frame, array.data() + guard + i * frame.element_bytes());
      const auto want = expected.values[i % expected.values.size()];
      wrong += std::norm(value - want);
      all += std::norm(want);
    }
    const double error = std::sqrt(wrong / all);
    if (error < bound) continue;  // false for a NaN, which is wrong
    base::wrong_result("its result is wrong: relative error " + std::to_string(error) +
                       " of transform " + std::to_string(first / expected.elements) +
                       ", and at most " + std::to_string(bound) + " is allowed");
  }
}

}  // namespace imago::tuner
