// This file checks the guarantees from the full verification of a signal: pure functions.
#include "sparse/audit.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "support/catch.hpp"

namespace imago {
namespace {

using sparse::Tone;

sparse::Request request(std::uint64_t length, bool real = false) {
  SparseTransform t;
  t.length = length;
  t.kind = real ? Kind::real : Kind::complex;
  return sparse::make_request(t);
}

sparse::AuditShape shape_of(std::uint64_t length, device::Type type, bool real = false) {
  device::Facts facts;
  facts.type = type;
  return sparse::audit_shape(request(length, real), facts);
}

TEST_CASE("Audit: rows and columns hold every sample, blocks every row", "[sparse]") {
  for (const auto type : {device::Type::cpu, device::Type::gpu}) {
    for (const std::uint64_t n : {2048ull, 30011ull, 1ull << 20, 1ull << 27, (1ull << 32) - 1}) {
      for (const bool real : {false, true}) {
        const auto shape = shape_of(n, type, real);
        CHECK(shape.columns <= n);  // the end of the last row wraps around once
        CHECK(shape.rows * shape.columns >= n);
        CHECK((shape.rows - 1) * shape.columns < n);
        CHECK(shape.row_blocks * shape.rows_of_item >= shape.rows);
        CHECK((shape.row_blocks - 1) * shape.rows_of_item < shape.rows);
        CHECK(shape.row_reals(real) / shape.vector % 64 == 0);  // whole work-groups
        CHECK(shape.tone_blocks(0) == 1);
        CHECK(shape.tone_blocks(1 << 16) <= shape.most_tone_blocks);
      }
    }
  }
}

// The mean of Q squares of normal numbers is below s with a probability of at most the doubt, and
// not of much less: the chi-squared distribution, by its series.
TEST_CASE("Audit: the factor is Chernoff's bound of the worst case", "[sparse]") {
  const double s = 1 / (sparse::audit_factor() * sparse::audit_factor());
  const double half = int{sparse::IMAGO_PATTERNS} / 2.0, x = half * s;
  double term = std::exp(-x) * std::pow(x, half) / std::tgamma(half + 1), sum = 0;
  for (int k = 1; k < 100; ++k) {
    sum += term;
    term *= x / (half + k);
  }
  CHECK(sum < sparse::kAuditDoubt);
  CHECK(sum > sparse::kAuditDoubt / 100);
}

TEST_CASE("Audit: half of the tones represent a real signal", "[sparse]") {
  const std::vector<Tone> tones{{0, 1.0}, {3, {0, 0.5}}, {97, {0, -0.5}}, {50, 2.0}};
  const auto half = sparse::audited_tones(tones, request(100, true));
  REQUIRE(half.size() == 3);
  CHECK(half[1].amplitude == std::complex<double>(0, 1));
  CHECK(sparse::size_of(half, request(100, true)) == test::Approx(std::sqrt(1 + 0.5 + 4)));
  CHECK(sparse::audited_tones(tones, request(100)).size() == 4);
  CHECK(sparse::size_of(tones, request(100)) == test::Approx(std::sqrt(1 + 0.5 + 4)));
}

TEST_CASE("Audit: phases are turns of 2^-64", "[sparse]") {
  const auto phases = sparse::audit_phases({{1, 1.0}, {3, 1.0}}, 8, 512);
  CHECK(phases == std::vector<std::uint64_t>{1ull << 61, 0, 3ull << 61, 0});
  const auto odd = sparse::audit_phases({{2, 1.0}}, 1000003, 4096);
  CHECK(std::ldexp(static_cast<double>(odd[0]), -64) == test::Approx(2 / 1000003.0));
  CHECK(std::ldexp(static_cast<double>(odd[1]), -64) == test::Approx(8192 / 1000003.0));
}

TEST_CASE("Audit: a bound has the factor, the rounding and the tones in it", "[sparse]") {
  const double factor = sparse::audit_factor();
  const double energy = 16.0 * 1000 * 1e-6;  // Q n r^2 for r = 1e-3
  const auto exact = sparse::audited(energy, 10, 0, 1000);
  CHECK(exact.measured == test::Approx(1e-3));
  CHECK(exact.bound == test::Approx(factor * 1e-3));
  CHECK(sparse::audited(energy, 10, 1e-4, 1000).bound > factor * 2e-3);
  CHECK(std::isinf(sparse::audited(energy, 10, 0.1, 1000).bound));
  CHECK(sparse::proven_residual(exact, 10) == test::Approx(exact.bound / (10 - exact.bound)));
  CHECK(sparse::proven_residual({0, 0}, 0) == 0);
  CHECK(sparse::proven_residual({1, 6}, 0) == 1);
  CHECK(sparse::proven_residual({1, 6}, 11) == 1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(sparse::proven_residual({nan, nan}, 1) == 1);
}

SparseSpectrum concluded(Verdict verdict, double measured, double bound, double size = 1) {
  SparseSpectrum spectrum;
  spectrum.verdict = verdict;
  spectrum.residual = 1e-3;  // residual of the samples
  sparse::conclude({measured, bound}, size, request(1000), spectrum);
  return spectrum;
}

TEST_CASE("Audit: verdict, residual and floor of a result after the audit", "[sparse]") {
  const auto sure = concluded(Verdict::consistent, 1e-6, 6e-6);
  CHECK(sure.verdict == Verdict::verified);
  CHECK(sure.residual == test::Approx(6e-6));
  CHECK(sure.floor == test::Approx(6e-3));
  // Measured well, but not proven: the verdict does not change.
  const auto open = concluded(Verdict::consistent, 5e-5, 3e-4);
  CHECK(open.verdict == Verdict::consistent);
  CHECK(open.residual == test::Approx(5e-5));
  CHECK(concluded(Verdict::consistent, 2e-4, 1e-3).verdict == Verdict::unverified);
  CHECK(concluded(Verdict::noise_floor, 1.1e-3, 6e-3).verdict == Verdict::noise_floor);
  CHECK(concluded(Verdict::noise_floor, 2e-3, 1e-2).verdict == Verdict::unverified);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(concluded(Verdict::consistent, nan, nan).verdict == Verdict::unverified);
  CHECK(concluded(Verdict::noise_floor, nan, nan).verdict == Verdict::unverified);
  // All samples are zeros: values below the smallest float may still exist.
  const auto silent = concluded(Verdict::consistent, 0, 0, 0);
  CHECK(silent.verdict == Verdict::verified);
  CHECK(silent.floor > 0);
  CHECK(silent.floor < 1e-30);
  CHECK(concluded(Verdict::consistent, 1, 6, 0).verdict ==
        Verdict::unverified);  // everything is missed
}

TEST_CASE("The share that checks leave open", "[sparse]") {
  CHECK(sparse::unseen_share(0, 1) == 1);
  const double share = sparse::unseen_share(4096, 1);
  CHECK(std::pow(1 - share, 4096) == test::Approx(1 - kSparseConfidence));
  CHECK(sparse::unseen_share(4096, 3) > share);  // three answers could have passed
  CHECK(std::pow(1 - sparse::unseen_share(256, 2), 256) ==
        test::Approx((1 - kSparseConfidence) / 2));
}

}  // namespace
}  // namespace imago
