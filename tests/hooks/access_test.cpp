// This file tests user functions that read elements from memory and write them there.
#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include <imago/imago.hpp>

#include "api/support.hpp"
#include "hooks/trial.hpp"
#include "problem/make_problem.hpp"
#include "problem/problem.hpp"
#include "problem/reference.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

// Number of factors; an element's offset selects one.
constexpr std::size_t kFactors = 7;

/// The element type of one end.
struct Elements {
  bool real = false, f64 = false;
  std::string number() const { return f64 ? "double" : "float"; }
  std::string type() const { return number() + (real ? "" : "2"); }
  std::string of(const char* memory) const {
    return "((__global " + type() + "*)" + memory + ")[offset]";
  }
};

std::string factor(const Elements& e) {
  return "((__global const " + e.number() + "*)userdata)[offset % 7]";
}

/// Returns a function that reads the element at the offset, multiplied by a factor.
std::string reading(const Elements& e) {
  return e.type() + " fetch(__global void* in, uint offset, __global void* userdata) {\n  return " +
         e.of("in") + " * " + factor(e) + ";\n}\n";
}

std::string writing(const Elements& e) {
  return "void keep(__global void* out, uint offset, __global void* userdata, " + e.type() +
         " x) {\n  " + e.of("out") + " = x * " + factor(e) + ";\n}\n";
}

/// Multiplies as the kernel functions do, on a side that is packed starting at `offset`.
HostFunction multiplied(const Trial& trial, const problem::Side& side) {
  return [&trial, &side](Complex x, const std::vector<std::size_t>& at) {
    std::size_t place = side.offset + at.back() * side.distance;
    for (std::size_t d = 0; d < side.strides.size(); ++d) place += at[d] * side.strides[d];
    return x * trial.arguments.at("u")[place % kFactors];
  };
}

/// Tests load and store separately, because the factors depend on the memory of the end.
void accesses(Trial trial, Compute* compute) {
  const auto p = problem::make_problem(trial.transform);
  trial.arguments["u"] = numbers(kFactors, 3, true);
  const bool f64 = p.precision == Precision::f64;
  for (const bool store : {false, true}) {
    const problem::Side& side = p.side(trial.inverse, store);
    const Elements e{side.real, f64};
    Hooks hooks;
    if (store)
      hooks.store = {hook::scale(0.5), hook::store_code(writing(e), "keep", "u")};
    else
      hooks.load = {hook::load_code(reading(e), "fetch", "u"), hook::scale(-2.0)};
    (trial.inverse ? trial.transform.on_inverse : trial.transform.on_forward) = hooks;
    trial.function = multiplied(trial, side);
    run(trial, compute);
  }
}

Transform line(Hooks hooks) {
  Transform t;
  t.lengths = {12};
  t.on_forward = std::move(hooks);
  return t;
}

std::string refusal(const problem::Computation& computation) {
  return message_of([&] { problem::make_problem(computation); });
}

const char* const kReadingConjugate =
    "float2 fetch(__global void* in, uint offset, __global void* userdata) {\n"
    "  const float2 x = ((__global float2*)in)[offset];\n"
    "  return userdata ? (float2)(0) : (float2)(0.5f * x.x, -0.5f * x.y);\n}\n";
const char* const kWritingSigned =
    "void keep(__global void* out, uint offset, __global void* userdata, float2 x) {\n"
    "  ((__global float2*)out)[offset] = offset % 2 ? -x : x;\n}\n";
const char* const kPlanarReading =
    "float2 fetch(__global void* re, __global void* im, uint offset, __global void* userdata) {\n"
    "  return 0.5f * (float2)(((__global float*)re)[offset], -((__global float*)im)[offset]);\n}\n";
const char* const kPlanarWriting =
    "void keep(__global void* re, __global void* im, uint offset, __global void* userdata, float "
    "x,\n"
    "          float y) {\n"
    "  ((__global float*)re)[offset] = offset % 2 ? -x : x;\n"
    "  ((__global float*)im)[offset] = offset % 2 ? -y : y;\n}\n";

