// This file tests the OpenCL C of each construct of the IR.
#include "ir/render.hpp"

#include <cstdint>
#include <limits>

#include "ir/kernels.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using ir::Builder;
using ir::Value;

std::string rendered(const std::function<void(Builder&)>& body) {
  return ir::render(kernel(8, body));
}

/// Returns the text of a kernel that stores one constant.
std::string stored(double number, ir::Type type) {
  return rendered([&](Builder& b) {
    const auto out = b.global("out", type, false);
    b.store(out, b.integer(0), b.real(number, type));
  });
}

std::string stored(std::int64_t number, ir::Type type) {
  return rendered([&](Builder& b) {
    const auto out = b.global("out", type, false);
    b.store(out, b.integer(0), b.integer(number, type));
  });
}

}  // namespace

TEST_CASE("The signature lists the arguments in order, with their spaces", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    b.global("in", kFloat2, true);
    b.global("out", kFloat2, false);
    b.local("box", kFloat, 64);
    b.parameter("batch", kInt);
    b.parameter("offset", kLong);
    b.private_array("tmp", kFloat, 32);
  });
  CHECK_THAT(text, ContainsSubstring("__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n"
                                     "void sample(__global const float2* in, __global float2* out, "
                                     "int batch, long offset) {\n"));
  CHECK_THAT(text, !ContainsSubstring("cl_khr_fp64"));
  CHECK_THAT(text, !ContainsSubstring("SHUFFLE"));
}

TEST_CASE("Double precision is enabled where it is used", "[ir][render]") {
  CHECK_THAT(stored(1.5, kDouble),
             ContainsSubstring("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"));
}

TEST_CASE("Literals are exact", "[ir][render]") {
  CHECK_THAT(stored(0.1, kFloat), ContainsSubstring("= 0.1f;"));
  CHECK_THAT(stored(0.1, kDouble), ContainsSubstring("= 0.1;"));
  CHECK_THAT(stored(2.0, kFloat), ContainsSubstring("= 2.0f;"));
  CHECK_THAT(stored(-0.70710678118654752, kDouble), ContainsSubstring("= (-0.7071067811865476);"));
  CHECK_THAT(stored(-0.70710678118654752, kFloat), ContainsSubstring("= (-0.70710677f);"));
  CHECK_THAT(stored(0.5, kFloat.with_lanes(4)), ContainsSubstring("= (float4)(0.5f);"));
  CHECK_THAT(stored(std::int64_t{-3}, kInt), ContainsSubstring("= (-3);"));
  CHECK_THAT(stored(std::int64_t{1} << 40, kLong), ContainsSubstring("= 1099511627776L;"));
  CHECK_THAT(stored(std::int64_t{std::numeric_limits<std::int32_t>::min()}, kInt),
             ContainsSubstring("= (-2147483647 - 1);"));
  CHECK_THAT(stored(std::numeric_limits<std::int64_t>::min(), kLong),
             ContainsSubstring("= (-9223372036854775807L - 1);"));
}

TEST_CASE("Integers that are used once are written where they are used", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    const auto in = b.global("in", kFloat2, true);
    const auto out = b.global("out", kFloat2, false);
    const Value n = b.parameter("n", kInt);
    b.store(out, b.group_id(), b.load(in, b.local_id(8) * n));
  });
  CHECK_THAT(text, ContainsSubstring("= in[(int)get_local_id(0) * n];\n"));
  CHECK_THAT(text, ContainsSubstring("out[(long)get_group_id(0)] = v"));
}

TEST_CASE("Scalars in memory are accessed as vectors of any alignment", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    const auto in = b.global("in", kFloat, true);
    const auto box = b.local("box", kFloat, 64);
    const Value n = b.parameter("n", kInt);
    b.store(box, n, b.load(in, n * 3, 16));
  });
  CHECK_THAT(text, ContainsSubstring("typedef float16 float16_u __attribute__((aligned(4)));\n"));
  CHECK_THAT(text, ContainsSubstring("= *(__global const float16_u*)(in + (n * 3));\n"));
  CHECK_THAT(text, ContainsSubstring("*(__local float16_u*)(box + n) = v"));
}

