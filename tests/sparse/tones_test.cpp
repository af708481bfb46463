// This file checks the tones that a listed spectrum is split into.
#include <algorithm>
#include <chrono>
#include <numbers>
#include <random>

#include <imago/error.hpp>
#include <imago/sparse_tones.hpp>

#include "solving.hpp"
#include "sparse/tones.hpp"

namespace imago::test {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t kLength = 4096;

SparseTransform transform(Kind kind = Kind::complex) {
  SparseTransform t;
  t.length = kLength;
  t.kind = kind;
  return t;
}

/// Returns the coefficients of these tones above the floor.
SparseSpectrum spectrum(const std::vector<SparseTone>& tones, double floor) {
  SparseSpectrum s;
  s.floor = floor;
  for (std::size_t bin = 0; bin < kLength; ++bin) {
    Complex sum = 0;
    for (const auto& tone : tones)
      sum += tone.amplitude *
             sparse::response_of_bin(tone.frequency - static_cast<double>(bin), kLength);
    if (std::abs(sum) <= floor) continue;
    s.indices.push_back(bin);
    s.values.push_back(sum);
  }
  return s;
}

void check_same(const std::vector<SparseTone>& found, const std::vector<SparseTone>& wanted,
                double bins, double share) {
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].frequency == Approx(wanted[i].frequency).margin(bins));
    CHECK(std::abs(found[i].amplitude - wanted[i].amplitude) <
          share * std::abs(wanted[i].amplitude));
  }
}

TEST_CASE("A bin's response is the sum that it stands for", "[sparse]") {
  for (const double u : {0.0, 0.3, -0.5, 1.0, 7.25, 2048.0, 4095.9}) {
    Complex sum = 0;
    for (std::size_t t = 0; t < kLength; ++t)
      sum += std::polar(1.0, 2 * std::numbers::pi * u * static_cast<double>(t) / kLength);
    CHECK(std::abs(sum - sparse::response_of_bin(u, kLength)) < 1e-7);
  }
}

TEST_CASE("A tone between bins is one tone and not its bins", "[sparse]") {
  const std::vector<SparseTone> one{{1234.37, {0.5, -0.7}}};
  const auto listed = spectrum(one, 0.1);
  REQUIRE(listed.indices.size() > 2000);
  const auto found = sparse_tones(listed, transform());
  check_same(found, one, 1e-6, 1e-6);
  CHECK(found[0].bins == listed.indices.size());
}

TEST_CASE("Tones between bins and on them are told apart", "[sparse]") {
  const std::vector<SparseTone> several{
      {300.5, 2.0}, {900.25, {0, 1.0}}, {905.6, -0.8}, {2000, 0.5}, {4095.8, 0.25}};
  check_same(sparse_tones(spectrum(several, 1.0), transform()), several, 0.02, 0.05);
}

TEST_CASE("Neighbours on bins stay what they are", "[sparse]") {
  std::vector<SparseTone> run;
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i)
    run.push_back({100.0 + i, std::polar(1.0 + 0.01 * (40 - i), random() * 1e-6)});
  const auto found = sparse_tones(spectrum(run, 1e-3), transform());
  check_same(found, run, 1e-12, 1e-9);
  CHECK(std::all_of(found.begin(), found.end(), [](const auto& tone) { return tone.bins == 1; }));
  // The coefficients have opposite signs, like the two largest bins of a tone between them. The
  // other bins of such a tone are missing, so these are two tones.
  check_same(sparse_tones(spectrum({{50, 1.01}, {51, -1.0}}, 1e-3), transform()),
             {{50, 1.01}, {51, -1.0}}, 1e-12, 1e-9);
}

TEST_CASE("A long list without tones costs seconds at most", "[sparse]") {
  SparseSpectrum noise;
  noise.floor = 1e-3;
  std::mt19937 random(9);
  std::normal_distribution<double> gauss;
  for (std::size_t bin = 0; bin < 16384; ++bin) {
    noise.indices.push_back(bin * 3 / 2);
    noise.values.push_back({gauss(random), gauss(random)});
  }
  auto t = transform();
  t.length = 1 << 16;
  const auto start = std::chrono::steady_clock::now();
  CHECK(sparse_tones(noise, t).size() > 8192);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("Half a sinusoid stands for a real one", "[sparse]") {
  auto both = spectrum({{17.3, {0.2, 0.4}}, {kLength - 17.3, {0.2, -0.4}}}, 0.1);
  const auto half = std::upper_bound(both.indices.begin(), both.indices.end(), kLength / 2);
  both.values.resize(static_cast<std::size_t>(half - both.indices.begin()));
  both.indices.resize(both.values.size());
  check_same(sparse_tones(both, transform(Kind::real)), {{17.3, {0.2, 0.4}}}, 0.01, 0.02);
}

TEST_CASE("A spectrum of another length has no tones", "[sparse]") {
  auto wrong = spectrum({{kLength - 1.0, 1.0}}, 1);
  auto t = transform();
  t.length = 100;
  CHECK_THROWS_AS(sparse_tones(wrong, t), InvalidArgument);
  wrong.values.clear();
  CHECK_THROWS_AS(sparse_tones(wrong, transform()), InvalidArgument);
  wrong.indices = {5, 5};
  wrong.values = {1, 1};
  CHECK_THROWS_AS(sparse_tones(wrong, transform()), InvalidArgument);
  CHECK(sparse_tones({}, transform()).empty());
}

TEST_CASE("Tones between bins are found in noise that is stronger than they", "[sparse]") {
  const std::vector<SparseTone> several{{1000.4, 1.0}, {50000.7, {0, 0.8}}, {33333, -0.7}};
  const std::size_t n = 1 << 16;
  std::mt19937 random(5);
  std::normal_distribution<double> gauss(0, 2);  // 9 dB above the tones, in total
  std::vector<float> signal;
  for (std::size_t t = 0; t < n; ++t) {
    Complex x(gauss(random), gauss(random));
    for (const auto& tone : several)
      x += tone.amplitude *
           std::polar(1.0, 2 * std::numbers::pi *
                               std::fmod(tone.frequency * static_cast<double>(t), n) / n);
    signal.push_back(static_cast<float>(x.real()));
    signal.push_back(static_cast<float>(x.imag()));
  }
  SparseTransform t;
  t.length = n;
  t.sparsity = 3;
  const auto& device = default_device();
  const auto buffer = device.upload(signal);
  const SparsePlan plan(device.context, device.device, t);
  const auto found = plan.forward(device.queue, buffer);
  CHECK(found.verdict == Verdict::noise_floor);
  CHECK(found.indices.size() < 30);
  check_same(sparse_tones(found, t), several, 0.1, 0.2);
}

}  // namespace
}  // namespace imago::test
