// This file tests the Twiddle block on the host interpreter: every factor is within 2 ulp of 1, for
// every source that guarantees it, compared with quadruple precision.
#include "blocks/twiddle.hpp"

#include <limits>

#include "catalogue/random.hpp"
#include "interpreter/interpreter.hpp"
#include "kernel/tables.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/quad.hpp"

using namespace imago;

namespace {

constexpr double kUlps = 2;

template <class Real>
constexpr ir::Base kBase = sizeof(Real) == 4 ? ir::Base::f32 : ir::Base::f64;

/// Returns the largest error of a part of the factor, in ulp of 1.
template <class Real>
double error(Real re, Real im, std::uint64_t phase, std::uint64_t order) {
  const auto exact = test::quad_root(phase, order);
  const auto one = [](test::Quad difference) {
    return static_cast<double>(test::absolute(difference)) / std::numeric_limits<Real>::epsilon();
  };
  return test::larger(one(re - exact.re), one(im - exact.im));
}

/// Returns the largest error of polynomial_root over `phases`, in vectors of `lanes`.
template <class Real>
double polynomial_error(std::uint64_t order, const std::vector<std::int64_t>& phases,
                        unsigned lanes) {
  const bool wide = 4 * order >= std::uint64_t{1} << 31;
  ir::Builder b("polynomial", 1);
  const auto in = b.global("phases", {ir::Base::i64, 1}, true);
  const auto re = b.global("re", {kBase<Real>, 1}, false),
             im = b.global("im", {kBase<Real>, 1}, false);
  b.loop(static_cast<std::int64_t>(phases.size() / lanes), [&](ir::Value i) {
    const auto at = i * lanes;
    auto phase = b.load(in, at, lanes);
    if (!wide) phase = b.convert(phase, {ir::Base::i32, static_cast<std::uint8_t>(lanes)});
    const auto root = blocks::polynomial_root(phase, order, {kBase<Real>, 1});
    b.store(re, at, root.re);
    b.store(im, at, root.im);
  });
  auto copy = phases;
  std::vector<Real> res(phases.size()), ims(phases.size());
  const interpreter::Binding arguments[] = {interpreter::bind(copy), interpreter::bind(res),
                                            interpreter::bind(ims)};
  interpreter::run(b.take(), 1, arguments);
  double worst = 0;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    worst =
        test::larger(worst, error(res[i], ims[i], static_cast<std::uint64_t>(phases[i]), order));
  }
  return worst;
}

/// Returns butterfly inputs of 1, which become their factors by multiplication.
blocks::Points ones(ir::Builder& b, ir::Type real, unsigned count) {
  return blocks::Points(count, {b.real(1, real), b.real(0, real)});
}

/// Returns the largest error of the factors of a pass for every k below `done`.
template <class Real>
double pass_error(unsigned radix, std::uint64_t done, Twiddles source, bool pairs) {
  kernel::Pass pass;
  pass.radix = radix;
  pass.done = done;
  pass.twiddles = source;
  kernel::Table table;
  table.precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
  table.planar = !pairs;
  table.sections = {kernel::section_of(pass, pairs)};
  const auto filled = kernel::fill(table);
  std::vector<Real> values(filled.begin(), filled.end());
  values.resize(std::max<std::size_t>(2, values.size()));  // polynomial: none

  ir::Builder b("factors", 1);
  const auto in = b.global("table", {kBase<Real>, static_cast<std::uint8_t>(pairs ? 2 : 1)}, true);
  const auto out = b.global("out", {kBase<Real>, 1}, false);
  b.loop(static_cast<std::int64_t>(done), [&](ir::Value k) {
    auto legs = ones(b, {kBase<Real>, 1}, radix);
    blocks::multiply(legs, blocks::direct_factors({&pass, in, {kBase<Real>, 1}}, {k, 0}));
    for (unsigned r = 0; r + 1 < radix; ++r) {
      const auto at = k * (2 * (radix - 1)) + 2 * r;
      b.store(out, at, legs[r + 1].re);
      b.store(out, at + 1, legs[r + 1].im);
    }
  });
  std::vector<Real> result(2 * (radix - 1) * done);
  const interpreter::Binding arguments[] = {interpreter::bind(values), interpreter::bind(result)};
  interpreter::run(b.take(), 1, arguments);
  double worst = 0;
  for (std::uint64_t k = 0; k < done; ++k) {
    for (unsigned r = 1; r < radix; ++r) {
      const std::size_t at = 2 * (k * (radix - 1) + r - 1);
      worst = test::larger(worst, error(result[at], result[at + 1], r * k, done * radix));
    }
  }
  return worst;
}

/// Returns the table of a four-step twiddle, never empty.
template <class Real>
std::vector<Real> table_of(const kernel::FourStep& twiddle) {
  const std::vector<kernel::TwiddleSection> sections = kernel::four_step_sections(twiddle);
  kernel::Table table;
  table.sections.assign(sections.begin(), sections.end());
  const auto filled = kernel::fill(table);
  std::vector<Real> values(filled.begin(), filled.end());
  values.resize(std::max<std::size_t>(2, values.size()));  // no other source has a table
  return values;
}