TEST_CASE("Work-items of a group move two numbers at once if they are aligned", "[ir][render]") {
  const auto body = [](Builder& b) {
    const auto data = b.global("data", kFloat, false);
    const Value n = b.parameter("n", kInt);
    b.store(data, n, b.load_if(n < 5, data, n * 3, 2));
  };
  const std::string text = rendered(body);
  CHECK_THAT(text, ContainsSubstring("if ((uintptr_t)p % sizeof(float2) == 0)"));
  CHECK_THAT(text, ContainsSubstring("? load_float2(data + (n * 3)) : (float2)(0.0f);\n"));
  CHECK_THAT(text, ContainsSubstring("store_float2(data + n, v"));
  CHECK_THAT(ir::render(kernel(1, body)), ContainsSubstring("*(__global float2_u*)(data + n) = v"));
}

TEST_CASE("Strided accesses name every element", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    const auto data = b.global("data", kFloat, false);
    const Value n = b.parameter("n", kInt);
    const Value value = b.load_strided(data, n, 5, 4);
    b.store_strided(data, n, value, -2);
  });
  CHECK_THAT(text, ContainsSubstring("(float4)(data[n], data[n + 5], data[n + 10], data[n + 15])"));
  CHECK_THAT(text, ContainsSubstring("data[n + (-6)] = v"));
}

TEST_CASE("A conditional load reads no memory when the condition is false", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    const auto in = b.global("in", kFloat2, true);
    const auto out = b.global("out", kFloat2, false);
    const Value n = b.parameter("n", kInt);
    b.store(out, n, b.load_if(n < 4, in, n));
  });
  CHECK_THAT(text, ContainsSubstring("= (n < 4) ? in[n] : (float2)(0.0f);\n"));
}

TEST_CASE("Shuffles have a form for every compiler", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    const auto data = b.global("data", kDouble, false);
    const Value i = b.integer(0);
    const Value a = b.load(data, i, 4), c = b.load(data, i, 4);
    b.store(data, i, b.shuffle(a, c, {0, 4, 1, 5}));
    b.store(data, i, b.shuffle(a, c, {3, 2}));
  });
  CHECK_THAT(text, ContainsSubstring("#define SHUFFLE_double4(a, b, i0, i1, i2, i3) "
                                     "__builtin_shufflevector(a, b, i0, i1, i2, i3)\n"));
  CHECK_THAT(text, ContainsSubstring("#define SHUFFLE_double4(a, b, i0, i1, i2, i3) "
                                     "shuffle2(a, b, (ulong4)(i0, i1, i2, i3))\n"));
  CHECK_THAT(text, ContainsSubstring("= SHUFFLE_double4(v1, v2, 0, 4, 1, 5);\n"));
  CHECK_THAT(text, ContainsSubstring("= SHUFFLE_double2(v1, v1, 3, 2);\n"));
}

TEST_CASE("Loops, conditions and barriers are indented", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    const auto box = b.local("box", kFloat, 64);
    const Value n = b.parameter("n", kInt);
    b.loop(n, [&](Value i) {
      b.when(i < 3, [&] { b.store(box, i, b.real(1, kFloat)); });
      b.barrier();
    });
  });
  CHECK_THAT(text, ContainsSubstring("  for (int i1 = 0; i1 < n; ++i1) {\n"
                                     "    if (i1 < 3) {\n"
                                     "      box[i1] = 1.0f;\n"
                                     "    }\n"
                                     "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
                                     "  }\n"
                                     "}\n"));
}

