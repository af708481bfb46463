// This file makes signals with sparse spectra, by one dense inverse transform in double precision.
#include "catalogue/tones.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "catalogue/fftw.hpp"

namespace imago::catalogue {
namespace {

std::vector<std::uint64_t> support_of(const Tones& t, std::mt19937_64& random) {
  const std::uint64_t n = t.real ? (t.length - 1) / 2 : t.length;  // real: frequencies from 1 on
  std::uniform_int_distribution<std::uint64_t> anywhere(0, n - 1);
  std::set<std::uint64_t> chosen;
  const std::uint64_t start = anywhere(random);
  for (std::uint64_t i = 0; chosen.size() < t.sparsity; ++i) {
    switch (t.support) {
      case Support::random:
        chosen.insert(anywhere(random));
        break;
      case Support::run:
        chosen.insert((start + i) % n);
        break;
      case Support::run_at_dc:
        chosen.insert(i);
        break;
      case Support::equal:
        chosen.insert((start + i * (n / t.sparsity)) % n);
        break;
      case Support::apart_1024:
        chosen.insert((start + std::min<std::uint64_t>(1024, n / t.sparsity) * i) % n);
        break;
      case Support::blocks: {
        const std::uint64_t first = anywhere(random);
        for (std::uint64_t j = 0; j < 10 && chosen.size() < t.sparsity; ++j)
          chosen.insert((first + j) % n);
        break;
      }
    }
  }
  return {chosen.begin(), chosen.end()};
}

/// Transforms in place with exp(+2 pi i).
void transform(std::vector<std::complex<double>>& data) {
  auto* raw = reinterpret_cast<fftw_complex*>(data.data());
  const int n = static_cast<int>(data.size());
  const FftwPlan<double> plan(Fftw<double>::many_complex(1, &n, 1, raw, nullptr, 1, n, raw, nullptr,
                                                         1, n, FFTW_BACKWARD, FFTW_ESTIMATE));
  Fftw<double>::execute(plan.get());
}

void add_noise(SparseSignal& signal, const Tones& t, std::mt19937_64& random) {
  double energy = 0;
  for (const auto& x : signal.samples) energy += std::norm(x);
  const double parts = t.real ? 1 : 2;
  const double sigma =
      std::sqrt(energy / static_cast<double>(t.length) / parts * std::pow(10.0, -t.snr_db / 10));
  std::normal_distribution<double> gauss(0, sigma);
  for (auto& x : signal.samples) {
    x += gauss(random);
    if (!t.real) x += std::complex<double>(0, gauss(random));
  }
}

}  // namespace

SparseSignal make_signal(const Tones& t) {
  std::mt19937_64 random(t.seed);
  std::uniform_real_distribution<double> unit(0, 1);
  SparseSignal signal;
  signal.indices = support_of(t, random);
  if (t.real)
    for (auto& f : signal.indices) ++f;
  signal.samples.assign(t.length, 0);
  for (const std::uint64_t f : signal.indices) {
    const double size = std::pow(10.0, -t.dynamic_range_db / 20 * unit(random));
    const auto amplitude = std::polar(size, 2 * std::numbers::pi * unit(random));
    signal.values.push_back(amplitude * static_cast<double>(t.length));
    signal.samples[f] += amplitude;
    if (t.real) signal.samples[t.length - f] += std::conj(amplitude);
  }
  transform(signal.samples);
  if (t.snr_db < 1e8) add_noise(signal, t, random);
  return signal;
}

Comparison compare(const SparseSpectrum& spectrum, const SparseSignal& signal) {
  Comparison result;
  std::map<std::uint64_t, std::complex<double>> found;
  for (std::size_t i = 0; i < spectrum.indices.size(); ++i)
    found[spectrum.indices[i]] = spectrum.values[i];
  double largest = 0, sum = 0;
  for (const auto& value : signal.values) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < signal.indices.size(); ++i) {
    const auto it = found.find(signal.indices[i]);
    if (it == found.end()) {
      ++result.missed;
      result.worst_missed = std::max(result.worst_missed, std::abs(signal.values[i]));
      sum += largest;
    } else {
      sum += std::abs(it->second - signal.values[i]);
      found.erase(it);
    }
  }
  result.spurious = found.size();
  for (const auto& [index, value] : found)
    result.worst_spurious = std::max(result.worst_spurious, std::abs(value));
  if (!signal.indices.empty())
    result.mean_error = sum / largest / static_cast<double>(signal.indices.size());
  return result;
}

std::string name(Support support) {
  switch (support) {
    case Support::random:
      return "random";
    case Support::run:
      return "run";
    case Support::run_at_dc:
      return "run at DC";
    case Support::equal:
      return "equally spaced";
    case Support::apart_1024:
      return "1024 apart";
    case Support::blocks:
      return "blocks of 10";
  }
  return {};
}

}  // namespace imago::catalogue
