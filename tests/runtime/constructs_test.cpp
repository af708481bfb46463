// This file checks the constructs that compilers have miscompiled, on this device. A driver that
// fails one has a bug, which docs/implementations.md must list; the kernels' workaround must work.
#include "runtime/constructs.hpp"

#include "runtime/binary_cache.hpp"
#include "runtime/facts.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"

namespace imago {
namespace {

TEST_CASE("The workarounds for compiler errors give right results", "[runtime][constructs]") {
  const test::Device device;
  CHECK(runtime::is_right(device.device(), "imago_kept_item"));
  CHECK(runtime::is_right(device.device(), "imago_moved_negation"));
  CHECK(runtime::is_right(device.device(), "imago_chosen_difference"));
}

TEST_CASE("Every construct has a kernel that can be tried", "[runtime][constructs]") {
  const test::Device device;
  CHECK(runtime::constructs().size() == 7);
  for (const auto& construct : runtime::constructs()) {
    INFO(construct);
    if (!runtime::is_right(device.device(), construct))
      WARN("this driver gets " << construct << " wrong");
  }
  CHECK_FALSE(runtime::is_right(device.device(), "no such kernel"));
}

TEST_CASE("The test of kept loads runs once, and its result is cached", "[runtime][constructs]") {
  const test::Device device;
  const test::Folder folder;
  const runtime::DiskCache disk(folder.path());
  runtime::BinaryCache::instance().clear();
  const bool right = runtime::is_right(device.device(), "imago_kept_load");
  CHECK(runtime::keeps_loads(device.device(), disk) == right);
  REQUIRE(folder.files().size() == 1);
  runtime::BinaryCache::instance().clear();
  CHECK(runtime::keeps_loads(device.device(), disk) == right);
  CHECK(runtime::facts(device.device(), runtime::DiskCache()).keeps_loads == right);
}

}  // namespace
}  // namespace imago
