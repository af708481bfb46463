// This file checks transforms of arrays in host memory on one device, in the caller's memory and
// with copies, against FFTW in a higher precision.
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "host/support.hpp"
#include "support/catch.hpp"
#include "support/message.hpp"
#include "support/small.hpp"

namespace imago {
namespace {

using catalogue::Verdict;
using test::verify_on_host;

Pool pool(bool copies = true) {
  return Pool(test::default_device().context, test::default_device().device, {.copies = copies});
}

void check(const std::string& name, const test::HostWay& way) {
  const auto outcome = verify_on_host(name, way);
  INFO(name << ": " << outcome.detail);
  CHECK(outcome.verdict == Verdict::passed);
}

TEST_CASE("a HostPlan computes what a Plan does", "[host]") {
  const test::SmallTransforms small(GENERATE(false, true));
  for (const bool copies : {false, true}) {
    for (const char* name : {
             "60*7-f32-out-forward-none",
             "60*7-f64-in-inverse-backward",
             "12x10*3-f32-out-forward-ortho-real",
             "12x10*3-f32-in-inverse-backward-real",
             "9x8x5*2-f64-out-forward-none-dct2",
             "16x6*2-f32-out-forward-none-s3+2-t5+7",  // offsets and gaps between members
             "8x6*2-f32-out-inverse-none-s0:2.20/200-t1:3.30/300",  // strides
             "64*3-f16-out-forward-ortho",
         }) {
      CAPTURE(copies);
      check(name, {pool(copies)});
    }
  }
}

TEST_CASE("members of deterministic HostPlans have the bits that they have alone", "[host][long]") {
  constexpr std::size_t kLength = 331, kBatch = 40;
  const auto result = [](std::size_t batch, const Pool& pool, std::size_t memory_limit) {
    const HostPlan plan(pool, {.kind = Kind::dct2, .lengths = {kLength}, .batch = batch},
                        {.plan = {.deterministic = true}, .memory_limit = memory_limit});
    std::vector<float> x(kLength * batch), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<float>(i % 1000));
    plan.forward(x, y);
    y.resize(kLength);
    return y;
  };
  const auto alone = result(1, pool(), 0);
  CHECK(result(kBatch, pool(false), 0) == alone);
  CHECK(result(kBatch, pool(), 0) == alone);
  CHECK(result(kBatch, pool(), 7 * 2 * kLength * sizeof(float)) == alone);  // in pieces
}

TEST_CASE("a HostPlan checks the types and sizes of arrays", "[host]") {
  const HostPlan plan(pool(), {.kind = Kind::real, .lengths = {16}});
  std::vector<float> reals(16);
  std::vector<std::complex<float>> spectrum(9);
  plan.forward(reals, spectrum);
  CHECK_NOTHROW(plan.inverse(std::as_const(spectrum), std::span(reals)));
  const auto refused = [&](const ConstHostArray& signal, const HostArray& result) {
    return test::message_of<InvalidArgument>([&] { plan.forward(signal, result); });
  };
  using test::ContainsSubstring;
  std::vector<float> few(15), pairs(18);
  std::vector<double> doubles(16);
  std::vector<std::uint16_t> halves(16);
  std::vector<std::complex<float>> short_spectrum(8);
  CHECK_NOTHROW(plan.forward(reals, pairs));  // complex numbers as pairs
  CHECK_THAT(refused(few, spectrum), ContainsSubstring("signal") && ContainsSubstring("60 bytes"));
  CHECK_THAT(refused(reals, short_spectrum), ContainsSubstring("spectrum is 64 bytes"));
  CHECK_THAT(refused(doubles, spectrum), ContainsSubstring("of 8 bytes"));
  CHECK_THAT(refused(halves, spectrum), ContainsSubstring("integers or f16 numbers of 2 bytes"));
  CHECK_THAT(refused(spectrum, spectrum), ContainsSubstring("complex numbers"));

  const HostPlan half(pool(), {.precision = Precision::f16, .lengths = {8}});
  std::vector<std::uint16_t> in(16), out(16);
  half.forward(in, out);
  CHECK_THROWS_AS(half.forward(reals, out), InvalidArgument);
  Transform levels{.lengths = {16}};
  levels.signal.storage = Storage::real;
  levels.on_forward.load = {hook::from_integer(Integer::i16, 0.5)};
  levels.directions = Directions::forward;
  const HostPlan integers(pool(), levels);
  std::vector<std::int16_t> samples(16, 2);
  std::vector<std::complex<float>> sums(16);
  integers.forward(samples, sums);
  CHECK(sums[0] == 16.0f);
  CHECK_THROWS_AS(integers.forward(reals, sums), InvalidArgument);
}

TEST_CASE("a HostPlan refuses what it cannot use", "[host]") {
  const HostPlan plan(pool(), {.lengths = {16}, .directions = Directions::forward});
  std::array<float, 65> a{}, b{};
  constexpr std::size_t kBytes = sizeof a;
  CHECK_THROWS_AS(plan.forward({nullptr, kBytes}, b), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(a, {nullptr, kBytes}), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(a), InvalidArgument);
  CHECK_THROWS_AS(plan.inverse(a, b), InvalidArgument);
  CHECK_THROWS_AS(plan.forward(a, std::span(a).subspan(30)), InvalidArgument);
  CHECK_THROWS_AS(plan.forward({reinterpret_cast<char*>(a.data()) + 1, kBytes - 1}, b),
                  InvalidArgument);
  CHECK_NOTHROW(plan.forward(a, std::span(a).subspan(32)));
  CHECK_THROWS_AS(Pool(std::vector<cl::Device>{}), InvalidArgument);
  CHECK_THROWS_AS(Pool({cl::Device()}), InvalidArgument);
  Transform planar{.lengths = {16}};
  planar.signal.storage = Storage::planar;
  CHECK_THROWS_AS(HostPlan(pool(), planar), Unsupported);
  Transform hooked{.lengths = {16}};
  hooked.on_forward.load = {hook::window(0, "w")};
  CHECK_THROWS_AS(HostPlan(pool(), hooked), Unsupported);
}

}  // namespace
}  // namespace imago
