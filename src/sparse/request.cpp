// This file checks a SparseTransform.
#include "sparse/request.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/errors.hpp"

namespace imago::sparse {
namespace {

// Limits of the residual. An f32 sum of 1000 tones is exact to a few 1e-7. A missing tone of the
// amplitude a leaves a residual of a / sqrt(k) beside k tones of the amplitude 1: in f32, one of a
// thousandth is noticed among up to 100 tones, one of a hundredth among up to 10 000.
constexpr double kToleranceF32 = 1e-4, kToleranceF64 = 1e-7;
constexpr double kToleranceOfNoise = 1.15;  // for a sample of a few hundred places

void check_share(const char* field, double value) {
  if (!(value >= 0 && value < 1)) base::invalid(field, value, "it must be from 0 to below 1");
}

void check(const SparseTransform& t) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max() / 16;
  if (t.length == 0) base::invalid("length", 0, "it must be at least 1");
  if (t.length > kMost) base::invalid("length", t.length, "it must fit 64-bit addresses");
  if (t.kind != Kind::complex && t.kind != Kind::real)
    base::invalid("kind", "neither complex nor real", "it must be Kind::complex or Kind::real");
  if (t.precision == Precision::f16)
    base::unsupported("sparse transforms have no half precision", "use Precision::f32 or f64");
  check_share("tolerance", t.tolerance);
  check_share("noise", t.noise);
}

}  // namespace

Request make_request(const SparseTransform& t) {
  check(t);
  Request request;
  request.length = t.length;
  request.real = t.kind == Kind::real;
  if (t.sparsity > request.listed())
    base::invalid(
        "sparsity", t.sparsity,
        "it must be at most the length of the spectrum, " + std::to_string(request.listed()));
  request.tones = request.real ? std::min<std::uint64_t>(2 * t.sparsity, t.length) : t.sparsity;
  request.precision = t.precision;
  request.method = t.method;
  request.allow_dense = t.allow_dense;
  const double by_precision = t.precision == Precision::f64 ? kToleranceF64 : kToleranceF32;
  request.tolerance =
      t.tolerance > 0 ? t.tolerance : std::max(by_precision, kToleranceOfNoise * t.noise);
  request.noise = t.noise;
  request.assurance = t.assurance;
  return request;
}

}  // namespace imago::sparse