/// Returns the largest error of the factors between kernels: inputs q, q + stride, ... of
/// transforms with phases p.
template <class Real>
double inter_error(Twiddles source, std::uint64_t stride, unsigned count, std::int64_t phases) {
  const std::uint64_t order = stride * count * static_cast<std::uint64_t>(phases);
  const kernel::FourStep twiddle{order, source};
  auto values = table_of<Real>(twiddle);

  ir::Builder b("inter", 1);
  const auto in = b.global("table", {kBase<Real>, 2}, true);
  const auto out = b.global("out", {kBase<Real>, 1}, false);
  const auto points = static_cast<std::int64_t>(stride);
  b.loop(phases, [&](ir::Value p) {
    b.loop(points, [&](ir::Value q) {
      auto factors = ones(b, {kBase<Real>, 1}, count);
      blocks::multiply(factors, {twiddle, {p, 0}, {kBase<Real>, 1}, in}, {{q, 0}, stride});
      for (unsigned l = 0; l < count; ++l) {
        const auto at = ((p * points + q) * count + l) * 2;
        b.store(out, at, factors[l].re);
        b.store(out, at + 1, factors[l].im);
      }
    });
  });
  std::vector<Real> result(2 * order);
  const interpreter::Binding arguments[] = {interpreter::bind(values), interpreter::bind(result)};
  interpreter::run(b.take(), 1, arguments);
  double worst = 0;
  for (std::uint64_t i = 0; i < order; ++i) {
    const std::uint64_t l = i % count, q = i / count % stride, p = i / count / stride;
    worst =
        test::larger(worst, error(result[2 * i], result[2 * i + 1], (q + l * stride) * p, order));
  }
  return worst;
}

}  // namespace

TEST_CASE("the factors between kernels") {
  const unsigned count = GENERATE(2u, 3u, 5u, 8u, 13u, 16u, 32u);
  const std::uint64_t stride = GENERATE(1u, 7u, 16u);
  const auto source = GENERATE(Twiddles::polynomial, Twiddles::product, Twiddles::table);
  CAPTURE(count, stride, static_cast<int>(source));
  CHECK(inter_error<float>(source, stride, count, 33) < kUlps);
  CHECK(inter_error<double>(source, stride, count, 33) < kUlps);
}

TEST_CASE("factors from tables of orders whose phases need 64 bits, at the ends of both tables") {
  const std::uint64_t order = GENERATE(1ull << 30, 3ull << 28, 5ull * 244140625);
  const kernel::FourStep twiddle{order, Twiddles::table};
  auto values = table_of<double>(twiddle);
  const std::uint64_t unit = kernel::four_step_unit(order);
  std::vector<std::int64_t> points;
  for (const std::uint64_t phase : {std::uint64_t{0}, unit - 1, unit, order / 2, order - 1})
    points.push_back(static_cast<std::int64_t>(phase));
  ir::Builder b("inter", 1);
  const auto in = b.global("table", {kBase<double>, 2}, true);
  const auto at = b.global("points", {ir::Base::i64, 1}, true);
  const auto out = b.global("out", {kBase<double>, 1}, false);
  b.loop(static_cast<std::int64_t>(points.size()), [&](ir::Value i) {
    auto factors = ones(b, {kBase<double>, 1}, 1);
    blocks::multiply(factors, {twiddle, {b.integer(1), 0}, {kBase<double>, 1}, in},
                     {{b.load(at, i), 0}, 1});
    b.store(out, i * 2, factors[0].re);
    b.store(out, i * 2 + 1, factors[0].im);
  });
  std::vector<double> result(2 * points.size());
  const interpreter::Binding arguments[] = {interpreter::bind(values), interpreter::bind(points),
                                            interpreter::bind(result)};
  interpreter::run(b.take(), 1, arguments);
  for (std::size_t i = 0; i < points.size(); ++i) {
    CAPTURE(order, points[i]);
    CHECK(error(result[2 * i], result[2 * i + 1], static_cast<std::uint64_t>(points[i]), order) <
          kUlps);
  }
}

TEST_CASE("polynomial roots of small orders, every phase") {
  for (const std::uint64_t order :
       {1ull, 2ull, 3ull, 4ull, 5ull, 8ull, 12ull, 63ull, 360ull, 1024ull, 5005ull}) {
    std::vector<std::int64_t> phases;
    for (std::uint64_t phase = 0; phase < order; ++phase)
      phases.push_back(static_cast<std::int64_t>(phase));
    CAPTURE(order);
    CHECK(polynomial_error<float>(order, phases, 1) < kUlps);
    CHECK(polynomial_error<double>(order, phases, 1) < kUlps);
  }
}

TEST_CASE(
    "polynomial roots of large orders, random phases and the neighbours of quarters, in lanes") {
  const std::uint64_t order = GENERATE(1ull << 20, 1ull << 26, 3ull << 28, 4826809ull, 1ull << 34);
  catalogue::Random random(order);
  std::vector<std::int64_t> phases;
  for (std::uint64_t eighth = 0; eighth < 8; ++eighth) {
    for (std::uint64_t step = 0; step < 4; ++step) {
      phases.push_back(static_cast<std::int64_t>((eighth * (order / 8) + step) % order));
    }
  }
  while (phases.size() < 4096) phases.push_back(static_cast<std::int64_t>(random.below(order)));
  CAPTURE(order);
  CHECK(polynomial_error<float>(order, phases, 16) < kUlps);
  CHECK(polynomial_error<double>(order, phases, 8) < kUlps);
}

TEST_CASE("the factors of a pass") {
  const unsigned radix = GENERATE(2u, 3u, 4u, 5u, 7u, 8u, 9u, 11u, 13u, 16u, 32u);
  const std::uint64_t done = GENERATE(2u, 15u, 64u, 256u);
  const auto source = GENERATE(Twiddles::table, Twiddles::product, Twiddles::polynomial);
  const bool pairs = GENERATE(false, true);
  CAPTURE(radix, done, static_cast<int>(source), pairs);
  CHECK(pass_error<float>(radix, done, source, pairs) < kUlps);
  CHECK(pass_error<double>(radix, done, source, pairs) < kUlps);
}
