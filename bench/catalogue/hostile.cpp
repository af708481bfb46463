// This file makes signals that a sparse transform may get wrong, and measures the error of an
// answer.
#include "catalogue/hostile.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>

#include "catalogue/fftw.hpp"
#include "sparse/draws.hpp"
#include "sparse/phase_parameters.hpp"

namespace imago::catalogue {
namespace {

using Complex = std::complex<double>;
using Samples = std::vector<Complex>;

constexpr double kTurn = 2 * std::numbers::pi;

/// The random source of the families.
struct Maker {
  const SparseTransform& transform;
  std::mt19937_64 random;

  std::size_t n() const { return transform.length; }
  std::size_t below(std::size_t limit) { return random() % limit; }
  double unit() { return std::uniform_real_distribution<double>(0, 1)(random); }
  /// Returns a log-uniform number.
  double between(double low, double high) { return low * std::pow(high / low, unit()); }
  Complex phase() { return std::polar(1.0, kTurn * unit()); }
  Complex noise() {
    std::normal_distribution<double> gauss(0, std::sqrt(0.5));
    return {gauss(random), gauss(random)};
  }
  Samples zeros() const { return Samples(n(), 0); }
};

void add_tone(Samples& x, double frequency, Complex amplitude) {
  const auto n = static_cast<double>(x.size());
  for (std::size_t t = 0; t < x.size(); ++t)
    x[t] +=
        amplitude * std::polar(1.0, kTurn * std::fmod(frequency * static_cast<double>(t), n) / n);
}

Samples tones(Maker& maker, std::size_t count) {
  auto x = maker.zeros();
  for (std::size_t i = 0; i < count; ++i)
    add_tone(x, static_cast<double>(maker.below(maker.n() / 2)), maker.phase());
  return x;
}

Samples some_tones(Maker& maker) { return tones(maker, 1 + maker.below(10)); }

void add_impulses(Maker& maker, Samples& x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    x[maker.below(x.size())] += maker.between(1, 300) * maker.phase();
}

void add_burst(Maker& maker, Samples& x, std::size_t length, double size) {
  const std::size_t first = maker.below(x.size() - length);
  for (std::size_t i = 0; i < length; ++i) x[first + i] += size * maker.noise();
}

void add_train(Maker& maker, Samples& x) {
  const std::size_t count = std::size_t{2} << maker.below(6), period = x.size() / count;
  const std::size_t first = maker.below(period);
  const Complex size = maker.between(0.3, 100) * maker.phase();
  for (std::size_t i = 0; i < count; ++i) x[first + i * period] += size;
}

/// Marks the samples that the phase method reads in its first attempt.
void mark_read(const SparseTransform& transform, sparse::Dear dear, std::vector<bool>& read) {
  const auto request = sparse::make_request(transform);
  const auto parameters = sparse::phase_parameters(request, dear);
  if (!parameters) return;
  const auto& level = parameters->coarse.front();
  const std::uint64_t n = transform.length;
  const auto draws = sparse::draw(n, transform.seed.value_or(0), 0);
  const std::uint64_t half = parameters->window.width * level.buckets() / 2;
  for (unsigned h = 0; h < sparse::kHashes; ++h) {
    for (unsigned shift = 0; shift < level.shifts(); ++shift) {
      const std::uint64_t time = shift == 0 ? 0 : std::uint64_t{1} << level.exponents[shift - 1];
      for (std::uint64_t j = 0; j < 2 * half; ++j)
        read[(draws.sigma[h] * ((time + j + n - half) % n) + draws.tau[h]) % n] = true;
    }
  }
  sparse::Random checks(draws.check_seed);
  for (int i = 0; i < sparse::IMAGO_MOST_CHECKS; ++i) read[checks.below(n)] = true;
}

/// Returns the samples that the phase method reads on any device.
std::vector<bool> read_by(const SparseTransform& transform) {
  std::vector<bool> read(transform.length, false);
  mark_read(transform, sparse::Dear::samples, read);
  mark_read(transform, sparse::Dear::launches, read);
  return read;
}

Samples against_seed(Maker& maker) {
  auto x = tones(maker, 1);
  const auto read = read_by(maker.transform);
  auto hidden = maker.zeros();
  add_tone(hidden, static_cast<double>(maker.below(maker.n())), 5.0 * maker.phase());
  for (std::size_t t = 0; t < x.size(); ++t)
    if (!read[t]) x[t] += hidden[t];
  return x;
}

/// These have the energy of the tones, but other samples.
Samples flipped(Maker& maker) {
  auto x = some_tones(maker);
  for (std::size_t i = 0, count = 1 + maker.below(8); i < count; ++i) {
    auto& sample = x[maker.below(x.size())];
    sample = -sample;
  }
  return x;
}
Samples swapped(Maker& maker) {
  auto x = some_tones(maker);
  const std::size_t length = 1 + maker.below(40), first = maker.below(x.size() - 2 * length);
  for (std::size_t i = 0; i < length; ++i) std::swap(x[first + i], x[first + length + i]);
  return x;
}

Samples power_law(Maker& maker, double exponent) {
  auto x = maker.zeros();
  for (std::size_t i = 1; i <= 60; ++i)
    add_tone(x, static_cast<double>(maker.below(maker.n())),
             std::pow(static_cast<double>(i), exponent) * maker.phase());
  return x;
}

Samples chirp(Maker& maker, double share) {
  auto x = share < 1 ? some_tones(maker) : maker.zeros();
  const auto n = static_cast<double>(maker.n());
  const auto length = static_cast<std::size_t>(share * n);
  const std::size_t first = maker.below(maker.n() - length + 1);
  const double rate = maker.between(1e-3, 0.4) / static_cast<double>(length);
  for (std::size_t i = 0; i < length; ++i) {
    const auto t = static_cast<double>(i);
    x[first + i] += std::polar(1.0, kTurn * std::fmod(rate * t * t, 1.0));
  }
  return x;
}

Samples clusters(Maker& maker, std::size_t count, std::size_t width) {
  auto x = maker.zeros();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = maker.below(maker.n() - width);
    for (std::size_t j = 0; j < width; ++j)
      add_tone(x, static_cast<double>(first + j), maker.phase());
  }
  return x;
}

struct Family {
  std::string name;
  std::function<Samples(Maker&)> make;
  bool against_seed = false;
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"zeros", [](Maker& m) { return m.zeros(); }},
      {"an impulse",
       [](Maker& m) {
         auto x = m.zeros();
         add_impulses(m, x, 1);
         return x;
       }},
      {"impulses",
       [](Maker& m) {
         auto x = m.zeros();
         add_impulses(m, x, 2 + m.below(30));
         return x;
       }},
      {"a tone and an impulse",
       [](Maker& m) {
         auto x = tones(m, 1);
         add_impulses(m, x, 1);
         return x;
       }},
      {"tones and impulses",
       [](Maker& m) {
         auto x = some_tones(m);
         add_impulses(m, x, 1 + m.below(10));
         return x;
       }},
      {"a burst alone",
       [](Maker& m) {
         auto x = m.zeros();
         add_burst(m, x, 1 + m.below(20), 1);
         return x;
       }},
      {"tones and a short burst",
       [](Maker& m) {
         auto x = some_tones(m);
         add_burst(m, x, 1 + m.below(20), m.between(0.01, 100));
         return x;
       }},
      {"tones and a long burst",
       [](Maker& m) {
         auto x = some_tones(m);
         add_burst(m, x, m.n() / (20 + m.below(1000)), m.between(1e-3, 1));
         return x;
       }},
      {"a train",
       [](Maker& m) {
         auto x = m.zeros();
         add_train(m, x);
         return x;
       }},
      {"tones and a train",
       [](Maker& m) {
         auto x = some_tones(m);
         add_train(m, x);
         return x;
       }},
      {"made against the seed", against_seed, true},
      {"signs flipped", flipped},
      {"samples swapped", swapped},
      {"a gap",
       [](Maker& m) {
         auto x = some_tones(m);
         const std::size_t length = 1 + m.below(m.n() / 100), first = m.below(m.n() - length);
         std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(first), length, 0);
         return x;
       }},
      {"one NaN",
       [](Maker& m) {
         auto x = some_tones(m);
         x[m.below(x.size())] = std::numeric_limits<double>::quiet_NaN();
         return x;
       }},
      {"a comb of frequencies",
       [](Maker& m) {
         auto x = m.zeros();
         const std::size_t count = std::size_t{4} << m.below(5);
         const std::size_t first = m.below(m.n() / count);
         for (std::size_t i = 0; i < count; ++i)
           add_tone(x, static_cast<double>(first + i * (m.n() / count)), 1);
         return x;
       }},
      {"a chirp", [](Maker& m) { return chirp(m, 1); }},
      {"tones and a short chirp", [](Maker& m) { return chirp(m, 0.01); }},
      {"power law, -1", [](Maker& m) { return power_law(m, -1); }},
      {"power law, -3", [](Maker& m) { return power_law(m, -3); }},
      {"between the bins",
       [](Maker& m) {
         auto x = m.zeros();
         for (int i = 0; i < 3; ++i)
           add_tone(x, static_cast<double>(m.below(m.n())) + m.unit(), m.phase());
         return x;
       }},
      {"damped",
       [](Maker& m) {
         auto x = some_tones(m);
         const double rate = m.between(1e-4, 30) / static_cast<double>(m.n());
         for (std::size_t t = 0; t < x.size(); ++t)
           x[t] *= std::exp(-rate * static_cast<double>(t));
         return x;
       }},
      {"clusters", [](Maker& m) { return clusters(m, 3, 2 + m.below(10)); }},
      {"weak tones below strong ones",
       [](Maker& m) {
         auto x = tones(m, 3);
         const double size = m.between(1e-7, 1e-2);
         for (int i = 0; i < 30; ++i)
           add_tone(x, static_cast<double>(m.below(m.n())), size * m.phase());
         return x;
       }},
      {"noise in a part",
       [](Maker& m) {
         auto x = some_tones(m);
         add_burst(m, x, m.n() / (2 + m.below(6)), m.between(1e-4, 0.3));
         return x;
       }},
      {"noise",
       [](Maker& m) {
         auto x = some_tones(m);
         const double size = m.between(1e-6, 1);
         for (auto& sample : x) sample += size * m.noise();
         return x;
       }},
  };
  return all;
}

