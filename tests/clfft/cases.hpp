// This file runs one transform through the replacement of clFFT, with arrays in any layout, and
// compares its result with FFTW's. Memory between the elements of a result must not change.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "reference.hpp"
#include "support.hpp"

namespace imago::test::clfft {

struct Shape {
  clfftLayout layout = CLFFT_COMPLEX_INTERLEAVED;
  std::vector<std::size_t> strides = {};  ///< empty: packed
  std::size_t distance = 0;               ///< 0: packed

  bool is_real() const { return layout == CLFFT_REAL; }
  bool is_half() const {
    return layout == CLFFT_HERMITIAN_INTERLEAVED || layout == CLFFT_HERMITIAN_PLANAR;
  }
  bool is_planar() const {
    return layout == CLFFT_COMPLEX_PLANAR || layout == CLFFT_HERMITIAN_PLANAR;
  }
};

struct Case {
  std::string name;
  std::vector<std::size_t> lengths;
  std::size_t batch = 1;
  Shape in = {}, out = {};
  bool in_place = false;
  clfftDirection direction = CLFFT_FORWARD;
  float scale = 1;
  bool transposed = false;
  bool temporary = false;  ///< use a buffer of the caller
  /// Called between the creation and the baking of the plan.
  std::function<void(Bench&, clfftPlanHandle)> prepare = {};
  /// The effect of callbacks on the input, and on the result.
  std::function<std::complex<double>(std::size_t offset, std::complex<double>)> before = {},
                                                                                after = {};
};

/// Returns the lengths of a side's array, the fastest first.
inline std::vector<std::size_t> extents(const Case& c, const Shape& shape) {
  auto lengths = c.lengths;
  if (shape.is_half()) lengths[0] = lengths[0] / 2 + 1;
  return lengths;
}

inline std::size_t product(const std::vector<std::size_t>& lengths) {
  std::size_t size = 1;
  for (const std::size_t length : lengths) size *= length;
  return size;
}

/// Returns the shape with packed strides and distances filled in.
inline Shape filled(const Case& c, Shape shape) {
  const auto lengths = extents(c, shape);
  if (shape.strides.empty()) {
    std::size_t stride = 1;
    for (const std::size_t length : lengths) shape.strides.push_back(stride), stride *= length;
  }
  if (shape.distance == 0) shape.distance = product(lengths);
  return shape;
}

/// Returns the place of a packed index in memory.
inline std::size_t place_of(const Case& c, const Shape& shape, std::size_t member,
                            std::size_t index, bool transposed) {
  auto strides = shape.strides;
  if (transposed) std::swap(strides[0], strides[1]);
  std::size_t place = member * shape.distance;
  const auto lengths = extents(c, shape);
  for (std::size_t d = 0; d < lengths.size(); ++d) {
    place += index % lengths[d] * strides[d];
    index /= lengths[d];
  }
  return place;
}

/// A side's memory on the host: one array, or two for a planar side.
template <class T>
struct Memory {
  std::vector<T> parts[2];

