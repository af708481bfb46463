// This file runs the CI tier on the device. Its two halves are separate tests, so that two
// processes share the compilation of kernels.
#include "catalogue/catalogue.hpp"
#include "runtime/facts.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;

namespace {

constexpr std::uint64_t kSeed = 20250;

/// Runs one of two halves. Neighbouring cases share kernels, so a half is made of whole runs of
/// them.
void run_half(bool second) {
  const auto& device = test::default_device();
  const auto all =
      catalogue::cases(catalogue::Tier::ci, kSeed, runtime::reported_facts(device.device()));
  catalogue::Verifier verifier(device.context, device.device);
  std::size_t passed = 0, run = 0;
  bool mine = second;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool next =
        i == 0 || all[i].length != all[i - 1].length || all[i].direction != all[i - 1].direction;
    if (next) mine = !mine;
    if (!mine) continue;
    const auto outcome = verifier.verify(all[i]);
    ++run;
    passed += outcome.passed ? 1 : 0;
    INFO(all[i].name() << ": " << outcome.detail);
    CHECK((outcome.passed || outcome.skipped));
  }
  CHECK(passed > run * 9 / 10);  // a device that skips nearly all has tested nothing
}

}  // namespace

TEST_CASE("CI tier, first half", "[.][ci1]") { run_half(false); }
TEST_CASE("CI tier, second half", "[.][ci2]") { run_half(true); }
