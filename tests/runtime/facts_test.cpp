// This file checks the properties that are read from a device and measured on it.
#include "runtime/facts.hpp"

#include "runtime/binary_cache.hpp"
#include "runtime/probe.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"

namespace imago {
namespace {

TEST_CASE("facts are what the device reports", "[runtime][facts]") {
  const test::Device device;
  const auto facts = runtime::facts(device.device(), runtime::DiskCache());
  CHECK(facts.name == device.device.getInfo<CL_DEVICE_NAME>().c_str());
  CHECK(facts.driver == device.device.getInfo<CL_DRIVER_VERSION>().c_str());
  CHECK(facts.compute_units == device.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  CHECK(facts.max_work_group == device.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  CHECK(facts.local_bytes >= device.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>());
  CHECK(facts.memory.bytes >= facts.memory.largest_buffer);
  CHECK(facts.f64.native == (facts.vector_f64 > 0));
  CHECK(facts.vector_f32 >= 1);
  CHECK(facts == runtime::facts(device.device(), runtime::DiskCache()));
}

TEST_CASE("CPUs have vectors of 128 bits at least, whatever the driver reports",
          "[runtime][facts]") {
  using runtime::usable_widths, runtime::VectorWidths, device::Type;
  // PoCL 3.1 on Arm: NEON and SVE; in QEMU without the CPU's features; then AVX-512.
  CHECK(usable_widths(Type::cpu, {4, 2}) == VectorWidths{4, 2});
  CHECK(usable_widths(Type::cpu, {1, 1}) == VectorWidths{4, 2});
  CHECK(usable_widths(Type::cpu, {16, 8}) == VectorWidths{16, 8});
  CHECK(usable_widths(Type::cpu, {1, 0}) == VectorWidths{4, 0});
  CHECK(usable_widths(Type::gpu, {1, 1}) == VectorWidths{1, 1});
  CHECK(usable_widths(Type::gpu, {0, 0}) == VectorWidths{1, 0});
  const test::Device device;
  const auto facts = runtime::reported_facts(device.device());
  if (facts.type == Type::cpu)
    CHECK(facts.architecture == "cpu-" + std::to_string(32 * facts.vector_f32));
}

TEST_CASE("a probe finds at least what it may try and what runs", "[runtime][facts]") {
  const test::Device device;
  const auto reported = device.device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  CHECK(runtime::measure(device.device(), reported, reported).local_bytes == reported);
  // Half of the reported size certainly runs, so a search from a quarter of it reaches it.
  const std::size_t quarter = reported / 4096 * 1024, half = 2 * quarter;
  const auto found = runtime::measure(device.device(), quarter, half);
  CHECK(found.local_bytes == half);
  CHECK(found.simd >= 1);
}

TEST_CASE("few sizes are tried until the largest one is found", "[runtime][facts]") {
  constexpr std::size_t kb = 1024, reported = 48 * kb, most = 257 * kb;
  for (std::size_t largest = reported; largest < most; largest += kb) {
    CAPTURE(largest);
    std::size_t good = reported, bad = most, tries = 0;
    for (; good + kb < bad; ++tries) {
      const std::size_t size = runtime::next_size(good, bad);
      REQUIRE((good < size && size < bad && size % kb == 0));
      (size <= largest ? good : bad) = size;
    }
    CHECK(good == largest);
    CHECK(tries <= 9);  // halving takes 8
    if (largest == 162 * kb || largest == 226 * kb) CHECK(tries == 3);
  }
}

TEST_CASE("a probe is recorded on disk, and a broken record is measured again",
          "[runtime][facts]") {
  const test::Device device;
  const test::Folder folder;
  const runtime::DiskCache disk(folder.path());
  auto reported = runtime::reported_facts(device.device());
  runtime::BinaryCache::instance().clear();
  const auto first = runtime::probe(device.device(), reported, disk);
  CHECK(first.local_bytes >= reported.local_bytes);
  REQUIRE(folder.files().size() == 1);
  runtime::BinaryCache::instance().clear();
  CHECK(runtime::probe(device.device(), reported, disk).local_bytes == first.local_bytes);
  std::filesystem::resize_file(folder.files()[0], 20);
  runtime::BinaryCache::instance().clear();
  CHECK(runtime::probe(device.device(), reported, disk).local_bytes == first.local_bytes);
}

}  // namespace
}  // namespace imago