const Hook kReading = hook::load_code(reading({}), "fetch", "u");
const Hook kWriting = hook::store_code(writing({}), "keep", "u");

}  // namespace

TEST_CASE("Functions that read and write memory", "[long]") {
  // PoCL compiles kernels for work-groups slowly.
  over({{{1}, 3}, {{15}, 5}, {{6, 8}, 5}}, [](const Trial& trial) {
    const bool vector = trial.options.parameters.mapping == Mapping::vector;
    const bool complex = trial.transform.kind == Kind::complex;
    const std::size_t dims = trial.transform.lengths.size();
    if (vector ? complex || dims == 1 : complex && dims == 1) accesses(trial, on_device);
  });
}

TEST_CASE("Functions that read and write memory, in full", "[.][full]") {
  over(kShapes, [](const Trial& trial) { accesses(trial, on_device); });
}

TEST_CASE("Functions that read and write memory of the inverse, with strides and offsets",
          "[long]") {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Trial trial;
    trial.transform.lengths = {5, 24}, trial.transform.batch = 3;
    trial.options.parameters.mapping = mapping;
    trial.inverse = true;
    trial.transform.signal = {.strides = {80, 3}, .distance = 403, .offset = 7};
    trial.transform.spectrum = {.strides = {1, 6}, .distance = 150, .offset = 2};
    accesses(trial, on_device);
  }
}

TEST_CASE("Functions that read and write memory in double precision") {
  Trial trial;
  trial.transform.lengths = {40}, trial.transform.batch = 5;
  trial.transform.precision = Precision::f64;
  accesses(trial, on_device);
}

/// In place, or planar: element k of a line is (-1)^k times its value for conj(x) / 2.
TEST_CASE("Functions that read and write memory in place, and planar arrays", "[long]") {
  const Device device;
  constexpr std::size_t kLength = 48, kBatch = 3;
  const auto x = noise<float>(kLength * kBatch);
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const bool planar : {false, true}) {
      Transform t;
      t.lengths = {kLength}, t.batch = kBatch, t.directions = Directions::forward;
      if (planar)
        t.signal.storage = t.spectrum.storage = Storage::planar;
      else
        t.placement = Placement::in_place;
      t.on_forward = planar ? Hooks{{hook::load_code(kPlanarReading, "fetch")},
                                    {hook::store_code(kPlanarWriting, "keep")}}
                            : Hooks{{hook::load_code(kReadingConjugate, "fetch")},
                                    {hook::store_code(kWritingSigned, "keep")}};
      Options options;
      options.parameters.mapping = mapping;
      const Plan plan(device.context, device.device, t, options);
      std::vector<std::complex<float>> y(x.size());
      if (planar) {
        std::vector<float> re, im;
        for (const auto& one : x) re.push_back(one.real()), im.push_back(one.imag());
        const std::size_t bytes = re.size() * sizeof(float);
        const cl::Buffer out_re = device.allocate(bytes), out_im = device.allocate(bytes);
        plan.forward(device.queue, Array::planar(device.upload(re), device.upload(im)),
                     Array::planar(out_re, out_im));
        re = device.download<float>(out_re, re.size()),
        im = device.download<float>(out_im, im.size());
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = {re[i], im[i]};
      } else {
        const auto data = device.upload(x);
        plan.forward(device.queue, data);
        y = device.download<std::complex<float>>(data, y.size());
      }
      for (std::size_t b = 0; b < kBatch; ++b) {
        std::vector<Complex> line;
        for (std::size_t j = 0; j < kLength; ++j)
          line.push_back(std::conj(Complex(x[b * kLength + j])) * 0.5);
        const auto wanted = problem::reference(Kind::complex, {kLength}, line);
        for (std::size_t k = 0; k < kLength; ++k)
          REQUIRE(std::abs(Complex(y[b * kLength + k]) - wanted[k] * (k % 2 ? -1.0 : 1.0)) < 1e-4);
      }
    }
  }
}

