// This file tests twiddle tables: their values against quadruple precision, their layout, and that
// each other factor is one product of factors in a small table.
#include "kernel/tables.hpp"

#include <algorithm>
#include <cmath>

#include "base/fft.hpp"
#include "base/integers.hpp"
#include "base/roots.hpp"
#include "plan/convolution_lengths.hpp"
#include "support/catch.hpp"
#include "support/quad.hpp"

using namespace imago;
using namespace imago::kernel;

namespace {

void check_value(double value, test::Quad exact) {
  const double ulp = std::nextafter(std::abs(value), 2.0) - std::abs(value);
  REQUIRE(static_cast<double>(test::absolute(value - exact)) <= std::max(0.501 * ulp, 1e-300));
}

Table two_sections(bool planar) {
  Table table;
  table.planar = planar;
  table.sections = {TwiddleSection{48, 6, {1, 2, 3, 7}, true},
                    TwiddleSection{1000, 25, {1, 39}, false}};
  return table;
}

}  // namespace

TEST_CASE("tables hold every factor where their description says") {
  const bool planar = GENERATE(false, true);
  const Table table = two_sections(planar);
  const auto values = fill(table);
  REQUIRE(values.size() == table.values());
  REQUIRE(values.size() == 2 * (6 * 4 + 25 * 2));
  std::size_t start = 0;
  for (const auto& any : table.sections) {
    const auto& section = std::get<TwiddleSection>(any);
    const std::size_t exponents = section.exponents.size(), entries = section.count * exponents;
    for (std::size_t e = 0; e < exponents; ++e) {
      for (std::size_t k = 0; k < section.count; ++k) {
        const std::size_t entry = section.k_fastest ? e * section.count + k : k * exponents + e;
        const auto exact = test::quad_root(section.exponents[e] * k, section.order);
        check_value(values[start + (planar ? entry : 2 * entry)], exact.re);
        check_value(values[start + (planar ? entries + entry : 2 * entry + 1)], exact.im);
      }
    }
    start += 2 * entries;
  }
}

TEST_CASE("a table's bytes follow its precision") {
  Table table = two_sections(false);
  CHECK(table.bytes() == 4 * table.values());
  table.precision = Precision::f64;
  CHECK(table.bytes() == 8 * table.values());
}

TEST_CASE("a pass's section has every factor, or those whose products of two give every factor") {
  const unsigned radix = GENERATE(2u, 3u, 4u, 5u, 7u, 8u, 9u, 11u, 13u, 16u, 32u);
  const auto source = GENERATE(Twiddles::table, Twiddles::product);
  CAPTURE(radix, static_cast<int>(source));
  Pass pass;
  pass.radix = radix;
  pass.done = 10;
  pass.twiddles = source;
  const auto section = section_of(pass, true);
  CHECK(section.order == 10 * radix);
  CHECK(section.count == 10);
  const auto& have = section.exponents;
  const auto has = [&](unsigned e) { return std::find(have.begin(), have.end(), e) != have.end(); };
  if (source == Twiddles::table) CHECK(have.size() == radix - 1);
  for (unsigned r = 1; r < radix; ++r) {
    const bool product =
        std::any_of(have.begin(), have.end(), [&](unsigned e) { return e < r && has(r - e); });
    CHECK((has(r) || (source == Twiddles::product && product)));
  }
}

TEST_CASE("no table where no factor is needed or none is read") {
  Pass pass;
  pass.radix = 8;
  CHECK(section_of(pass, false).exponents.empty());
  pass.done = 64;
  for (const auto source : {Twiddles::polynomial, Twiddles::native}) {
    pass.twiddles = source;
    CHECK(section_of(pass, false).exponents.empty());
  }
}

TEST_CASE("a chirp is exact where j^2 leaves 64 bits") {
  const std::uint64_t n = GENERATE(1, 7, 64, 99991);
  const auto values = fill({Precision::f64, false, {ChirpSection{n}}});
  REQUIRE(values.size() == 2 * n);
  for (std::uint64_t j = 0; j < n; j += 1 + n / 50) {
    const auto exact = test::quad_root(j * j % (2 * n), 2 * n);
    check_value(values[2 * j], exact.re);
    check_value(values[2 * j + 1], exact.im);
  }
  // (n-1)^2 = n^2 - 2n + 1 has the phase n^2 + 1 modulo 2n.
  const std::uint64_t large = (std::uint64_t{1} << 40) + 1;
  CHECK(base::multiply_modulo(large - 1, large - 1, 2 * large) == large + 1);
}

TEST_CASE("Rader's order and spectrum are those of its convolution") {
  const std::uint64_t p = GENERATE(3, 5, 17, 101);
  const std::uint64_t length = GENERATE(0, 1) == 0 ? p - 1 : 2 * p;
  const auto order = fill({Precision::f64, true, {OrderSection{p, length}}});
  const std::uint64_t g = base::primitive_root(p);
  for (std::uint64_t e = 0; e < p - 1; ++e) {
    const auto in = static_cast<std::uint64_t>(order[e]);
    const auto out = static_cast<std::uint64_t>(order[length + e]);
    CHECK(base::power_modulo(g, in, p) == e + 1);
    CHECK(base::multiply_modulo(base::power_modulo(g, out, p), e + 1, p) == 1);
  }
  for (std::uint64_t e = p - 1; e < length; ++e) CHECK(order[e] == static_cast<double>(e));
  // An impulse at element 1, place 0, has the roots of unity as its DFT.
  const auto spectrum = fill({Precision::f64, false, {SpectrumSection{RaderOrder{p}, length}}});
  std::vector<std::complex<double>> product(length);
  for (std::uint64_t k = 0; k < length; ++k)
    product[k] = std::conj(std::complex(spectrum[2 * k], spectrum[2 * k + 1]));
  const auto result = base::dft(product);  // the DFT of the conjugate is the inverse
  for (std::uint64_t e = 0; e < p - 1; ++e) {
    const auto place = static_cast<std::uint64_t>(order[length + e]);
    CHECK(std::abs(std::conj(result[place]) - base::root_of_unity(e + 1, p)) < 1e-14);
  }
}

TEST_CASE("Bluestein's spectrum is that of the conjugate chirp") {
  const std::uint64_t n = GENERATE(2, 7, 30), length = GENERATE(60, 64);
  const auto values = fill({Precision::f64, false, {SpectrumSection{Chirp{n}, length}}});
  std::vector<std::complex<double>> spectrum(length);
  for (std::uint64_t k = 0; k < length; ++k)
    spectrum[k] = std::conj(std::complex(values[2 * k], values[2 * k + 1]));
  const auto kernel = base::dft(spectrum);
  for (std::uint64_t j = 0; j < n; ++j) {
    const auto chirp = base::root_of_unity(j * j % (2 * n), 2 * n);
    CHECK(std::abs(kernel[j] - chirp) < 1e-14);
    CHECK(std::abs(kernel[(length - j) % length] - chirp) < 1e-14);
  }
}

TEST_CASE("lengths of convolutions are smooth, long enough and less than twice as long") {
  for (const std::uint64_t least : {3, 73, 2047, 131073}) {
    const auto lengths = plan::convolution_lengths(least);
    REQUIRE_FALSE(lengths.empty());
    for (const auto length : lengths) {
      CHECK(length >= least);
      CHECK(length < 2 * least);
      CHECK(base::largest_prime_factor(length) <= 13);
    }
    CHECK(std::count_if(lengths.begin(), lengths.end(), base::is_power_of_two) == 1);
  }
}
