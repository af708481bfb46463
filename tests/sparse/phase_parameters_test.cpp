// This file checks the parameters that the phase method chooses.
#include "sparse/phase_parameters.hpp"

#include "support/catch.hpp"

namespace imago {
namespace {

sparse::Request request(std::uint64_t n, std::uint64_t k) {
  SparseTransform t;
  t.length = n;
  t.sparsity = k;
  return sparse::make_request(t);
}

TEST_CASE("Levels have the buckets and shifts of the study", "[sparse]") {
  const auto parameters = sparse::phase_parameters(request(1 << 27, 1000)).value();
  const auto& level = parameters.coarse.front();
  CHECK(level.buckets() == 4096);
  CHECK(level.shifts() == 6);
  CHECK(level.exponents == std::vector<unsigned>{10, 14, 18, 22, 25});
  CHECK(level.samples(parameters.window) == 3 * 6 * 3 * 4096);
  CHECK(level.threshold() == test::Approx(13.6));
  CHECK(sparse::make_level(1 << 22, 12, 4).shifts() == 5);
  CHECK(sparse::make_level(1 << 24, 12, 4).shifts() == 5);
}

TEST_CASE("Room for the tones saves a round of peeling", "[sparse]") {
  const auto first = [](std::uint64_t k, sparse::Dear dear, Precision precision = Precision::f32) {
    auto wanted = request(1 << 27, k);
    wanted.precision = precision;
    return sparse::phase_parameters(wanted, dear).value().coarse.front();
  };
  const auto samples = sparse::Dear::samples, launches = sparse::Dear::launches;
  CHECK(first(100, samples).buckets() == 512);
  CHECK(first(100, samples).rounds == 3);
  CHECK(first(100, launches).buckets() == 1024);
  CHECK(first(100, launches).rounds == 2);
  CHECK(first(100, launches, Precision::f64).rounds == 3);
  CHECK(first(512, launches).buckets() == 4096);
  CHECK(first(512, launches).rounds == 2);
  // Starting at this k, the samples would cost more than the launch.
  CHECK(first(513, launches).buckets() == 4096);
  CHECK(first(513, launches).rounds == 3);
  CHECK(first(1000, launches).buckets() == 4096);
  // The smallest number of buckets has room for all tones, on any device. k = 0 means an unknown
  // number.
  CHECK(first(20, samples).rounds == 2);
  CHECK(first(0, launches).rounds == 3);
  CHECK(first(0, launches).buckets() == 256);
  // Room is not a condition: a signal that is too short for it is accepted.
  CHECK(
      sparse::phase_parameters(request(1 << 14, 300), launches).value().coarse.front().buckets() ==
      2048);
  CHECK(
      sparse::phase_parameters(request(1 << 14, 512), launches).value().coarse.front().buckets() ==
      2048);
}

TEST_CASE("Every step of the location is at most the bits that it may decide", "[sparse]") {
  for (const std::uint64_t n : {2048ull, 100003ull, 1594323ull, 1ull << 27, (1ull << 32) - 1}) {
    for (const unsigned step : {2u, 4u}) {
      const auto level = sparse::make_level(n, 8, step);
      CHECK(level.exponents.front() <= 6);  // a quarter of the buckets: unambiguous
      for (std::size_t i = 1; i < level.exponents.size(); ++i) {
        CHECK(level.exponents[i] > level.exponents[i - 1]);
        CHECK(level.exponents[i] - level.exponents[i - 1] <= step);
      }
      const std::uint64_t last = std::uint64_t{1} << level.exponents.back();
      CHECK(last <= n / 4);
      CHECK(last > n / 8);  // an error of a sixteenth of a turn is half a frequency
      CHECK(level.shifts() <= 16);
    }
  }
}

TEST_CASE("The ladder of levels ends where the signal does", "[sparse]") {
  for (const std::uint64_t k : {0, 1, 50, 300}) {
    for (unsigned log = 14; log <= 27; ++log) {
      const auto parameters = sparse::phase_parameters(request(std::uint64_t{1} << log, k)).value();
      REQUIRE(parameters.coarse.size() == parameters.fine.size());
      REQUIRE(parameters.coarse.size() <= 6);
      unsigned before = 0;
      for (std::size_t i = 0; i < parameters.coarse.size(); ++i) {
        const auto& level = parameters.coarse[i];
        CHECK(level.log_buckets == parameters.fine[i].log_buckets);
        CHECK(level.log_buckets > before);
        CHECK(level.log_buckets <= log - 3);
        CHECK(level.buckets() >= 4 * k);
        before = level.log_buckets;
      }
    }
  }
}

TEST_CASE("The phase method has no parameters for transforms that do not fit it", "[sparse]") {
  CHECK_FALSE(sparse::phase_parameters(request(1024, 1)));
  CHECK_FALSE(sparse::phase_parameters(request(std::uint64_t{1} << 32, 1)));
  CHECK_FALSE(sparse::phase_parameters(request(1 << 16, 4000)));
  CHECK(sparse::phase_parameters(request(1 << 16, 2000)));
}

TEST_CASE("Noise asks for more buckets and smaller steps", "[sparse]") {
  SparseTransform t;
  t.length = 1 << 22;
  t.sparsity = 1000;
  t.noise = 0.316;  // 10 dB
  const auto parameters = sparse::phase_parameters(sparse::make_request(t)).value();
  CHECK(parameters.coarse.front().buckets() == 8192);
  CHECK(parameters.coarse.front().step == 2);
  CHECK(parameters.coarse.front().rounds == 10);
  CHECK(parameters.passes == 2);
  t.noise = 1e-3;
  CHECK(sparse::phase_parameters(sparse::make_request(t)).value().passes == 2);
  CHECK(sparse::phase_parameters(request(1 << 22, 1000)).value().passes == 1);
}

TEST_CASE("The predicted time grows with the samples", "[sparse]") {
  device::Facts h200;
  h200.compute_units = 132;
  const auto parameters = sparse::phase_parameters(request(1 << 27, 1000)).value();
  const double first = sparse::seconds(parameters, parameters.coarse[0], h200);
  CHECK(first > 20e-6);
  CHECK(first < 150e-6);
  CHECK(sparse::seconds(parameters, parameters.coarse[5], h200) > first);
}

}  // namespace
}  // namespace imago
