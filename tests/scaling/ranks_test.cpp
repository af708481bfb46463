// This file compares the prediction for several ranks with numbers computed by hand.
#include "support/catch.hpp"

#include <cmath>

#include "scaling/ranks.hpp"

namespace imago::scaling {
namespace {

// H200: 4197 GB/s, measured; the others are assumed.
constexpr RankRates kCluster{.memory = 4197e9, .link = 50e9, .network = 25e9};
const SpreadArray kCube{.lengths = {1024, 1024, 1024}};

RankCost of(const SpreadArray& array, std::size_t ranks, Decomposition decomposition,
            Residence residence = Residence::host, const RankRates& rates = kCluster) {
  const auto cost = predict(array, ranks, decomposition, residence, rates);
  REQUIRE(cost);
  return *cost;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

TEST_CASE("slabs of a cube on four ranks, by hand") {
  const double part = 8 * std::pow(1024.0, 3) / 4;
  const RankCost host = of(kCube, 4, Decomposition::slabs);
  CHECK(near(host.part_bytes, part));
  CHECK(near(host.memory, 6 * part / 4197e9));
  CHECK(near(host.link, 4 * part / 50e9));
  CHECK(near(host.network, part * 3 / 4 / 25e9));
  CHECK(host.one_by_one() == test::Approx(0.239).epsilon(0.005));
  CHECK(near(host.overlapped(), host.link));
  const RankCost resident = of(kCube, 4, Decomposition::slabs, Residence::device);
  CHECK(near(resident.link, 2 * part / 50e9));
  CHECK(resident.one_by_one() == test::Approx(0.153).epsilon(0.005));
}

TEST_CASE("pencils exchange twice, among fewer ranks each") {
  const RankCost pencils = of(kCube, 16, Decomposition::pencils);
  const double part = 8 * std::pow(1024.0, 3) / 16;
  CHECK(pencils.grid == std::array<std::size_t, 2>{4, 4});
  CHECK(near(pencils.link, 6 * part / 50e9));
  CHECK(near(pencils.network, 2 * part * 3 / 4 / 25e9));
  CHECK(near(of(kCube, 16, Decomposition::pencils, Residence::device).link, 4 * part / 50e9));
  CHECK(of(kCube, 12, Decomposition::pencils).grid == std::array<std::size_t, 2>{3, 4});
}

TEST_CASE("messages cost, and pencils have fewer of them") {
  RankRates slow = kCluster;
  slow.message = 1e-3;
  const auto more = [&](Decomposition decomposition) {
    return of(kCube, 64, decomposition, Residence::host, slow).network -
           of(kCube, 64, decomposition).network;
  };
  CHECK(more(Decomposition::slabs) == test::Approx(63e-3));
  CHECK(more(Decomposition::pencils) == test::Approx(14e-3));
}

TEST_CASE("one rank sends nothing, and a device in host memory copies nothing") {
  CHECK(of(kCube, 1, Decomposition::slabs).network == 0);
  RankRates cpu = kCluster;
  cpu.link = 0;
  CHECK(of(kCube, 4, Decomposition::slabs, Residence::host, cpu).link == 0);
}

TEST_CASE("lengths that ranks do not divide: the largest part counts") {
  const SpreadArray odd{.lengths = {10, 8, 6}};
  CHECK(near(of(odd, 4, Decomposition::slabs).part_bytes, 8.0 * 3 * 8 * 6));
  CHECK(near(of(odd, 6, Decomposition::pencils).part_bytes, 8.0 * 5 * 3 * 6));
}

TEST_CASE("reals: half the spectrum is exchanged") {
  const SpreadArray real{.lengths = {8, 8, 8}, .real = true};
  CHECK(near(of(real, 2, Decomposition::slabs).part_bytes, 8.0 * 4 * 8 * 5));
}

TEST_CASE("more ranks than the shared lengths have: no such decomposition") {
  const auto fits = [](const SpreadArray& array, std::size_t ranks, Decomposition decomposition) {
    return predict(array, ranks, decomposition, Residence::host, kCluster).has_value();
  };
  const SpreadArray cube{.lengths = {4, 8, 8}};
  CHECK(fits(cube, 4, Decomposition::slabs));
  CHECK_FALSE(fits(cube, 5, Decomposition::slabs));
  CHECK(fits(cube, 32, Decomposition::pencils));
  CHECK_FALSE(fits(cube, 64, Decomposition::pencils));
  CHECK_FALSE(fits(cube, 31, Decomposition::pencils));
  CHECK_FALSE(fits({.lengths = {64, 64}}, 4, Decomposition::pencils));
}

}  // namespace
}  // namespace imago::scaling
