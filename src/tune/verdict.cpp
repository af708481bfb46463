// This file judges results.
#include "tune/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <imago/error.hpp>

namespace imago::tune {
namespace {

constexpr std::byte kMark{0xA5};

void put(Precision precision, std::complex<double> value, std::byte* place) {
  if (precision == Precision::f64) {
    std::memcpy(place, &value, sizeof value);
  } else {
    const std::complex<float> narrow(value);
    std::memcpy(place, &narrow, sizeof narrow);
  }
}

std::complex<double> get(Precision precision, const std::byte* place) {
  if (precision == Precision::f64) {
    std::complex<double> value;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
  std::complex<float> value;
  std::memcpy(&value, place, sizeof value);
  return {value.real(), value.imag()};
}

double tolerance(Precision precision, std::size_t length) {
  const double unit = precision == Precision::f64 ? 4e-17 : 2e-8;
  return 2 * unit * (4 + std::log2(static_cast<double>(length)));
}

bool marked(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte value) { return value == kMark; });
}

}  // namespace

std::vector<std::byte> filled(const Frame& frame, std::span<const std::complex<double>> values) {
  std::vector<std::byte> array(frame.bytes(), kMark);
  if (values.empty()) return array;
  for (std::size_t i = 0; i < frame.elements; ++i) {
    put(frame.precision, values[i % values.size()],
        array.data() + (frame.guard + i) * frame.element_bytes());
  }
  return array;
}

void judge(const Frame& frame, std::span<const std::byte> array,
           std::span<const std::complex<double>> expected, std::size_t length) {
  const std::size_t guard = frame.guard * frame.element_bytes();
  if (!marked(array.first(guard)) || !marked(array.last(guard)))
    throw Error("it writes beside its array");
  double wrong = 0, all = 0;
  for (std::size_t i = 0; i < frame.elements; ++i) {
    const auto value = get(frame.precision, array.data() + guard + i * frame.element_bytes());
    wrong += std::norm(value - expected[i % expected.size()]);
    all += std::norm(expected[i % expected.size()]);
  }
  const double error = std::sqrt(wrong / all), bound = tolerance(frame.precision, length);
  if (!(error < bound)) {  // a NaN is wrong, too
    throw Error("its result is wrong: relative error " + std::to_string(error) + ", at most " +
                std::to_string(bound) + " is allowed");
  }
}

}  // namespace imago::tune