void transform(Samples& data, int sign) {
  auto* raw = reinterpret_cast<fftw_complex*>(data.data());
  const int n = static_cast<int>(data.size());
  const FftwPlan<double> plan(Fftw<double>::many_complex(1, &n, 1, raw, nullptr, 1, n, raw, nullptr,
                                                         1, n, sign, FFTW_ESTIMATE));
  Fftw<double>::execute(plan.get());
}

/// Returns the listed coefficients as a spectrum.
Samples listed(const SparseSpectrum& answer, const SparseTransform& t) {
  Samples spectrum(t.length, 0);
  for (std::size_t i = 0; i < answer.indices.size(); ++i) {
    const std::size_t f = answer.indices[i];
    spectrum[f] = answer.values[i];
    if (t.kind == Kind::real && f != 0 && 2 * f != t.length)
      spectrum[t.length - f] = std::conj(answer.values[i]);
  }
  return spectrum;
}

double energy_of(const Samples& x) {
  double energy = 0;
  for (const auto& sample : x) energy += std::norm(sample);
  return energy;
}

}  // namespace

const std::vector<std::string>& hostile_families() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& family : families()) list.push_back(family.name);
    return list;
  }();
  return names;
}

bool made_against_seed(std::size_t family) { return families()[family].against_seed; }

