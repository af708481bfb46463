// This file checks that members of deterministic plans are bitwise equal to their result alone.
#include <algorithm>
#include <complex>

#include "api/support.hpp"
#include "catalogue/random.hpp"
#include "engine/composition.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago {
namespace {

/// Transforms a batch of random members. The numbers of the tested member depend only on `seed`.
/// Returns this member's result.
std::vector<float> result_of(Transform t, std::size_t batch, std::size_t member,
                             const Options& options) {
  const auto& device = test::default_device();
  t.batch = batch;
  t.directions = Directions::forward;
  const Plan plan(device.context, device.device, t, options);
  const bool in_place = t.placement == Placement::in_place;
  const std::size_t from = plan.signal_bytes() / sizeof(float),
                    to = plan.spectrum_bytes() / sizeof(float);
  const bool complex_in = t.kind == Kind::complex, complex_out = complex_in || t.kind == Kind::real;
  const std::size_t read = plan.signal_layout().distance * (complex_in ? 2 : 1),
                    written = plan.spectrum_layout().distance * (complex_out ? 2 : 1);
  std::vector<float> x(std::max(from, to));
  for (std::size_t b = 0; b < batch; ++b) {
    catalogue::Random random(b == member ? 1 : 100 + b);
    for (std::size_t i = b * read; i < (b + 1 < batch ? (b + 1) * read : from); ++i)
      x[i] = static_cast<float>(random.uniform());
  }
  const cl::Buffer in = device.upload(x);
  const cl::Buffer out = in_place ? in : device.allocate(to * sizeof(float));
  if (in_place)
    plan.forward(device.queue, in);
  else
    plan.forward(device.queue, in, out);
  const auto y = device.download<float>(out, to);
  const auto first = y.begin() + static_cast<std::ptrdiff_t>(member * written);
  return {first, first + static_cast<std::ptrdiff_t>(to - (batch - 1) * written)};
}

TEST_CASE("a member's bits are those that it has alone", "[api][deterministic][long]") {
  const Options alike{.deterministic = true};
  Transform in_place{.kind = Kind::real, .lengths = {60}};
  in_place.placement = Placement::in_place;
  for (const Transform& t : {
           Transform{.lengths = {331}},                      // a convolution
           Transform{.lengths = {60}},                       // lanes along points or columns
           Transform{.kind = Kind::real, .lengths = {331}},  // odd
           Transform{.kind = Kind::dct2, .lengths = {60}},
           Transform{.kind = Kind::dct2,
           .lengths = {15, 60}},  // rows that could be computed in pairs
           Transform{.kind = Kind::dst4, .lengths = {9, 16}},  // several axes
           in_place,
       }) {
    const auto alone = result_of(t, 1, 0, alike);
    for (const auto& [batch, member] :
         {std::pair<std::size_t, std::size_t>{2, 1}, {7, 3}, {100, 50}, {1000, 999}}) {
      CAPTURE(t.kind, t.lengths, batch, member);
      CHECK(result_of(t, batch, member, alike) == alone);
    }
  }
}

/// Shows that the test above can fail. One image of 15 rows has pairs of rows; two images have
/// none, because a pair would have rows of both.
TEST_CASE("without the option an image of a batch has other bits than alone",
          "[api][deterministic]") {
  const Transform t{.kind = Kind::dct2, .lengths = {15, 60}};
  Options options;
  options.parameters.mapping = Mapping::vector;
  CHECK(result_of(t, 2, 1, options) != result_of(t, 1, 0, options));
}

/// Returns algorithm, lengths, radices and twiddles of all kernels, and the composition of lines.
std::string arithmetic_of(const engine::Blueprint& blueprint) {
  std::string text;
  for (const auto* direction : {&blueprint.forward, &blueprint.inverse}) {
    for (const engine::Line& line : (*direction)->lines) {
      text += "line " + std::to_string(static_cast<int>(line.parameters.algorithm)) + " " +
              std::to_string(static_cast<int>(line.request.in.elements)) +
              std::to_string(static_cast<int>(line.request.out.elements));
      for (const KernelParameters& kernel : line.parameters.kernels) {
        text += ", " + std::to_string(kernel.length) + " by";
        for (const unsigned radix : kernel.radices) text += " " + std::to_string(radix);
        text += " " + std::to_string(static_cast<int>(kernel.twiddles)) +
                std::to_string(static_cast<int>(kernel.four_step));
      }
    }
  }
  return text;
}

TEST_CASE("deterministic plans of any device choose the arithmetic of one member",
          "[api][deterministic]") {
  for (const device::Facts& facts : {test::large_gpu(), test::wide_cpu(), test::small_gpu()}) {
    for (const Kind kind : {Kind::complex, Kind::real, Kind::dct1, Kind::dct2, Kind::dst3}) {
      for (const std::vector<std::size_t>& lengths : std::vector<std::vector<std::size_t>>{
               {331}, {1000}, {4096}, {10007}, {20000}, {1 << 18}, {48, 60}, {128, 128, 30}}) {
        CAPTURE(facts.name, kind, lengths);
        const auto of = [&](std::size_t batch, const Options& options) {
          return engine::decide(Transform{.kind = kind, .lengths = lengths, .batch = batch}, facts,
                                options);
        };
        const Options alike{.deterministic = true};
        const std::string alone = arithmetic_of(of(1, alike));
        for (const std::size_t batch : {2, 7, 64, 1000}) {
          const auto blueprint = of(batch, alike);
          CHECK(arithmetic_of(blueprint) == alone);
          for (const auto& kernel : blueprint.kernels) CHECK(kernel.as_written);
        }
        CHECK(!of(2, {}).kernels.front().as_written);
      }
    }
  }
}

TEST_CASE("kernels of deterministic plans keep products and sums apart", "[api][deterministic]") {
  const auto& device = test::default_device();
  const Plan plan(device.context, device.device, test::transform(16), {.deterministic = true});
  for (const KernelSource& kernel : plan.sources())
    CHECK(kernel.source.starts_with("#pragma OPENCL FP_CONTRACT OFF\n"));
}

}  // namespace
}  // namespace imago
