// This file checks what the planner chooses with the model's prediction, without a profile.
#include "plan/choice.hpp"

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

}  // namespace
}  // namespace imago
