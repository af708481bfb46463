// This file implements the steps of a transform on the host.
#include "hooks/host_steps.hpp"

#include <complex>
#include <cstddef>

#include "problem/reference.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

/// Computes the DFT along an axis, in place.
void transform_along(HostArray& array, std::size_t axis, bool inverse) {
  const std::size_t n = array.lengths[axis];
  for (std::size_t i = 0; i < array.x.size(); ++i) {
    auto at = array.indices(i);
    if (at[axis] != 0) continue;
    const auto number = [&](std::size_t j) {
      at[axis] = j;
      return array.number(at);
    };
    std::vector<Complex> line(n);
    for (std::size_t j = 0; j < n; ++j) line[j] = array.x[number(inverse ? (n - j) % n : j)];
    line = problem::reference(Kind::complex, {n}, line);
    for (std::size_t j = 0; j < n; ++j) array.x[number(j)] = line[j];
  }
}

/// Returns the stored half of a real signal's spectrum.
HostArray half_of(const HostArray& whole, std::size_t axis) {
  HostArray half{whole.lengths, whole.batch, {}};
  half.lengths[axis] = whole.lengths[axis] / 2 + 1;
  half.x.resize(half.size() * half.batch);
  for (std::size_t i = 0; i < half.x.size(); ++i)
    half.x[i] = whole.x[whole.number(half.indices(i))];
  return half;
}

/// Restores the whole spectrum of a real signal from its half, as the kernels for half spectra do.
void take_half(HostArray& whole, const HostArray& half, std::size_t axis,
               const std::vector<Kind>& kinds) {
  for (std::size_t i = 0; i < whole.x.size(); ++i) {
    auto at = whole.indices(i);
    if (at[axis] < half.lengths[axis]) {
      whole.x[i] = half.x[half.number(at)];
      continue;
    }
    for (std::size_t d = 0; d < kinds.size(); ++d) {
      if (kinds[d] != Kind::identity) at[d] = (whole.lengths[d] - at[d]) % whole.lengths[d];
    }
    whole.x[i] = std::conj(half.x[half.number(at)]);
  }
}

}  // namespace

std::vector<Complex> transformed(const Trial& trial, const problem::Problem& p,
                                 const std::vector<Complex>& x) {
  std::vector<std::size_t> lengths(p.lengths.begin(), p.lengths.end());
  if (!trial.transform.axes.empty()) {
    HostArray array{lengths, 1, x};
    for (std::size_t d = 0; d < lengths.size(); ++d) {
      REQUIRE((p.kinds[d] == Kind::complex || p.kinds[d] == Kind::identity));
      if (p.kinds[d] == Kind::complex) transform_along(array, d, trial.inverse);
    }
    return array.x;
  }
  if (!trial.inverse) return problem::reference(trial.transform.kind, lengths, x);
  REQUIRE(trial.transform.kind == Kind::complex);
  std::vector<Complex> swapped = x;
  for (Complex& value : swapped) value = std::conj(value);
  swapped = problem::reference(Kind::complex, lengths, swapped);
  for (Complex& value : swapped) value = std::conj(value);
  return swapped;
}

HostArray filtered(const Trial& trial, const problem::Problem& p, HostArray x) {
  const auto each_axis = [&](bool inverse) {
    for (std::size_t d = 0; d < p.kinds.size(); ++d) {
      if (p.kinds[d] != Kind::identity) transform_along(x, d, inverse);
    }
  };
  each_axis(false);
  const auto axis = p.real_axis();
  HostArray spectrum = axis ? half_of(x, *axis) : x;
  HostHooks(spectrum, trial.arguments, trial.function).apply(*trial.filter);
  if (axis)
    take_half(x, spectrum, *axis, p.kinds);
  else
    x = spectrum;
  each_axis(true);
  if (axis) {
    for (Complex& value : x.x) value = value.real();
  }
  return x;
}

}  // namespace imago::test