/// Elements outside a box are neither read (they are NaN) nor written.
TEST_CASE("Functions that read and write memory inside of boxes alone", "[long]") {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{60}, {24, 7}}) {
      Trial trial;
      trial.transform.lengths = lengths, trial.transform.batch = 3;
      trial.options.parameters.mapping = mapping;
      trial.arguments["u"] = std::vector<Complex>(kFactors, 0.75);
      trial.function = [](Complex x, const std::vector<std::size_t>&) { return x * 0.75; };
      const std::size_t last = lengths.size() - 1, n = lengths[last];
      trial.transform.on_forward = {{kReading, hook::zero_outside(last, 3, n - 2)},
                                    {hook::zero_outside(0, 1, lengths[0] - 3), kWriting}};
      run(trial, on_device);
    }
  }
}

/// Each element is written once: the sum of the function's counts is the number of elements.
TEST_CASE("A function that writes runs once for each element", "[long]") {
  const Device device;
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  const std::size_t length = GENERATE(48, 60, 243, 300, 1009);
  for (const Kind kind : {Kind::complex, Kind::dct2}) {
    const std::string type = kind == Kind::complex ? "float2" : "float";
    Transform t;
    t.kind = kind, t.lengths = {length}, t.batch = 37, t.directions = Directions::forward;
    t.on_forward.store = {
        hook::store_code("void keep(__global void* out, uint offset, __global void* "
                         "userdata, " +
                             type +
                             " x) {\n"
                             "  ((__global float*)userdata)[offset] += 1;\n}\n",
                         "keep", "count")};
    Options options;
    options.parameters.mapping = mapping;
    const Plan plan(device.context, device.device, t, options);
    const std::vector<float> none(length * 37);
    const auto count = device.upload(none);
    plan.forward(device.queue, device.allocate(plan.signal_bytes()),
                 device.allocate(plan.spectrum_bytes()), {.arguments = {{"count", count}}});
    CAPTURE(mapping, length, type);
    const auto counts = device.download<float>(count, none.size());
    CHECK(std::count(counts.begin(), counts.end(), 1.0f) == std::ssize(counts));
  }
}

TEST_CASE("A user's function writes the result of a convolution", "[long]") {
  const Device device;
  ConvolutionShape shape{.signal = {100}, .kernel = {7}, .batch = 3};
  const auto results = [&] {
    const Convolution convolution(device.context, device.device, shape);
    std::vector<float> x(300), h(7);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 11) - 4;
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = static_cast<float>(i % 3) + 1;
    const auto spectrum = device.allocate(convolution.spectrum_bytes());
    const auto y = device.allocate(convolution.result_bytes());
    convolution.prepare(device.queue, device.upload(h), spectrum);
    convolution.apply(device.queue, device.upload(x), spectrum, y);
    return device.download<float>(y, convolution.result_bytes() / sizeof(float));
  };
  const auto plain = results();
  shape.ends.store = {hook::store_code(
      "void halves(__global void* out, uint offset, __global void* userdata, float x) {\n"
      "  ((__global float*)out)[offset] = 0.5f * x;\n}\n",
      "halves")};
  const auto halves = results();
  REQUIRE(halves.size() == 3 * 106);
  for (std::size_t i = 0; i < halves.size(); ++i) CHECK(std::abs(halves[i] - plain[i] / 2) < 1e-4f);
}

