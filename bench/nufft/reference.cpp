// This file implements the direct sums.
#include "bench/nufft/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <thread>

namespace imago::bench::nufft {
namespace {

using Complex = std::complex<double>;
using Phase = std::uint64_t;  ///< in 2^-64 of a period

/// Multiplies without std::complex's case distinctions for infinities.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Returns the phase of an angle in radians, rounded to nearly 64 bits.
Phase phase_of(double angle) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  const long double periods = angle / (2 * std::numbers::pi_v<long double>);
  const long double part = periods - std::rint(periods);
  const auto size = static_cast<Phase>(std::ldexp(std::fabs(part), 64));
  return part < 0 ? -size : size;
}

/// The unit circle: exp(i phase) by two tables and a polynomial for the rest, which is faster than
/// a sine and a cosine.
class Circle {
 public:
  Circle() {
    for (std::size_t i = 0; i < kSize; ++i) {
      const long double angle =
          2 * std::numbers::pi_v<long double> * static_cast<long double>(i) / kSize;
      coarse_[i] = Complex(std::polar(1.0L, angle));
      fine_[i] = Complex(std::polar(1.0L, angle / kSize));
    }
  }
  Complex operator()(Phase phase) const {
    const double rest = static_cast<double>(phase & ((Phase{1} << 40) - 1)) * kUnit;
    return times(times(coarse_[phase >> 52], fine_[(phase >> 40) % kSize]),
                 {1 - rest * rest / 2, rest});
  }

 private:
  static constexpr std::size_t kSize = 4096;
  static constexpr double kUnit = 2 * std::numbers::pi * 0x1p-64;
  std::array<Complex, kSize> coarse_, fine_;
};

/// Returns the frequency of index `i` of `n`, as a factor of phases modulo 2^64.
Phase frequency(std::size_t i, std::size_t n) { return Phase{i} - Phase{n / 2}; }

class Sums {
 public:
  Sums(const Problem& problem, const Data& data) : modes_(problem.modes), data_(data) {
    for (const std::vector<double>& axis : data.coordinates) {
      phases_.emplace_back(axis.size());
      std::transform(axis.begin(), axis.end(), phases_.back().begin(), phase_of);
    }
  }

  Complex type1(std::size_t mode) const {
    std::array<Phase, 3> k{};
    for (std::size_t axis = modes_.size(); axis-- > 0; mode /= modes_[axis])
      k[axis] = frequency(mode % modes_[axis], modes_[axis]);
    Complex sum = 0;
    for (std::size_t j = 0; j < data_.strengths.size(); ++j) {
      Phase phase = 0;
      for (std::size_t axis = 0; axis < modes_.size(); ++axis) phase += k[axis] * phases_[axis][j];
      sum += times(data_.strengths[j], circle_(phase));
    }
    return sum;
  }

  Complex type2(std::size_t point) const {
    std::vector<std::vector<Complex>> waves;
    for (std::size_t axis = 0; axis < modes_.size(); ++axis) {
      waves.emplace_back(modes_[axis]);
      for (std::size_t i = 0; i < modes_[axis]; ++i)
        waves[axis][i] = circle_(-frequency(i, modes_[axis]) * phases_[axis][point]);
    }
    const std::size_t length = modes_.back();
    Complex sum = 0;
    for (std::size_t row = 0; row < data_.modes.size() / length; ++row) {
      Complex part = 0, wave = 1;
      for (std::size_t i = 0; i < length; ++i)
        part += times(data_.modes[row * length + i], waves.back()[i]);
      std::size_t index = row;
      for (std::size_t axis = modes_.size() - 1; axis-- > 0; index /= modes_[axis])
        wave = times(wave, waves[axis][index % modes_[axis]]);
      sum += times(part, wave);
    }
    return sum;
  }

 private:
  const std::vector<std::size_t> modes_;
  const Data& data_;
  const Circle circle_;
  std::vector<std::vector<Phase>> phases_;
};

std::vector<std::size_t> some(std::size_t count, std::size_t samples) {
  std::mt19937_64 bits(2);
  std::vector<std::size_t> indices{0, count - 1};
  while (indices.size() < samples) indices.push_back(bits() % count);
  return indices;
}

}  // namespace

Reference::Reference(const Problem& problem, const Data& data, std::size_t samples,
                     unsigned threads) {
  const Sums sums(problem, data);
  type1_.indices = some(problem.mode_count(), samples);
  type2_.indices = some(problem.points, samples);
  type1_.values.resize(type1_.indices.size());
  type2_.values.resize(type2_.indices.size());
  const auto work = [&](unsigned first) {
    for (std::size_t i = first; i < type1_.indices.size(); i += threads)
      type1_.values[i] = sums.type1(type1_.indices[i]);
    for (std::size_t i = first; i < type2_.indices.size(); i += threads)
      type2_.values[i] = sums.type2(type2_.indices[i]);
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back(work, i);
  work(0);
}

double Reference::error(Step step, const std::vector<Complex>& result) const {
  const Samples& samples = step == Step::type1 ? type1_ : type2_;
  double off = 0, norm = 0;
  for (std::size_t i = 0; i < samples.indices.size(); ++i) {
    off += std::norm(result.at(samples.indices[i]) - samples.values[i]);
    norm += std::norm(samples.values[i]);
  }
  return std::sqrt(off / norm);
}

}  // namespace imago::bench::nufft