std::vector<std::complex<double>> make_hostile(const Hostile& hostile) {
  Maker maker{hostile.transform, std::mt19937_64(hostile.seed)};
  auto x = families()[hostile.family].make(maker);
  const bool real = hostile.transform.kind == Kind::real;
  const auto stored = [&](double part) {
    return hostile.transform.precision == Precision::f64 ? part : double{static_cast<float>(part)};
  };
  for (auto& sample : x) sample = {stored(sample.real()), real ? 0 : stored(sample.imag())};
  return x;
}

Truth truth_of(const SparseSpectrum& answer, const SparseTransform& t,
               const std::vector<std::complex<double>>& samples) {
  const auto n = static_cast<double>(t.length);
  Truth truth;
  auto spectrum = samples, sum = listed(answer, t);
  transform(spectrum, FFTW_FORWARD);
  std::vector<bool> known(t.length, false);
  for (std::size_t i = 0; i < answer.indices.size(); ++i) {
    const std::size_t f = answer.indices[i];
    known[f] = true;
    truth.worst_value = std::max(truth.worst_value, std::abs(spectrum[f] - answer.values[i]));
  }
  const std::size_t count = t.kind == Kind::real ? t.length / 2 + 1 : t.length;
  for (std::size_t f = 0; f < count; ++f)
    if (!known[f]) truth.worst_missed = std::max(truth.worst_missed, std::abs(spectrum[f]));
  transform(sum, FFTW_BACKWARD);
  std::size_t different = 0;
  for (std::size_t i = 0; i < t.length; ++i) {
    sum[i] = samples[i] - sum[i] / n;
    different += !(std::abs(sum[i]) <= answer.difference * (1 + 1e-6));
  }
  truth.share = static_cast<double>(different) / n;
  const double energy = energy_of(samples), left = energy_of(sum);
  truth.residual = left == 0 ? 0 : std::sqrt(left / energy);
  return truth;
}

// The comparisons are false for a NaN.
bool is_false(const SparseSpectrum& answer, const Truth& truth, const SparseTransform& t) {
  if (answer.verdict != Verdict::verified) return false;
  const bool f64 = t.precision == Precision::f64;
  // Allows for the rounding of the dense transform and of the reference.
  const double n = static_cast<double>(t.length);
  const bool dense = answer.used == SparseMethod::dense;
  const double tolerance =
      t.tolerance > 0 ? t.tolerance : std::max(f64 ? 1e-7 : 1e-4, 1.15 * t.noise);
  const double slack = dense ? (f64 ? 1e-13 : 3e-6) : 1e-14;
  const double floor = answer.floor * (1 + 1e-5) + 1e-14 * n;
  return !(truth.residual <= tolerance && truth.residual <= answer.residual + slack &&
           truth.worst_missed <= floor && truth.worst_value <= floor);
}

}  // namespace imago::catalogue
