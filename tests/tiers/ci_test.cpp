// This file runs the CI tier on the device. Its two halves are separate tests, so that two
// processes share the compilation of kernels.
#include <map>

#include "base/integers.hpp"
#include "catalogue/catalogue.hpp"
#include "runtime/facts.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;

namespace {

constexpr std::uint64_t kSeed = 20250;

/// Runs one of two halves. Adjacent cases share kernels, so such runs of cases are not divided.
void run_half(bool second) {
  using catalogue::Verdict;
  const auto& device = test::default_device();
  const auto all =
      catalogue::cases(catalogue::Tier::ci, kSeed, runtime::reported_facts(device.device()));
  catalogue::Verifier verifier(device.context, device.device);
  std::map<Verdict, std::size_t> counts;
  bool mine = second;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool next =
        i == 0 || all[i].lengths != all[i - 1].lengths || all[i].direction != all[i - 1].direction;
    if (next) mine = !mine;
    if (!mine) continue;
    const auto outcome = verifier.verify(all[i]);
    ++counts[outcome.verdict];
    INFO(all[i].name() << ": " << outcome.detail);
    CHECK(outcome.verdict != Verdict::failed);
    CHECK(outcome.verdict != Verdict::unsupported);
  }
  // A device that skips nearly all cases has tested nothing.
  CHECK(counts[Verdict::passed] > 9 * counts[Verdict::skipped]);
}

}  // namespace

/// Cases of real lines, whose members must be independent also in deterministic plans.
TEST_CASE("CI tier, deterministic cosines", "[.][deterministic]") {
  using catalogue::Verdict;
  const auto& device = test::default_device();
  const auto all =
      catalogue::cases(catalogue::Tier::ci, kSeed, runtime::reported_facts(device.device()));
  Options options;
  options.deterministic = true;
  catalogue::Verifier verifier(device.context, device.device, options);
  for (const auto& problem : all) {
    if (!problem.only_real() || problem.batch == 1) continue;
    const auto outcome = verifier.verify(problem);
    INFO(problem.name() << ": " << outcome.detail);
    CHECK(outcome.verdict != Verdict::failed);
  }
}

TEST_CASE("CI tier, first half", "[.][ci1]") { run_half(false); }
TEST_CASE("CI tier, second half", "[.][ci2]") { run_half(true); }