TEST_CASE("Functions and conversions have OpenCL's names", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    const auto data = b.global("data", kFloat, false);
    const Value n = b.parameter("n", kInt);
    const Value lanes =
        b.convert(b.splat(n, 4) * b.lane_constants({0, 1, 2, 3}), kFloat.with_lanes(4));
    b.store(data, n,
            b.fma(b.unary(ir::Op::rint, lanes), lanes, b.unary(ir::Op::native_sin, lanes)));
    b.store(data, b.binary(ir::Op::min, n, n % 7), b.convert(n, kFloat));
  });
  CHECK_THAT(text, ContainsSubstring("(int4)(0, 1, 2, 3)"));
  CHECK_THAT(text, ContainsSubstring("= convert_float4(v"));
  CHECK_THAT(text, ContainsSubstring("= rint(v"));
  CHECK_THAT(text, ContainsSubstring("= native_sin(v"));
  CHECK_THAT(text, ContainsSubstring("= fma(v"));
  CHECK_THAT(text, ContainsSubstring("data[min(n, n % 7)] = "));
  CHECK_THAT(text, ContainsSubstring("= (float)n;\n"));
}

TEST_CASE("A value that does not fit its memory is refused", "[ir][render]") {
  const auto body = [](Builder& b) {
    const auto out = b.global("out", kFloat2, false);
    b.store(out, b.integer(0), b.real(1, kFloat));
  };
  CHECK_THROWS_WITH(rendered(body),
                    ContainsSubstring("float does not fit the elements of out, float2"));
}

TEST_CASE("Halves are loaded and stored by functions that need no extension", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    const auto pairs = b.global("in", kHalf2, true), halves = b.global("out", kHalf, false);
    const auto results = b.global("results", kHalf2, false);
    const Value at = b.parameter("at", kInt);
    b.store(halves, at, b.extract(b.load(pairs, at), 0));
    b.store(halves, at * 3, b.load(pairs, at * 2));
    b.store(halves, at + 8, b.load(halves, at + 1, 4));
    b.store(halves, at, b.load(halves, at));
    b.store(results, at, b.load(pairs, at + 5));
  });
  CHECK_THAT(text, ContainsSubstring("sample(__global const half* in, __global half* out, "));
  CHECK_THAT(text, ContainsSubstring("float2 v1 = vloada_half2(at, in);"));
  CHECK_THAT(text, ContainsSubstring("vstore_half_rte(v2, at, out);"));
  CHECK_THAT(text, ContainsSubstring(", 0, out + (at * 3));"));
  CHECK_THAT(text, ContainsSubstring("= vload_half4(0, out + (at + 1));"));
  CHECK_THAT(text, ContainsSubstring("vstore_half4_rte("));
  CHECK_THAT(text, ContainsSubstring("vstorea_half2_rte("));
  CHECK_THAT(text, ContainsSubstring("= vload_half(at, out);"));
  CHECK_THAT(text, !ContainsSubstring("cl_khr"));
}

TEST_CASE("Halves are loaded under a condition and by component", "[ir][render]") {
  const std::string text = rendered([](Builder& b) {
    const auto pairs = b.global("in", kHalf2, true), halves = b.global("out", kHalf, false);
    const Value at = b.parameter("at", kInt);
    b.store(halves, at, b.load_if(at < 5, pairs, at));
    b.store_strided(halves, at, b.load_strided(halves, at, 3, 2), 7);
  });
  CHECK_THAT(text, ContainsSubstring("? vloada_half2(at, in) : (float2)(0.0f);"));
  CHECK_THAT(text, ContainsSubstring("= (float2)(vload_half(at, out), vload_half(at + 3, out));"));
  CHECK_THAT(text, ContainsSubstring(".s0, at, out);\n"));
  CHECK_THAT(text, ContainsSubstring(".s1, at + 7, out);\n"));
}

TEST_CASE("A volatile index of the work-item is one in kernels with barriers alone",
          "[ir][render]") {
  for (const bool barriers : {false, true}) {
    ir::Kernel k = kernel(4, [&](Builder& b) {
      const auto out = b.global("out", kFloat, false);
      const Value item = b.local_id(4);
      b.store(out, item, b.load(out, item + 4));
      if (barriers) b.barrier();
      b.store(out, item + 8, b.load(out, item));
    });
    const std::string plain = ir::render(k);
    CHECK_THAT(plain, !ContainsSubstring("volatile"));
    k.volatile_item = true;
    if (!barriers) CHECK(ir::render(k) == plain);
    if (barriers) {
      CHECK_THAT(ir::render(k),
                 ContainsSubstring("volatile int kept_item = (int)get_local_id(0);\n"));
      CHECK_THAT(ir::render(k), ContainsSubstring(" = kept_item;\n"));
    }
  }
}