  Memory(const Shape& shape, std::size_t elements) {
    const bool pairs = !shape.is_real() && !shape.is_planar();
    parts[0].assign(elements * (pairs ? 2 : 1), T(77));
    if (shape.is_planar()) parts[1].assign(elements, T(77));
  }
  void put(const Shape& shape, std::size_t place, std::complex<double> x) {
    if (shape.is_real()) {
      parts[0][place] = static_cast<T>(x.real());
    } else if (shape.is_planar()) {
      parts[0][place] = static_cast<T>(x.real()), parts[1][place] = static_cast<T>(x.imag());
    } else {
      parts[0][2 * place] = static_cast<T>(x.real());
      parts[0][2 * place + 1] = static_cast<T>(x.imag());
    }
  }
  std::complex<double> get(const Shape& shape, std::size_t place) const {
    if (shape.is_real()) return parts[0][place];
    if (shape.is_planar()) return {parts[0][place], parts[1][place]};
    return {parts[0][2 * place], parts[0][2 * place + 1]};
  }
};

inline std::size_t size_of(const Case& c, const Shape& shape, bool transposed) {
  const std::size_t count = product(extents(c, shape));
  std::size_t most = 0;
  for (std::size_t i = 0; i < count; ++i)
    most = std::max(most, place_of(c, shape, c.batch - 1, i, transposed));
  return most + 1;
}

inline void configure(const Case& c, bool f64, const Shape& in, const Shape& out,
                      clfftPlanHandle plan) {
  const auto dim = static_cast<clfftDim>(c.lengths.size());
  auto in_strides = in.strides, out_strides = out.strides;
  REQUIRE(clfftSetPlanPrecision(plan, f64 ? CLFFT_DOUBLE : CLFFT_SINGLE) == CLFFT_SUCCESS);
  REQUIRE(clfftSetLayout(plan, in.layout, out.layout) == CLFFT_SUCCESS);
  REQUIRE(clfftSetResultLocation(plan, c.in_place ? CLFFT_INPLACE : CLFFT_OUTOFPLACE) ==
          CLFFT_SUCCESS);
  REQUIRE(clfftSetPlanBatchSize(plan, c.batch) == CLFFT_SUCCESS);
  REQUIRE(clfftSetPlanInStride(plan, dim, in_strides.data()) == CLFFT_SUCCESS);
  REQUIRE(clfftSetPlanOutStride(plan, dim, out_strides.data()) == CLFFT_SUCCESS);
  REQUIRE(clfftSetPlanDistance(plan, in.distance, out.distance) == CLFFT_SUCCESS);
  REQUIRE(clfftSetPlanScale(plan, c.direction, c.scale) == CLFFT_SUCCESS);
  if (c.transposed) REQUIRE(clfftSetPlanTransposeResult(plan, CLFFT_TRANSPOSED) == CLFFT_SUCCESS);
}

/// Random input of one member, packed, and its expected result.
struct Truth {
  Points in, out;
};

inline Truth truth_of(const Case& c, const Shape& in, const Shape& out, std::size_t member,
                      std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const bool real = in.is_real() || out.is_real();
  Points x(product(c.lengths));
  for (auto& value : x) value = {uniform(random), real ? 0 : uniform(random)};
  Truth truth;
  truth.in = out.is_real() ? half_spectrum(c.lengths, x) : x;
  // A callback gets the offset; its result enters the transform.
  Points entering = truth.in;
  if (c.before) {
    for (std::size_t i = 0; i < entering.size(); ++i)
      entering[i] = c.before(place_of(c, in, member, i, false), entering[i]);
  }
  if (in.is_real()) {
    truth.out = half_spectrum(c.lengths, entering);
  } else if (out.is_real()) {
    REQUIRE(!c.before);  // a half spectrum's callback is tested with a factor only
    truth.out = x;
    for (auto& value : truth.out) value *= static_cast<double>(x.size());
  } else {
    truth.out = complex_transform(c.lengths, entering, c.direction);
  }
  for (std::size_t i = 0; i < truth.out.size(); ++i) {
    truth.out[i] *= static_cast<double>(c.scale);
    if (c.after) truth.out[i] = c.after(place_of(c, out, member, i, c.transposed), truth.out[i]);
  }
  return truth;
}

template <class T>
void check_case(Case c) {
  INFO(c.name << (sizeof(T) == 8 ? ", double" : ", single"));
  Bench bench;
  const Shape in = filled(c, c.in);
  Shape out = filled(c, c.out);
  // Packed and transposed: the rows have the second length.
  Shape set_out = out;
  if (c.transposed && c.out.strides.empty()) out.strides[1] = c.lengths[1];
  const bool f64 = sizeof(T) == 8;
  ClientPlan plan(bench, c.lengths);
  configure(c, f64, in, set_out, plan.handle);
  if (c.prepare) c.prepare(bench, plan.handle);

  std::size_t in_size = size_of(c, in, false), out_size = size_of(c, out, c.transposed);
  if (c.in_place) {  // in real numbers or pairs, the larger of both
    const std::size_t reals =
        std::max(in_size * (in.is_real() ? 1 : 2), out_size * (out.is_real() ? 1 : 2));
    in_size = (reals + 1) / (in.is_real() ? 1 : 2),
    out_size = (reals + 1) / (out.is_real() ? 1 : 2);
    if (in.is_planar()) in_size = out_size = std::max(in_size, out_size);
  }
  Memory<T> data(in, in_size), expected(out, out_size);
  if (c.in_place && in.is_real() != out.is_real()) {
    const std::size_t reals = std::max(data.parts[0].size(), expected.parts[0].size());
    data.parts[0].resize(reals, T(77)), expected.parts[0].resize(reals, T(77));
  }
  std::mt19937 random(7);
  std::vector<Points> results;
  std::vector<bool> written(out_size);
  for (std::size_t member = 0; member < c.batch; ++member) {
    const Truth truth = truth_of(c, in, out, member, random);
    for (std::size_t i = 0; i < truth.in.size(); ++i)
      data.put(in, place_of(c, in, member, i, false), truth.in[i]);
    results.push_back(truth.out);
  }

  cl_mem inputs[2] = {bench.upload(data.parts[0]), nullptr}, outputs[2] = {nullptr, nullptr};
  if (in.is_planar()) inputs[1] = bench.upload(data.parts[1]);
  if (!c.in_place) {
    outputs[0] = bench.upload(expected.parts[0]);
    if (out.is_planar()) outputs[1] = bench.upload(expected.parts[1]);
  }
  REQUIRE(plan.bake(bench.queue) == CLFFT_SUCCESS);
  std::size_t bytes = 0;
  REQUIRE(clfftGetTmpBufSize(plan.handle, &bytes) == CLFFT_SUCCESS);
  const cl_mem temporary = c.temporary ? bench.allocate(std::max<std::size_t>(bytes, 4)) : nullptr;
  REQUIRE(clfftEnqueueTransform(plan.handle, c.direction, 1, &bench.queue, 0, nullptr, nullptr,
                                inputs, c.in_place ? nullptr : outputs,
                                temporary) == CLFFT_SUCCESS);

  const cl_mem* const from = c.in_place ? inputs : outputs;
  Memory<T> found(out, out_size);
  for (int part = 0; part < (out.is_planar() ? 2 : 1); ++part)
    found.parts[part] = bench.download<T>(from[part], expected.parts[part].size());
  double error = 0, size = 0;
  for (std::size_t member = 0; member < c.batch; ++member) {
    for (std::size_t i = 0; i < results[member].size(); ++i) {
      const std::size_t place = place_of(c, out, member, i, c.transposed);
      error += std::norm(found.get(out, place) - results[member][i]);
      size += std::norm(results[member][i]);
      expected.put(out, place, found.get(out, place));
    }
  }
  CHECK(std::sqrt(error / size) < (f64 ? 1e-13 : 3e-6));
  if (c.in_place) return;
  for (int part = 0; part < 2; ++part) CHECK(found.parts[part] == expected.parts[part]);
  CHECK(bench.download<T>(inputs[0], data.parts[0].size()) == data.parts[0]);
}

inline void check_both(const Case& c) {
  check_case<float>(c);
  check_case<double>(c);
}

}  // namespace imago::test::clfft
