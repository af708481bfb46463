// This file tests the properties of a DFT without a second library. It is linear, an impulse
// becomes a wave, a shift becomes a phase and the reverse, energy is kept, and the inverse undoes
// forward.
#include <functional>

#include "catalogue/catalogue.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/naive.hpp"

using namespace imago;
using imago::test::default_device;

namespace {

template <class Real>
using Data = std::vector<std::complex<Real>>;
using Wide = std::vector<std::complex<long double>>;

template <class Real>
constexpr Precision kPrecision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;

/// Plans of one length; each test uses both mappings.
template <class Real>
class Transforms {
 public:
  Transforms(std::size_t n, Mapping mapping, Norm norm = Norm::backward)
      : n_(n),
        plan_(default_device().context, default_device().device, transform(n, norm),
              options(mapping)) {}

  Data<Real> forward(const Data<Real>& x) const { return call(x, false); }
  Data<Real> inverse(const Data<Real>& x) const { return call(x, true); }
  /// Returns the bound for results of several transforms whose errors add.
  double bound(double transforms) const {
    return 2 * transforms * catalogue::error_bound(kPrecision<Real>, n_);
  }

 private:
  static Transform transform(std::size_t n, Norm norm) {
    Transform transform;
    transform.precision = kPrecision<Real>;
    transform.lengths = {n};
    transform.norm = norm;
    return transform;
  }
  static Options options(Mapping mapping) {
    Options options;
    options.parameters.mapping = mapping;
    return options;
  }
  Data<Real> call(const Data<Real>& x, bool inverse) const {
    const auto& device = default_device();
    const auto in = device.upload(x), out = device.allocate(x.size() * sizeof(x[0]));
    inverse ? plan_.inverse(device.queue, in, out) : plan_.forward(device.queue, in, out);
    return device.download<std::complex<Real>>(out, x.size());
  }

  std::size_t n_;
  Plan plan_;
};

template <class Real>
double distance(const Data<Real>& result, const Wide& expected) {
  return test::relative_error<Real, long double>(result, expected);
}

template <class Real>
Wide widened(const Data<Real>& x,
             const std::function<std::complex<long double>(std::size_t)>& factor) {
  Wide result;
  for (std::size_t i = 0; i < x.size(); ++i) {
    result.push_back(std::complex<long double>(x[i].real(), x[i].imag()) * factor(i));
  }
  return result;
}

std::complex<long double> wave(std::uint64_t phase, std::uint64_t order) {
  const auto root = test::quad_root(phase, order);
  return {static_cast<long double>(root.re), static_cast<long double>(root.im)};
}

template <class Real>
void check_linear(const Transforms<Real>& transforms, std::size_t n) {
  const auto x = test::random_data<Real>(n, 1), y = test::random_data<Real>(n, 2);
  Data<Real> sum(n);
  for (std::size_t i = 0; i < n; ++i) sum[i] = x[i] + Real(0.5) * y[i];  // rounded: one more error
  const auto fx = transforms.forward(x), fy = transforms.forward(y);
  Wide expected = widened<Real>(fx, [](std::size_t) { return 1.0L; });
  for (std::size_t i = 0; i < n; ++i)
    expected[i] += std::complex<long double>(fy[i].real(), fy[i].imag()) * 0.5L;
  CHECK(distance(transforms.forward(sum), expected) < transforms.bound(3));
}

template <class Real>
void check_impulse(const Transforms<Real>& transforms, std::size_t n) {
  for (const std::size_t at : {std::size_t{0}, n / 3, n - 1}) {
    Data<Real> impulse(n);
    impulse[at] = 1;
    const Wide expected =
        widened<Real>(Data<Real>(n, 1), [&](std::size_t k) { return wave(at * k, n); });
    CHECK(distance(transforms.forward(impulse), expected) < transforms.bound(1));
  }
}

template <class Real>
void check_shifts(const Transforms<Real>& transforms, std::size_t n) {
  const auto x = test::random_data<Real>(n, 3);
  const auto fx = transforms.forward(x);
  const std::size_t shift = n / 3 + 1;
  Data<Real> later(n), modulated(n);
  for (std::size_t i = 0; i < n; ++i) later[(i + shift) % n] = x[i];
  const Wide phased = widened<Real>(fx, [&](std::size_t k) { return wave(k * shift, n); });
  CHECK(distance(transforms.forward(later), phased) < transforms.bound(2));

  const Wide turned =
      widened<Real>(x, [&](std::size_t i) { return std::conj(wave(i * shift, n)); });
  for (std::size_t i = 0; i < n; ++i) {
    modulated[i] = {static_cast<Real>(turned[i].real()), static_cast<Real>(turned[i].imag())};
  }
  Data<Real> moved(n);
  for (std::size_t k = 0; k < n; ++k) moved[(k + shift) % n] = fx[k];
  const Wide expected = widened<Real>(moved, [](std::size_t) { return 1.0L; });
  CHECK(distance(transforms.forward(modulated), expected) < transforms.bound(3));
}

template <class Real>
void check_energy(const Transforms<Real>& transforms, std::size_t n) {
  const auto x = test::random_data<Real>(n, 4);
  const auto energy = [](const Data<Real>& data) {
    long double sum = 0;
    for (const auto& value : data)
      sum += std::norm(std::complex<long double>(value.real(), value.imag()));
    return sum;
  };
  const long double ratio =
      energy(transforms.forward(x)) / (static_cast<long double>(n) * energy(x));
  CHECK(std::abs(static_cast<double>(ratio - 1)) < transforms.bound(2));
}

template <class Real>
void check_all(std::size_t n, Mapping mapping) {
  const Transforms<Real> transforms(n, mapping);
  check_linear(transforms, n);
  check_impulse(transforms, n);
  check_shifts(transforms, n);
  check_energy(transforms, n);
}

template <class Real>
void check_round_trips(std::size_t n, Mapping mapping) {
  const auto x = test::random_data<Real>(n, 5);
  for (const auto norm : {Norm::backward, Norm::ortho, Norm::forward}) {
    CAPTURE(static_cast<int>(norm));
    const Transforms<Real> transforms(n, mapping, norm);
    const Wide expected = widened<Real>(x, [](std::size_t) { return 1.0L; });
    CHECK(distance(transforms.inverse(transforms.forward(x)), expected) < transforms.bound(2));
    CHECK(distance(transforms.forward(transforms.inverse(x)), expected) < transforms.bound(2));
  }
}

}  // namespace

TEST_CASE("linear, shift and energy properties") {
  check_all<float>(1, Mapping::vector);
  check_all<float>(13, Mapping::work_group);
  check_all<float>(64, Mapping::vector);
  check_all<float>(1000, Mapping::work_group);
}

TEST_CASE("linear, shift and energy properties of several kernels", "[long]") {
  check_all<float>(32768, Mapping::vector);
  check_all<float>(32768, Mapping::work_group);
}

TEST_CASE("linear, shift and energy properties in f64") {
  if (!default_device().f64()) return;
  check_all<double>(45, Mapping::vector);
  check_all<double>(120, Mapping::work_group);
}

TEST_CASE("inverse undoes forward under the three norms that say so", "[long]") {
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  check_round_trips<float>(12, mapping);
  check_round_trips<float>(1001, mapping);
  if (default_device().f64()) check_round_trips<double>(60, mapping);
}