TEST_CASE("Groups that wait for each other have barriers, too", "[ir][render]") {
  ir::Kernel k = kernel(4, [&](Builder& b) {
    const auto counters = b.counters("counters");
    b.take_ticket(counters);
    const auto out = b.global("out", kFloat, false);
    const Value item = b.local_id(4);
    b.store(out, item + 4, b.load(out, item));
  });
  k.volatile_item = true;
  CHECK_THAT(ir::render(k), ContainsSubstring("volatile int kept_item"));
}

namespace {

std::string in_c(unsigned work_group_size, const std::function<void(Builder&)>& body) {
  return ir::render(kernel(work_group_size, body), ir::vector_c());
}

}  // namespace

TEST_CASE("C has the same statements with other types and functions", "[ir][render]") {
  const std::string text = in_c(1, [](Builder& b) {
    const auto in = b.global("in", kFloat, true), out = b.global("out", kFloat, false);
    const auto table = b.global_apart("table", kDouble);
    const auto box = b.private_array("box", kFloat, 32);
    const Value n = b.parameter("n", kInt), group = b.group_id();
    const Value x = b.load(in, group, 4), y = b.load_if(n < 4, in, n, 4);
    b.store(box, n, b.fma(x, y, b.real(0.5, kFloat.with_lanes(4))));
    b.store(out, group, x * y);
    b.store_strided(out, n, b.shuffle(x, y, {0, 4, 1, 5}), 3);
    b.store(out, n, b.convert(b.load(table, n), kFloat));
  });
  CHECK_THAT(text,
             ContainsSubstring("static void sample(const float* in, float* out, const double* "
                               "restrict table, int32_t n, int64_t group) {\n"));
  CHECK_THAT(text, ContainsSubstring("  ALIGNED(64) float box[32];\n"));
  CHECK_THAT(text, ContainsSubstring("const f32x4 v"));
  CHECK_THAT(text, ContainsSubstring(" = *(const f32x4_u*)(in + v"));
  CHECK_THAT(text, ContainsSubstring("? (f32x4)*(const f32x4_u*)(in + n) : ALL_f32x4(0.0f);\n"));
  CHECK_THAT(text, ContainsSubstring("= fma_f32x4(v"));
  CHECK_THAT(text, ContainsSubstring(", ALL_f32x4(0.5f));\n"));
  CHECK_THAT(text, ContainsSubstring(" = apart_f32x4(v"));
  CHECK_THAT(text, ContainsSubstring(" = __builtin_shufflevector(v"));
  CHECK_THAT(text, ContainsSubstring("out[n + 6] = v"));
  CHECK_THAT(text, ContainsSubstring("[2];\n"));
  CHECK_THAT(text, ContainsSubstring("= (float)v"));
}

TEST_CASE("C refuses kernels whose work-items share memory", "[ir][render]") {
  const auto body = [](Builder& b) {
    b.store(b.global("out", kFloat, false), b.integer(0), b.real(1, kFloat));
  };
  CHECK_THROWS_WITH(in_c(8, body), ContainsSubstring("sample, whose groups have 8 work-items") &&
                                       ContainsSubstring("set parameters.mapping to vector"));
  CHECK_THROWS_WITH(in_c(1, [](Builder& b) { b.counters("counters"); }),
                    ContainsSubstring("whose groups wait for each other"));
  CHECK_THROWS_WITH(in_c(1, [](Builder& b) { b.local("box", kFloat, 8); }),
                    ContainsSubstring("which has local memory"));
}

}  // namespace imago::test
