// This file checks the valid fields of a SparseTransform, and their defaults.
#include "sparse/request.hpp"

#include <limits>

#include <imago/error.hpp>

#include "support/catch.hpp"
#include "support/message.hpp"

namespace imago {
namespace {

SparseTransform wish() {
  SparseTransform t;
  t.length = 4096;
  return t;
}

std::string refusal(const SparseTransform& t) {
  return test::message_of([&] { sparse::make_request(t); });
}

TEST_CASE("A sparse transform's mistakes are named with field and value", "[sparse]") {
  auto t = wish();
  t.length = 0;
  CHECK(refusal(t) == "length is 0; it must be at least 1");
  t.length = std::numeric_limits<std::size_t>::max();
  CHECK_THAT(refusal(t), test::ContainsSubstring("64-bit addresses"));
  t = wish();
  t.sparsity = 4097;
  CHECK(refusal(t) == "sparsity is 4097; it must be at most the length of the spectrum, 4096");
  t.kind = Kind::real;
  t.sparsity = 2050;
  CHECK(refusal(t) == "sparsity is 2050; it must be at most the length of the spectrum, 2049");
  t = wish();
  t.kind = Kind::dct2;
  CHECK_THAT(refusal(t), test::ContainsSubstring("Kind::complex or Kind::real"));
  t = wish();
  t.precision = Precision::f16;
  CHECK_THROWS_AS(sparse::make_request(t), Unsupported);
  for (const double wrong : {-1e-9, 1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    t = wish();
    t.tolerance = wrong;
    CHECK_THAT(refusal(t), test::ContainsSubstring("tolerance is "));
    t = wish();
    t.noise = wrong;
    CHECK_THAT(refusal(t), test::ContainsSubstring("noise is "));
  }
}

TEST_CASE("The tolerance follows the precision and the noise", "[sparse]") {
  auto t = wish();
  CHECK(sparse::make_request(t).tolerance == 1e-4);
  t.precision = Precision::f64;
  CHECK(sparse::make_request(t).tolerance == 1e-7);
  t.noise = 0.1;
  CHECK(sparse::make_request(t).tolerance == test::Approx(0.115));
  t.tolerance = 0.01;
  CHECK(sparse::make_request(t).tolerance == 0.01);
}

TEST_CASE("A real signal's coefficients are twice as many tones", "[sparse]") {
  auto t = wish();
  t.kind = Kind::real;
  t.sparsity = 10;
  const auto request = sparse::make_request(t);
  CHECK(request.tones == 20);
  CHECK(request.listed() == 2049);
  CHECK(request.signal_bytes() == 4096 * 4);
}

}  // namespace
}  // namespace imago
