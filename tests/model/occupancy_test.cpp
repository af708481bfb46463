// This file checks the occupancy against numbers computed by hand and against HBPL's table 3.
#include "support/catch.hpp"

#include <limits>
#include <string>

#include "device_file.hpp"
#include "hbpl.hpp"
#include "model/work_group/occupancy.hpp"

namespace imago {
namespace {

using model::GroupNeeds;
constexpr std::size_t kComplex = 8;  // bytes

device::Facts described(const std::string& device) {
  return command::read_device(std::string(IMAGO_DEVICES) + "/" + device + ".json").facts;
}

TEST_CASE("equations 1 to 3 agree with a calculation by hand") {
  CHECK(model::groups_by_registers(65536, 64, 256) == 4);
  CHECK(model::groups_by_registers(65536, 65, 256) == 3);
  CHECK(model::groups_by_registers(65536, 255, 1024) == 0);
  CHECK(model::groups_by_local(227 << 10, 34816) == 6);
  CHECK(model::groups_by_local(48 << 10, 0) == std::numeric_limits<unsigned>::max());
  CHECK(model::groups_by_items(2048, 256, 32) == 8);
  CHECK(model::groups_by_items(2048, 33, 32) == 32);
  CHECK(model::exchanged_bytes(kComplex, 4, 64) == 2048);

  device::Facts facts;
  facts.simd = 32;
  facts.local_bytes =
      227 << 10;  // by default a compute unit has the local memory that a group may use
  CHECK(model::resident_groups(facts, {256, 64, 34816}) == 4);  // registers
  CHECK(model::resident_groups(facts, {256, 32, 69632}) == 3);  // local memory
  CHECK(model::resident_groups(facts, {256, 16, 1024}) == 8);   // work-items
  CHECK(model::resident_groups(facts, {32, 16, 1024}) == 32);   // groups
  CHECK(model::resident_groups(facts, {256, 64, 300 << 10}) == 0);
}

TEST_CASE("equations 1 to 3 give table 3 of HBPL, but for the listed exceptions") {
  for (const auto& row : model_report::table_3()) {
    auto unit = described(row.device).compute_unit;
    unsigned items = row.l1 * row.l2;
    const auto groups = [&] {
      return model::groups_by_equation_1(
          unit, {items, row.registers, model::exchanged_bytes(kComplex, row.r, items)});
    };
    INFO(row.device << " N " << row.n);
    const auto* exception = model_report::exception_of(row);
    if (exception == nullptr) {
      CHECK(groups() == row.groups);
      continue;
    }
    INFO(exception->reason);
    CHECK(groups() != row.groups);  // otherwise it is no exception
    if (exception->items != 0) items = exception->items;
    if (exception->local_bytes != 0) unit.local_bytes = exception->local_bytes;
    CHECK(groups() == row.groups);
  }
}

TEST_CASE("the descriptions of HBPL's devices are complete") {
  for (const char* device :
       {"nvidia-gtx-750-ti", "nvidia-k20m", "amd-firepro-s9150", "intel-xeon-e5-2660"}) {
    const auto facts = described(device);
    INFO(device);
    CHECK(!facts.name.empty());
    CHECK(!facts.vendor.empty());
    CHECK(!facts.architecture.empty());
    CHECK(facts.memory.bytes > 0);
    CHECK(facts.rates.copy_bytes > 1e9);
    CHECK(facts.rates.flops > 1e9);
    CHECK(facts.rates.local_bytes > facts.rates.copy_bytes);
  }
  CHECK_THROWS(described("no-such-device"));
}

}  // namespace
}  // namespace imago
