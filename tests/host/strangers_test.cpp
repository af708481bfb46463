// This file checks that lines of one call are independent, for each interface for host arrays.
// Lines differ in size by 10^6 (f32) or 10^12 (f64), and some hold NaN or infinity.
#include <imago/imago.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/random.hpp"
#include "host/support.hpp"
#include "problem/kinds.hpp"
#include "problem/reference.hpp"
#include "support/catch.hpp"
#include "support/small.hpp"

namespace imago {
namespace {

constexpr Kind kCosines[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                             Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

/// Lines of one length, each a row or a column.
struct Lines {
  std::size_t count = 2, length = 8;
  bool columns = false;

  std::size_t at(std::size_t line, std::size_t i) const {
    return columns ? i * count + line : line * length + i;
  }
  std::vector<std::size_t> shape() const {
    return columns ? std::vector{length, count} : std::vector{count, length};
  }
  int axis() const { return columns ? 0 : 1; }
};

template <class Real>
using Compute = std::function<std::vector<Real>(const std::vector<Real>&)>;

template <class Real>
std::vector<Real> signal_of(const Lines& lines) {
  constexpr Precision kPrecision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
  catalogue::Random random(lines.length);
  std::vector<Real> x(lines.count * lines.length);
  for (std::size_t line = 0; line < lines.count; ++line) {
    const int size = catalogue::exponent_of(line, kPrecision);
    for (std::size_t i = 0; i < lines.length; ++i)
      x[lines.at(line, i)] = static_cast<Real>(std::ldexp(random.uniform(), size));
  }
  return x;
}

/// Compares each finite line with a transform on the host.
template <class Real>
void compare(Kind kind, const Lines& lines, const std::vector<Real>& x,
             const std::vector<Real>& found) {
  REQUIRE(found.size() == x.size());
  for (std::size_t line = 0; line < lines.count; ++line) {
    CAPTURE(static_cast<int>(kind), lines.count, lines.length, lines.columns, line, sizeof(Real));
    std::vector<std::complex<double>> input(lines.length);
    for (std::size_t i = 0; i < lines.length; ++i) input[i] = x[lines.at(line, i)];
    const auto wanted = problem::reference(kind, {lines.length}, input);
    bool finite = true;
    double error = 0, norm = 0;
    for (std::size_t k = 0; k < lines.length; ++k) {
      const double value = found[lines.at(line, k)];
      finite = finite && std::isfinite(value);
      error += std::norm(value - wanted[k].real()), norm += std::norm(wanted[k]);
    }
    if (!std::isfinite(norm)) {
      CHECK(!finite);
      continue;
    }
    const auto points = problem::logical_length(kind, lines.length);
    // The host's reference has roundings of double precision.
    const double reference = sizeof(Real) == 4 ? 0 : 1e-15;
    CHECK(std::sqrt(error / norm) <
          reference + 2 * catalogue::error_bound(
                              sizeof(Real) == 4 ? Precision::f32 : Precision::f64, points));
  }
}

template <class Real>
void check(Kind kind, const Lines& lines, const Compute<Real>& compute) {
  auto x = signal_of<Real>(lines);
  compare(kind, lines, x, compute(x));
  x[lines.at(1, 3)] = std::numeric_limits<Real>::quiet_NaN();
  if (lines.count > 3) x[lines.at(3, 0)] = std::numeric_limits<Real>::infinity();
  compare(kind, lines, x, compute(x));
}

Transform transform_of(Kind kind, const Lines& lines, Precision precision) {
  Transform transform{.kind = kind, .precision = precision, .directions = Directions::forward};
  transform.lengths = {lines.length};
  transform.batch = lines.count;
  if (lines.columns)
    transform.signal = transform.spectrum = {.strides = {lines.count}, .distance = 1};
  return transform;
}

template <class Real>
void check_functions(Kind kind, const Lines& lines) {
  const auto type = static_cast<int>(kind) - static_cast<int>(Kind::dct1);
  const DctOptions options{
      .type = type % 4 + 1, .shape = lines.shape(), .axes = {lines.axis()}, .norm = Norm::backward};
  check<Real>(kind, lines, [&](const std::vector<Real>& x) {
    return type < 4 ? dct(x, options) : dst(x, options);
  });
}

template <class Real>
void check_host_plans(Kind kind, const Lines& lines, const Pool& pool, const HostOptions& options) {
  const auto precision = sizeof(Real) == 4 ? Precision::f32 : Precision::f64;
  const HostPlan plan(pool, transform_of(kind, lines, precision), options);
  check<Real>(kind, lines, [&](const std::vector<Real>& x) {
    std::vector<Real> y(x.size());
    plan.forward(x, y);
    return y;
  });
}

template <class Real>
void check_c(Kind kind, const Lines& lines) {
  imago_transform transform = imago_transform_of(1, &lines.length);
  const auto of_c = static_cast<imago_kind>(kind);
  transform.axes = &of_c;
  transform.batch = lines.count;
  transform.precision = sizeof(Real) == 4 ? IMAGO_F32 : IMAGO_F64;
  imago_plan* made = nullptr;
  REQUIRE(imago_plan_create(&transform, nullptr, &made) == IMAGO_SUCCESS);
  const std::unique_ptr<imago_plan, void (*)(imago_plan*)> plan(made, imago_plan_destroy);
  check<Real>(kind, lines, [&](const std::vector<Real>& x) {
    std::vector<Real> y(x.size());
    CHECK(imago_execute_forward(plan.get(), x.data(), y.data()) == IMAGO_SUCCESS);
    return y;
  });
}

const Lines kLines[] = {{2, 8}, {5, 15}, {4, 16, true}};

TEST_CASE("lines of dct() and dst() keep to themselves", "[host][strangers]") {
  const test::SmallTransforms small(GENERATE(false, true));
  for (const Kind kind : kCosines)
    for (const Lines& lines : kLines) check_functions<float>(kind, lines);
  for (const Kind kind : {Kind::dct2, Kind::dst1}) check_functions<double>(kind, kLines[1]);
}

TEST_CASE("members of HostPlans keep to themselves, in copies and in pieces too",
          "[host][strangers]") {
  const test::SmallTransforms small(GENERATE(false, true));
  const auto& device = test::default_device();
  for (const bool copies : {false, true}) {
    const Pool pool(device.context, device.device, {.copies = copies});
    for (const Kind kind : {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dst4}) {
      check_host_plans<float>(kind, kLines[1], pool, {});
      check_host_plans<double>(kind, kLines[2], pool, {});
    }
    check_host_plans<float>(Kind::dct2, {40, 31}, pool,
                            {.memory_limit = 7 * 2 * 31 * sizeof(float)});
  }
}

TEST_CASE("members of plans of two devices keep to themselves", "[host][strangers]") {
  const Pool pool(test::two_or_more());
  for (const Kind kind : {Kind::dct2, Kind::dst3})
    check_host_plans<float>(kind, {41, 16}, pool, {});
}

TEST_CASE("members of plans of C keep to themselves", "[host][strangers][c]") {
  const test::SmallTransforms small(GENERATE(false, true));
  for (const Kind kind : {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dst2}) {
    check_c<float>(kind, kLines[0]);
    check_c<double>(kind, kLines[1]);
  }
}

TEST_CASE("members of deterministic HostPlans keep to themselves", "[host][strangers]") {
  const auto& device = test::default_device();
  const Pool pool(device.context, device.device);
  for (const Kind kind : kCosines)
    check_host_plans<float>(kind, kLines[1], pool, {.plan = {.deterministic = true}});
}

}  // namespace
}  // namespace imago
