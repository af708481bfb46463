// This file tests callbacks before and after: their signatures, their offsets, their buffer.
#include "cases.hpp"

namespace imago::test::clfft {
namespace {

/// Replaces NUM by the number type of the precision.
std::string of(std::string text, bool f64) {
  const std::string number = f64 ? "double" : "float";
  for (std::size_t at = 0; (at = text.find("NUM", at)) != std::string::npos;)
    text.replace(at, 3, number);
  return text;
}

struct Text {
  const char* name;
  const char* text;
};

/// Multiplies by 1 + offset / 16, so that a wrong offset shows.
std::complex<double> ramp(std::size_t offset, std::complex<double> x) {
  return x * (1 + static_cast<double>(offset) / 16);
}

constexpr Text kLoad = {"ramped",
                        "NUM2 ramped(__global void* in, uint offset, __global void* userdata) {\n"
                        "  return ((__global NUM2*)in)[offset] * (1 + offset / (NUM)16);\n}\n"};
constexpr Text kLoadReal = {
    "ramped_real",
    "NUM ramped_real(__global void* in, uint offset, __global void* userdata) {\n"
    "  return ((__global NUM*)in)[offset] * (1 + offset / (NUM)16);\n}\n"};
constexpr Text kLoadPlanar = {
    "ramped_planar",
    "NUM2 ramped_planar(__global void* re, __global void* im, uint offset,\n"
    "                   __global void* userdata) {\n"
    "  return (NUM2)(((__global NUM*)re)[offset], ((__global NUM*)im)[offset]) *\n"
    "         (1 + offset / (NUM)16);\n}\n"};
constexpr Text kStore = {
    "put",
    "void put(__global void* out, uint offset, __global void* userdata, NUM2 x) {\n"
    "  ((__global NUM2*)out)[offset] = x * (1 + offset / (NUM)16);\n}\n"};
constexpr Text kStoreReal = {
    "put_real",
    "void put_real(__global void* out, uint offset, __global void* userdata, NUM x) {\n"
    "  ((__global NUM*)out)[offset] = x * (1 + offset / (NUM)16);\n}\n"};
/// The offset of planar outputs is a size_t in clFFT's tests.
constexpr Text kStorePlanar = {
    "put_planar",
    "void put_planar(__global void* re, __global void* im, size_t offset,\n"
    "                __global void* userdata, NUM x, NUM y) {\n"
    "  ((__global NUM*)re)[offset] = x * (1 + offset / (NUM)16);\n"
    "  ((__global NUM*)im)[offset] = y * (1 + offset / (NUM)16);\n}\n"};

auto setting(const Text* before, const Text* after, bool f64) {
  return [=](Bench&, clfftPlanHandle plan) {
    if (before)
      REQUIRE(clfftSetPlanCallback(plan, before->name, of(before->text, f64).c_str(), 0,
                                   PRECALLBACK, nullptr, 0) == CLFFT_SUCCESS);
    if (after)
      REQUIRE(clfftSetPlanCallback(plan, after->name, of(after->text, f64).c_str(), 0, POSTCALLBACK,
                                   nullptr, 0) == CLFFT_SUCCESS);
  };
}

void check_with(Case c, const Text* before, const Text* after) {
  if (before) c.before = ramp;
  if (after) c.after = ramp;
  c.prepare = setting(before, after, false);
  check_case<float>(c);
  c.prepare = setting(before, after, true);
  check_case<double>(c);
}

constexpr clfftLayout CP = CLFFT_COMPLEX_PLANAR, HI = CLFFT_HERMITIAN_INTERLEAVED,
                      HP = CLFFT_HERMITIAN_PLANAR, R = CLFFT_REAL;

}  // namespace

TEST_CASE("callbacks before and after", "[clfft][callbacks]") {
  check_with({.name = "1-D", .lengths = {32}, .batch = 2}, &kLoad, &kStore);
  check_with({.name = "in place", .lengths = {12, 6}, .in_place = true}, &kLoad, &kStore);
  check_with({.name = "strides",
              .lengths = {10},
              .batch = 2,
              .in = {CLFFT_COMPLEX_INTERLEAVED, {2}, 25},
              .out = {CLFFT_COMPLEX_INTERLEAVED, {3}, 40}},
             &kLoad, &kStore);
  check_with({.name = "planar", .lengths = {8, 5}, .batch = 2, .in = {CP}, .out = {CP}},
             &kLoadPlanar, &kStorePlanar);
  check_with({.name = "reals", .lengths = {18}, .batch = 2, .in = {R}, .out = {HI}}, &kLoadReal,
             &kStore);
  check_with({.name = "reals to planar", .lengths = {15, 4}, .in = {R}, .out = {HP}}, &kLoadReal,
             &kStorePlanar);
  check_with(
      {.name = "to reals", .lengths = {16, 3}, .in = {HI}, .out = {R}, .direction = CLFFT_BACKWARD},
      nullptr, &kStoreReal);
  check_with({.name = "reals in place with a stride",
              .lengths = {12},
              .batch = 2,
              .in = {R, {2}, 30},
              .out = {HI, {1}, 15},
              .in_place = true},
             &kLoadReal, &kStore);
}

TEST_CASE("the user's buffer comes along, and may change", "[clfft][callbacks]") {
  Bench bench;
  ClientPlan plan(bench, {16});
  const char* const text =
      "typedef struct { float first, second; } factors;\n"
      "float2 times(__global void* in, uint offset, __global void* userdata) {\n"
      "  __global factors* f = (__global factors*)userdata + offset;\n"
      "  return ((__global float2*)in)[offset] * f->first * f->second;\n}\n";
  cl_mem threes = bench.upload(std::vector<float>(32, 3.0f));
  cl_mem twos = bench.upload(std::vector<float>(32, 2.0f));
  const std::vector<float> ones(32, 1.0f);
  for (cl_mem* const factors : {&threes, &twos}) {
    REQUIRE(clfftSetPlanCallback(plan.handle, "times", text, 0, PRECALLBACK, factors, 1) ==
            CLFFT_SUCCESS);
    const cl_mem data = bench.upload(ones);
    REQUIRE(plan.run(bench.queue, CLFFT_FORWARD, data) == CLFFT_SUCCESS);
    const auto found = bench.download<float>(data, 32);
    const float factor = factors == &threes ? 9 : 4;
    CHECK(found[0] == Approx(16 * factor));
    CHECK(found[1] == Approx(16 * factor));
    CHECK(std::abs(found[2]) < 1e-4);
  }
}

TEST_CASE("input of another type, out of place", "[clfft][callbacks]") {
  Bench bench;
  ClientPlan plan(bench, {16});
  REQUIRE(clfftSetLayout(plan.handle, R, HI) == CLFFT_SUCCESS);
  REQUIRE(clfftSetResultLocation(plan.handle, CLFFT_OUTOFPLACE) == CLFFT_SUCCESS);
  REQUIRE(
      clfftSetPlanCallback(plan.handle, "bytes",
                           "float bytes(__global void* in, uint offset, __global void* user) {\n"
                           "  return ((__global uchar*)in)[offset];\n}\n",
                           0, PRECALLBACK, nullptr, 0) == CLFFT_SUCCESS);
  const cl_mem in = bench.upload(std::vector<unsigned char>(16, 200)), out = bench.allocate(9 * 8);
  REQUIRE(plan.run(bench.queue, CLFFT_FORWARD, in, out) == CLFFT_SUCCESS);
  CHECK(bench.download<float>(out, 1)[0] == Approx(3200));
}

TEST_CASE("callbacks have any types that C converts, and may share a text", "[clfft][callbacks]") {
  constexpr Text load = {
      "typed",
      "float2 typed(const __global float2* in, int offset, __global float* user) {\n"
      "  return in[offset] * (1 + offset / 16.0f);\n}\n"
      "float2 kept(__global float2* out, ulong offset, __global void* user, float2 x) {\n"
      "  return out[offset] = x * (1 + offset / 16.0f);\n}\n"};
  const Text store = {"kept", load.text};
  Case c{.name = "1-D", .lengths = {32}, .batch = 2};
  c.before = c.after = ramp;
  c.prepare = setting(&load, &store, false);
  check_case<float>(c);
}

TEST_CASE("callbacks that are refused", "[clfft][callbacks]") {
  Bench bench;
  ClientPlan plan(bench, {16});
  const auto set = [&](const char* name, const char* text, int local, clfftCallbackType type,
                       cl_mem* buffers, int count) {
    return clfftSetPlanCallback(plan.handle, name, text, local, type, buffers, count);
  };
  const std::string good = of(kLoad.text, false);
  CHECK(set(nullptr, good.c_str(), 0, PRECALLBACK, nullptr, 0) == CLFFT_INVALID_ARG_VALUE);
  CHECK(set("ramped", nullptr, 0, POSTCALLBACK, nullptr, 0) == CLFFT_INVALID_ARG_VALUE);
  CHECK(set("ramped", good.c_str(), 0, PRECALLBACK, nullptr, -1) == CLFFT_INVALID_ARG_VALUE);
  CHECK(set("ramped", good.c_str(), 0, static_cast<clfftCallbackType>(9), nullptr, 0) ==
        CLFFT_INVALID_ARG_VALUE);
  cl_mem two[2] = {bench.allocate(4), bench.allocate(4)};
  CHECK(set("ramped", good.c_str(), 0, PRECALLBACK, two, 2) == CLFFT_NOTIMPLEMENTED);
  {
    Bench elsewhere;
    cl_mem foreign = elsewhere.allocate(64);
    REQUIRE(set("ramped", good.c_str(), 0, PRECALLBACK, &foreign, 1) == CLFFT_SUCCESS);
    CHECK(plan.run(bench.queue, CLFFT_FORWARD, bench.allocate(16 * 8)) == CLFFT_INVALID_ARG_VALUE);
  }

  REQUIRE(set("ramped", good.c_str(), 64, PRECALLBACK, nullptr, 0) == CLFFT_SUCCESS);
  CHECK(plan.bake(bench.queue) == CLFFT_NOTIMPLEMENTED);  // local memory
  REQUIRE(set("ramped", "float2 ramped(", 0, PRECALLBACK, nullptr, 0) == CLFFT_SUCCESS);
  CHECK(plan.bake(bench.queue) == CLFFT_INVALID_PLAN);
  REQUIRE(set("other", good.c_str(), 0, PRECALLBACK, nullptr, 0) == CLFFT_SUCCESS);
  CHECK(plan.bake(bench.queue) != CLFFT_SUCCESS);
  REQUIRE(set("ramped", good.c_str(), 0, PRECALLBACK, nullptr, 0) == CLFFT_SUCCESS);
  CHECK(plan.bake(bench.queue) == CLFFT_SUCCESS);
}

}  // namespace imago::test::clfft
