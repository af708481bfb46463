// This file tests twiddle tables: their values against quadruple precision, their layout, and that
// a table of a few factors is enough to make the others with one product each.
#include "plan/tables.hpp"

#include <algorithm>
#include <cmath>

#include "support/catch.hpp"
#include "support/quad.hpp"

using namespace imago;
using namespace imago::plan;

namespace {

void check_value(double value, test::Quad exact) {
  const double ulp = std::nextafter(std::abs(value), 2.0) - std::abs(value);
  REQUIRE(static_cast<double>(test::absolute(value - exact)) <= std::max(0.501 * ulp, 1e-300));
}

Table two_sections(bool planar) {
  Table table;
  table.planar = planar;
  table.sections = {{48, 6, {1, 2, 3, 7}, true}, {1000, 25, {1, 39}, false}};
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
  for (const auto& section : table.sections) {
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
  const auto section = section_of(pass, Mapping::work_group);
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
  CHECK(section_of(pass, Mapping::vector).exponents.empty());
  pass.done = 64;
  for (const auto source : {Twiddles::polynomial, Twiddles::native}) {
    pass.twiddles = source;
    CHECK(section_of(pass, Mapping::vector).exponents.empty());
  }
}
