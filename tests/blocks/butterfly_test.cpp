// This file tests the Butterfly block on the host interpreter: every size that fits registers,
// scalar and in lanes, against the definition of the DFT.
#include "blocks/butterfly.hpp"

#include "blocks/prime_convolution.hpp"
#include "catalogue/catalogue.hpp"
#include "interpreter/interpreter.hpp"
#include "ir/contract.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

using namespace imago;

namespace {

constexpr unsigned kRounds = 128;
using Dft = blocks::Points(const blocks::Points&);

/// Returns a kernel that transforms `n` points in each of `lanes` lanes. Point p of lane l is at p
/// * lanes + l of the real and of the imaginary array.
ir::Kernel kernel_of(unsigned n, unsigned lanes, ir::Base base, Dft* dft = blocks::butterfly) {
  ir::Builder b("butterfly", 1);
  const ir::Type real{base, 1};
  const auto in_re = b.global("in_re", real, true), in_im = b.global("in_im", real, true);
  const auto out_re = b.global("out_re", real, false), out_im = b.global("out_im", real, false);
  blocks::Points points(n);
  for (unsigned p = 0; p < n; ++p) {
    const auto at = b.integer(p * lanes);
    points[p] = {b.load(in_re, at, lanes), b.load(in_im, at, lanes)};
  }
  const auto result = dft(points);
  for (unsigned p = 0; p < n; ++p) {
    b.store(out_re, b.integer(p * lanes), result[p].re);
    b.store(out_im, b.integer(p * lanes), result[p].im);
  }
  return b.take();
}

template <class Real>
struct Parts {
  std::vector<Real> re, im;
};

/// Returns the results of one work-item, in arrays with the layout of kernel_of().
template <class Real>
Parts<Real> run(const ir::Kernel& kernel, Parts<Real> in) {
  Parts<Real> out = in;
  const interpreter::Binding arguments[] = {interpreter::bind(in.re), interpreter::bind(in.im),
                                            interpreter::bind(out.re), interpreter::bind(out.im)};
  interpreter::run(kernel, 1, arguments);
  return out;
}

template <class Real>
void check_butterfly(unsigned n, unsigned lanes, Precision precision,
                     Dft* dft = blocks::butterfly) {
  const auto kernel = kernel_of(n, lanes, sizeof(Real) == 4 ? ir::Base::f32 : ir::Base::f64, dft);
  std::vector<std::complex<Real>> results;
  std::vector<std::complex<long double>> expected;
  for (unsigned round = 0; round < kRounds; ++round) {
    const auto data = test::random_data<Real>(n * lanes, round);
    Parts<Real> in{std::vector<Real>(n * lanes), std::vector<Real>(n * lanes)};
    for (unsigned i = 0; i < n * lanes; ++i) {
      in.re[i % n * lanes + i / n] = data[i].real();
      in.im[i % n * lanes + i / n] = data[i].imag();
    }
    const Parts<Real> out = run(kernel, in);
    for (unsigned l = 0; l < lanes; ++l) {
      for (unsigned p = 0; p < n; ++p)
        results.push_back({out.re[p * lanes + l], out.im[p * lanes + l]});
      const auto exact = test::naive_dft<Real>(std::span(data).subspan(l * n, n));
      expected.insert(expected.end(), exact.begin(), exact.end());
    }
  }
  const auto error = test::relative_error<Real, long double>(results, expected);
  CHECK(error < catalogue::error_bound(precision, n));
}

}  // namespace

TEST_CASE("a butterfly of equal points gives zeros except for the first point") {
  const unsigned n =
      GENERATE(range(2u, 17u), 22u, 25u, 26u, 28u, 30u, 32u, 37u, 41u, 43u, 47u, 53u, 59u, 61u);
  Dft* const dft =
      n > 32 && GENERATE(true, false) ? blocks::stored_prime_convolution : blocks::butterfly;
  const float value = GENERATE(1.0f, 0.3f, -3.7e12f);
  CAPTURE(n, value, dft == blocks::butterfly);
  const auto kernel = ir::contract(kernel_of(n, 1, ir::Base::f32, dft));
  const auto out = run<float>(kernel, {std::vector(n, value), std::vector(n, value / 7)});
  CHECK(out.re[0] != 0);
  for (unsigned p = 1; p < n; ++p) {
    CAPTURE(p);
    CHECK(out.re[p] == 0);
    CHECK(out.im[p] == 0);
  }
}

TEST_CASE("a butterfly is the DFT of its points") {
  const unsigned n = GENERATE(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 15u, 16u,
                              25u, 31u, 32u, 37u, 41u, 43u, 47u, 53u, 59u, 61u);
  const unsigned lanes = GENERATE(1u, 4u, 16u);
  CAPTURE(n, lanes);
  check_butterfly<float>(n, lanes, Precision::f32);
  check_butterfly<double>(n, lanes, Precision::f64);
}

TEST_CASE("a convolution in memory is the DFT of a prime number of points") {
  const unsigned n = GENERATE(37u, 41u, 43u, 47u, 53u, 59u, 61u);
  const unsigned lanes = GENERATE(1u, 4u, 16u);
  CAPTURE(n, lanes);
  check_butterfly<float>(n, lanes, Precision::f32, blocks::stored_prime_convolution);
  check_butterfly<double>(n, lanes, Precision::f64, blocks::stored_prime_convolution);
}

TEST_CASE("a butterfly of a large prime is exact to a few roundings if one point is large") {
  const unsigned n = GENERATE(37u, 41u, 43u, 47u, 53u, 59u, 61u), large = GENERATE(0u, 1u, 17u);
  CAPTURE(n, large);
  const auto kernel = kernel_of(n, 1, ir::Base::f32);
  auto data = test::random_data<float>(n, 7);
  data[large] *= 1e6f;
  Parts<float> in{std::vector<float>(n), std::vector<float>(n)};
  for (unsigned i = 0; i < n; ++i) in.re[i] = data[i].real(), in.im[i] = data[i].imag();
  const Parts<float> out = run(kernel, in);
  std::vector<std::complex<float>> results;
  for (unsigned i = 0; i < n; ++i) results.push_back({out.re[i], out.im[i]});
  const auto exact = test::naive_dft<float>(std::span(data));
  const auto error = test::relative_error<float, long double>(results, exact);
  CHECK(error < 2 * catalogue::error_bound(Precision::f32, n));  // three times is documented
}
