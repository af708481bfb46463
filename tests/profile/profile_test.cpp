// This file checks the names of classes and files, and the merging of two profiles of one device.
#include "profile/profile.hpp"

#include "profile/support.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using profile::merge;
using test::entry;
using test::profile_of;
using test::tuned_device;

TEST_CASE("a class is named after all of its members", "[profile]") {
  const profile::ProblemClass made{Kind::complex,       {64, 32}, Precision::f64,
                                   Placement::in_place, false,    7};
  CHECK(made.key() == "complex-64x32-f64-in_place-spaced-batch_7");
  auto blocks = test::problem_class(8, 4096);
  blocks.kind = Kind::dct2;
  blocks.lengths = {8, 8};
  CHECK(blocks.key() == "dct2-8x8-f32-out_of_place-packed-batch_4096");
  CHECK(test::problem_class(360, 2).key() == "complex-360-f32-out_of_place-packed-batch_2");
  for (const auto& each : {made, blocks, test::problem_class(360, 2)})
    CHECK(profile::class_of_key(each.key()) == each);
  for (const char* wrong :
       {"", "complex", "complex-64-f32-in_place-packed-batch_0",
        "complex--f32-in_place-packed-batch_1", "complex-64x-f32-in_place-packed-batch_1x",
        "dct9-64-f32-in_place-packed-batch_1", "complex-64-f32-in_place-packed",
        "complex-0x4-f32-in_place-packed-batch_1"})
    CHECK(!profile::class_of_key(wrong));
}

TEST_CASE("a device's file is named after it", "[profile]") {
  CHECK(profile::file_name(tuned_device()) == "big-gpu-9000-big-opencl.json");
  device::Facts odd;
  odd.name = "  ../../etc (R)\n" + std::string(300, 'a');
  const auto name = profile::file_name(odd);
  CHECK(name.substr(0, 10) == "etc-r-aaaa");
  CHECK(name.size() < 130);
  CHECK(profile::file_name(device::Facts{}) == "device.json");
}

TEST_CASE("device names from a driver are made printable and short", "[profile]") {
  device::Facts odd = tuned_device();
  odd.name = "caf\xe9\n" + std::string(1000, 'x');
  const auto device = profile::device_of(odd);
  CHECK(device.name.substr(0, 6) == "caf??x");
  CHECK(device.name.size() == 256);
}

TEST_CASE("merging keeps the faster of each class", "[profile]") {
  const auto older = profile_of(tuned_device(), {entry(8, 1, 1, 2.0), entry(16, 1, 2, 2.0)});
  const auto newer =
      profile_of(tuned_device(), {entry(8, 1, 3, 1.0), entry(16, 1, 4, 3.0), entry(32, 1, 5)});
  const auto merged = merge(older, newer);
  CHECK(merged.entries == std::vector{entry(8, 1, 3, 1.0), entry(16, 1, 2, 2.0), entry(32, 1, 5)});
  CHECK(merge(older, older) == older);
  CHECK(merge(merged, newer) == merged);
}

TEST_CASE("merging knows which driver measured", "[profile]") {
  auto updated = tuned_device();
  updated.driver = "2.0";
  const auto older = profile_of(tuned_device(), {entry(8, 1, 1, 1.0), entry(16, 1, 2, 1.0)});
  const auto newer = profile_of(updated, {entry(8, 1, 3, 9.0)});
  auto kept = entry(16, 1, 2, 1.0);
  kept.driver = "1.2.3";
  const auto merged = merge(older, newer);
  CHECK(merged.device.driver == "2.0");
  CHECK(merged.entries == std::vector{entry(8, 1, 3, 9.0), kept});
  // The reverse: an entry for the profile's own driver is not marked.
  auto other = entry(8, 1, 3, 9.0);
  other.driver = "2.0";
  CHECK(merge(merged, profile_of(tuned_device())).entries ==
        std::vector{other, entry(16, 1, 2, 1.0)});
}

TEST_CASE("merging drops what is of another device or generator", "[profile]") {
  const auto newer = profile_of(tuned_device(), {entry(8, 1, 1)});
  auto older = profile_of(test::wide_cpu(), {entry(16, 1, 2)});
  CHECK(merge(older, newer) == newer);
  older = profile_of(tuned_device(), {entry(16, 1, 2)});
  older.generator += "0";
  CHECK(merge(older, newer) == newer);
}

TEST_CASE("merging takes the rates that were not measured again", "[profile]") {
  auto older = profile_of(tuned_device()), newer = older;
  older.rates = {1, 2, 3, 5, 4, {0.1, 0.2, 0.3, 0.4, 0.5}};
  newer.rates.flops = 7;
  const auto rates = merge(older, newer).rates;
  CHECK(rates == device::Rates{1, 2, 7, 5, 4, older.rates.segments});
}

}  // namespace
}  // namespace imago
