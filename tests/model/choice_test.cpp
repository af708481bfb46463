// This file checks the planner's choice by the model's prediction, without a profile.
#include "plan/choice.hpp"
#include "plan/make_program.hpp"
#include "plan/shortlist.hpp"

#include <algorithm>
#include <set>

#include "support/catch.hpp"

#include "support.hpp"

namespace imago {
namespace {

unsigned chosen_tiles(std::uint64_t length, std::uint64_t batch) {
  auto facts = test::wide_cpu();
  facts.rates.launch_seconds = 1e-6;
  return plan::choose(test::request_of(length, batch), facts, model::seconds).kernels[0].columns;
}

TEST_CASE("a CPU's work-item walks over several tiles where every core has some") {
  CHECK(chosen_tiles(128, 1 << 13) == 8);
  CHECK(chosen_tiles(512, 1 << 11) == 8);
  CHECK(chosen_tiles(1024, 1 << 10) == 4);
  CHECK(chosen_tiles(4096, 1 << 8) == 2);
  CHECK(chosen_tiles(512, 32) <= 2);  // 16 cores
  CHECK(chosen_tiles(512, 16) == 1);
}

unsigned group_size(const KernelParameters& kernel) { return kernel.items * kernel.columns; }

TEST_CASE("Small work may have kernels with work-groups of one size") {
  const auto facts = test::h200();
  for (const std::uint64_t length : {1u << 10, 1u << 16, 1u << 20, 3600u, 100000u}) {
    const auto request = test::request_of(length, 1);
    std::set<unsigned> sizes;
    for (const Parameters& p : plan::shortlist(request, facts)) {
      CHECK(plan::complete(request, facts, p) == p);
      const bool same = std::all_of(p.kernels.begin(), p.kernels.end(), [&](const auto& kernel) {
        return group_size(kernel) == group_size(p.kernels[0]);
      });
      if (same) sizes.insert(group_size(p.kernels[0]));
    }
    INFO(length);
    if ((length & (length - 1)) == 0)
      for (const unsigned size : {128, 256, 512}) CHECK(sizes.count(size) == 1);
    else
      CHECK(!sizes.empty());
  }
  // For batches that fill the device, fewer candidates are compared.
  CHECK(plan::shortlist(test::request_of(1 << 16, 1), facts).size() >
        plan::shortlist(test::request_of(1 << 16, 512), facts).size());
}

// A real line of 256 points is computed as 128 complex ones (72 us on an H200; 82 as 8.16).
TEST_CASE("Full loads have variations whose passes leave no work-item idle") {
  auto request = test::request_of(128, 131072);
  const auto is_busy = [](const Parameters& p) {
    const KernelParameters& kernel = p.kernels[0];
    return kernel.items == 16 && std::all_of(kernel.radices.begin(), kernel.radices.end(),
                                             [](unsigned radix) { return radix <= 8; });
  };
  const auto full = plan::shortlist(request, test::h200());
  CHECK(std::any_of(full.begin(), full.end(), is_busy));
  CHECK(std::any_of(full.begin(), full.end(), [&](const Parameters& p) {
    return is_busy(p) && group_size(p.kernels[0]) == 32;
  }));
}

// When each round could double the work-items, 4 points took 432 instructions a point on an MI210
// instead of 41, and 512 points 490 on an Iris Xe instead of 104, by their compilers.
TEST_CASE("Rounds of variations add no idle work-items") {
  for (const std::uint64_t length : {4, 16, 32, 96, 512, 4096}) {
    const auto request = test::request_of(length, (1 << 25) / length);
    const auto chosen = plan::choose(request, test::h200(), model::seconds).kernels[0];
    const auto few = *std::min_element(chosen.radices.begin(), chosen.radices.end());
    INFO(length << " points, " << chosen.items << " work-items");
    CHECK(chosen.items <= std::max<std::uint64_t>(1, length / few));
    const Parameters complete = plan::complete(request, test::h200(), {});
    for (const Parameters& other : plan::shortlist_around(request, test::h200(), complete)) {
      CHECK(other.kernels[0].items == complete.kernels[0].items);
      CHECK(other.kernels[0].radices == complete.kernels[0].radices);
    }
  }
}

TEST_CASE("Segments that begin within a sector want more columns") {
  // The second kernels store columns 625 and 512 points apart. On an H200 the first plan takes 400
  // us with 8 columns, 353 with 16 and 317 with 32.
  const auto in_place = [](std::uint64_t length) {
    auto request = test::request_of(length, (1 << 25) / length);
    request.placement = Placement::in_place;
    request.out.memory = request.in.memory;
    return request;
  };
  const auto seconds = [&](std::uint64_t length, unsigned columns) {
    const auto request = in_place(length);
    Parameters p;
    p.algorithm = Algorithm::hierarchy;
    p.kernels = {{.length = length / 480},
                 {.length = 480, .radices = {20, 24}, .items = 24, .columns = columns}};
    const auto complete = plan::complete(request, test::h200(), p);
    return model::seconds(plan::make_program(request, test::h200(), complete), test::h200());
  };
  CHECK(seconds(300000, 8) > 1.05 * seconds(300000, 32));
  CHECK(seconds(300000, 8) / seconds(300000, 32) > 1.05 * seconds(245760, 8) / seconds(245760, 32));
  CHECK(plan::choose(in_place(300000), test::h200(), model::seconds).kernels[1].columns == 32);
}

TEST_CASE("Long chains of instructions count where nothing hides them") {
  const auto seconds = [](std::uint64_t batch, unsigned items) {
    const auto request = test::request_of(256, batch);
    Parameters p;
    p.kernels = {{.length = 256, .radices = {4, 4, 4, 4}, .items = items, .columns = 1}};
    const auto complete = plan::complete(request, test::h200(), p);
    return model::seconds(plan::make_program(request, test::h200(), complete), test::h200());
  };
  CHECK(seconds(1, 8) > seconds(1, 64));  // candidates like these: 6.7 and 5.6 us
  CHECK(seconds(1, 4) > seconds(1, 8));
}

bool offers(std::uint64_t length, Algorithm algorithm) {
  const auto candidates = plan::shortlist(test::request_of(length, 4096), test::h200());
  return std::any_of(candidates.begin(), candidates.end(),
                     [&](const Parameters& p) { return p.algorithm == algorithm; });
}

TEST_CASE("GPUs ask for no other convolution where p - 1 has small factors") {
  for (const std::uint64_t prime : {1009, 8191}) {
    CHECK(offers(prime, Algorithm::rader));
    CHECK_FALSE(offers(prime, Algorithm::bluestein));
  }
  CHECK(offers(59, Algorithm::rader));  // 58 = 2 * 29
  CHECK(offers(59, Algorithm::bluestein));
}

TEST_CASE("tiles of mirrored columns are not halved") {
  auto request = test::request_of(32768, 512);
  request.in.elements = kernel::Elements::pairs, request.out.edge = kernel::FoldedSpectrum{};
  request.in.stride = 2, request.in.distance = 65536, request.out.distance = 32769;
  const auto candidates = plan::shortlist(request, test::h200());
  const auto& defaults = candidates[0].kernels;
  REQUIRE(request.mirror(candidates[0], 1) == kernel::Mirror::points);
  bool first_is_halved = false;
  for (const Parameters& p : candidates) {
    if (p.kernels.size() != 2 || p.kernels[1].length != defaults[1].length ||
        p.kernels[1].items != defaults[1].items)
      continue;
    first_is_halved |= p.kernels[0].columns < defaults[0].columns;
    CHECK(p.kernels[1].columns >= defaults[1].columns);
  }
  CHECK(first_is_halved);
}

TEST_CASE("two long convolutions share a group, their largest radix first") {
  Parameters wish;
  wish.algorithm = Algorithm::rader;
  const auto kernel = plan::complete(test::request_of(8191, 4096), test::h200(), wish).kernels[0];
  CHECK(kernel.columns == 2);
  CHECK(kernel.exchange == Exchange::interleaved);
  CHECK(std::is_sorted(kernel.radices.rbegin(), kernel.radices.rend()));
  CHECK(kernel.radices.front() <= 24);
}

}  // namespace
}  // namespace imago
