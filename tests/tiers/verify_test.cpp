// This file plants mistakes between the transform and the comparison: a verifier that misses one of
// them would pass everything.
#include <complex>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "support/catch.hpp"

using namespace imago;
using catalogue::Case;

namespace {

using Value = std::complex<float>;

/// An out-of-place case of 4096 elements with gaps, whose results lie from 3 on, 67 apart.
Case spaced_case() {
  Case problem;
  problem.length = 64;
  problem.batch = 64;
  problem.source = {1, 2};
  problem.target = {3, 3};
  return problem;
}

/// Changes one element of a buffer.
template <class Change>
void change(const cl::CommandQueue& queue, const cl::Buffer& buffer, std::size_t element,
            Change with) {
  Value value;
  REQUIRE(queue.enqueueReadBuffer(buffer, CL_TRUE, element * sizeof value, sizeof value, &value) ==
          CL_SUCCESS);
  value = with(value);
  REQUIRE(queue.enqueueWriteBuffer(buffer, CL_TRUE, element * sizeof value, sizeof value, &value) ==
          CL_SUCCESS);
}

catalogue::Outcome outcome_of(const catalogue::Verifier::Tamper& tamper) {
  const cl::Device device = cl::Device::getDefault();
  const cl::Context context(device);
  catalogue::Verifier verifier(context, device);
  verifier.tamper(tamper);
  return verifier.verify(spaced_case());
}

}  // namespace

TEST_CASE("The verifier passes what is right", "[verifier]") {
  const auto outcome = outcome_of({});
  CHECK(outcome.passed);
  CHECK(outcome.error > 0);
}

TEST_CASE("The verifier finds one wrong element among 4096", "[verifier]") {
  const auto wrong = GENERATE(0, 1, 2);
  const std::size_t element = GENERATE(3, 3 + 63, 3 + 63 * 67 + 63);
  const auto outcome = outcome_of([&](const auto& queue, const auto&, const auto& target) {
    change(queue, target, element, [&](Value value) -> Value {
      if (wrong == 0) return value * 1.001f;
      if (wrong == 1) return std::conj(value);
      return {std::numeric_limits<float>::quiet_NaN(), value.imag()};
    });
  });
  CAPTURE(wrong, element);
  CHECK_FALSE(outcome.passed);
  CHECK_FALSE(outcome.skipped);
}

TEST_CASE("The verifier finds what is written beside the result", "[verifier]") {
  const std::size_t element = GENERATE(0, 2, 3 + 64, 3 + 66, 3 + 64 * 67, 3 + 64 * 67 + 60);
  const auto outcome = outcome_of([&](const auto& queue, const auto&, const auto& target) {
    change(queue, target, element, [](Value) { return Value(0, 0); });
  });
  CAPTURE(element);
  CHECK_FALSE(outcome.passed);
}

TEST_CASE("The verifier finds a changed input", "[verifier]") {
  const std::size_t element = GENERATE(0, 1, 5, 1 + 64);
  const auto outcome = outcome_of([&](const auto& queue, const auto& source, const auto&) {
    change(queue, source, element, [](Value) { return Value(1, 0); });
  });
  CAPTURE(element);
  CHECK_FALSE(outcome.passed);
}