/// Reads samples of 24 bits and writes powers as bytes.
TEST_CASE("Functions that read and write elements of other sizes") {
  const Device device;
  constexpr std::size_t kLength = 60, kBatch = 5;
  const char* const unpacked =
      "float unpacked(__global void* in, uint offset, __global void* userdata) {\n"
      "  const uchar3 x = vload3(offset, (__global const uchar*)in);\n"
      "  return (as_int(x.x << 8 | x.y << 16 | (uint)x.z << 24) >> 8) * 0x1p-23f;\n"
      "}\n";
  const char* const packed =
      "void packed(__global void* out, uint offset, __global void* userdata, float x) {\n"
      "  ((__global uchar*)out)[offset] = convert_uchar_sat_rte(x);\n"
      "}\n";
  std::vector<std::uint8_t> samples;
  std::vector<Complex> x;
  for (std::size_t i = 0; i < kLength * kBatch; ++i) {
    const auto sample = static_cast<std::int32_t>(i * i * 40503 % (1 << 24)) - (1 << 23);
    for (const int shift : {0, 8, 16})
      samples.push_back(static_cast<std::uint8_t>(sample >> shift));
    x.emplace_back(sample * 0x1p-23);
  }
  Transform t{
      .kind = Kind::real, .lengths = {kLength}, .batch = kBatch, .directions = Directions::forward};
  t.on_forward = {{hook::load_code(unpacked, "unpacked", "", 3)},
                  {hook::power(), hook::store_code(packed, "packed", "", 1)}};
  const Plan plan(device.context, device.device, t);
  CHECK(plan.signal_bytes() == 3 * kLength * kBatch);
  CHECK(plan.spectrum_bytes() == (kLength / 2 + 1) * kBatch);
  const auto out = device.allocate(plan.spectrum_bytes());
  plan.forward(device.queue, device.upload(samples), out);
  const auto found = device.download<std::uint8_t>(out, plan.spectrum_bytes());
  std::size_t largest = 0;
  for (std::size_t b = 0; b < kBatch; ++b) {
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(b * kLength);
    const auto spectrum = problem::reference(Kind::complex, {kLength}, {first, first + kLength});
    for (std::size_t k = 0; k <= kLength / 2; ++k) {
      const double wanted = std::min(255.0, std::norm(spectrum[k]));
      CHECK(std::abs(found[b * (kLength / 2 + 1) + k] - wanted) <= 0.51);
      largest = std::max<std::size_t>(largest, found[b * (kLength / 2 + 1) + k]);
    }
  }
  CHECK(largest > 20);
}

TEST_CASE("Functions that read and write memory, where they cannot be") {
  CHECK(refusal(line({{kReading}, {kWriting}})).empty());
  CHECK(refusal(line({{hook::load_code(reading({}), "fetch")}, {}})).empty());
  CHECK(refusal(line({{hook::scale(2), kReading}, {}}))
            .starts_with("on_forward.load[1] is load_code"));
  CHECK(refusal(line({{}, {kWriting, hook::scale(2)}}))
            .starts_with("on_forward.store[0] is store_code"));
  CHECK(refusal(line({{hook::from_integer(Integer::i16), kReading}, {}}))
            .starts_with("on_forward.load[1] is load_code"));
  CHECK(refusal(line({{hook::load_code("float2 fetch(", "fetch")}, {}}))
            .starts_with("a bracket in line 1 of on_forward.load[0].text"));
  CHECK(refusal(line({{hook::load_code(reading({}), "other")}, {}}))
            .find("on_forward.load[0].text") != std::string::npos);
  Transform far = line({{kReading}, {}});
  far.signal.offset = std::size_t{1} << 32;
  CHECK(refusal(far).starts_with("on_forward.load[0]: the array has elements at offset 2^32"));
  Transform in_place = line({{hook::load_code(reading({}), "fetch", "u", 6)}, {}});
  in_place.placement = Placement::in_place;
  CHECK(refusal(in_place).find("cannot be done in place") != std::string::npos);
  CHECK(refusal(line({{hook::load_code(reading({}), "fetch", "u", 5000)}, {}}))
            .starts_with("on_forward.load[0].bytes is 5000"));
  const FilterShape filter{.lengths = line({}).lengths, .spectrum = {kReading}};
  CHECK(refusal(filter).starts_with("spectrum[0] is load_code"));
}

TEST_CASE("A function that reads memory and does not compile is quoted with its own lines") {
  const Device device;
  Transform t =
      line({{hook::load_code("float2 fetch(__global void* in, uint offset, __global void* "
                             "userdata) {\n  return missing;\n}\n",
                             "fetch")},
            {}});
  t.directions = Directions::forward;
  CHECK_THROWS_WITH(
      Plan(device.context, device.device, t),
      ContainsSubstring("on_forward.load[0].text") && ContainsSubstring("load[0]:2:"));
}
