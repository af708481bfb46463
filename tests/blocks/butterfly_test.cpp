// This file tests the Butterfly block on the host interpreter: every size that fits registers,
// scalar and in lanes, against the definition of the DFT.
#include "blocks/butterfly.hpp"

#include "catalogue/catalogue.hpp"
#include "interpreter/interpreter.hpp"
#include "ir/contract.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

using namespace imago;

namespace {

constexpr unsigned kRounds = 128;

/// Returns a kernel that transforms `n` points in each of `lanes` lanes. Point p of lane l is at p
/// * lanes + l of the real and of the imaginary array.
ir::Kernel kernel_of(unsigned n, unsigned lanes, ir::Base base) {
  ir::Builder b("butterfly", 1);
  const ir::Type real{base, 1};
  const auto in_re = b.global("in_re", real, true), in_im = b.global("in_im", real, true);
  const auto out_re = b.global("out_re", real, false), out_im = b.global("out_im", real, false);
  blocks::Points points(n);
  for (unsigned p = 0; p < n; ++p) {
    const auto at = b.integer(p * lanes);
    points[p] = {b.load(in_re, at, lanes), b.load(in_im, at, lanes)};
  }
  const auto result = blocks::butterfly(points);
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
void check_butterfly(unsigned n, unsigned lanes, Precision precision) {
  const auto kernel = kernel_of(n, lanes, sizeof(Real) == 4 ? ir::Base::f32 : ir::Base::f64);
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
  const unsigned n = GENERATE(range(2u, 17u), 22u, 25u, 26u, 28u, 30u, 32u);
  const float value = GENERATE(1.0f, 0.3f, -3.7e12f);
  CAPTURE(n, value);
  const auto kernel = ir::contract(kernel_of(n, 1, ir::Base::f32));
  const auto out = run<float>(kernel, {std::vector(n, value), std::vector(n, value / 7)});
  CHECK(out.re[0] != 0);
  for (unsigned p = 1; p < n; ++p) {
    CAPTURE(p);
    CHECK(out.re[p] == 0);
    CHECK(out.im[p] == 0);
  }
}

TEST_CASE("a butterfly is the DFT of its points") {
  const unsigned n =
      GENERATE(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 15u, 16u, 25u, 32u);
  const unsigned lanes = GENERATE(1u, 4u, 16u);
  CAPTURE(n, lanes);
  check_butterfly<float>(n, lanes, Precision::f32);
  check_butterfly<double>(n, lanes, Precision::f64);
}
