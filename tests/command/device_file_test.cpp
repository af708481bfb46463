// This file tests descriptions of devices. Devices known by name can be planned for; invalid
// descriptions are rejected with the place of the error.
#include "device_file.hpp"

#include <set>
#include <string>

#include <imago/error.hpp>

#include "command.hpp"
#include "described_devices.hpp"
#include "engine/composition.hpp"
#include "support/catch.hpp"

namespace imago::command {
namespace {

using test::ContainsSubstring;

const std::string kSmall = R"({"name": "Drawn", "type": "gpu", "compute_units": 3)";

Described parse(const std::string& rest) { return parse_device(kSmall + rest + "}", "d.json"); }

TEST_CASE("every device that is known by name can be planned for") {
  const std::vector<std::vector<std::size_t>> shapes{{16},     {1000},    {4096},      {65536},
                                                     {100003}, {1 << 22}, {1080, 1920}};
  CHECK(described_names().size() >= 20);
  std::set<std::string> names;
  for (const std::string& name : described_names()) {
    const device::Facts facts = find_described(name).facts;
    INFO(name);
    CHECK(names.insert(facts.name).second);
    CHECK((facts.vector_f64 > 0) == facts.f64.native);
    CHECK(facts.rates.copy_bytes > 1e9);
    for (const auto& lengths : shapes) {
      INFO(lengths[0]);
      const auto plan = engine::decide(Transform{.lengths = lengths, .batch = 3}, facts, {});
      CHECK(plan.forward->seconds > 0);
      CHECK(plan.forward->seconds < 10);
      CHECK(!engine::generate(plan.kernels.at(0)).source.empty());
    }
  }
}

TEST_CASE("a part of a name is enough where it fits one device alone") {
  CHECK(find_described("mi300x").facts.name == "AMD Instinct MI300X");
  CHECK(find_described("amd-mi300x").facts.name == "AMD Instinct MI300X");
  CHECK(find_described("7900-xtx").facts.compute_units == 48);
  CHECK_THROWS_AS(find_described("nvidia"), Misuse);
  CHECK_THROWS_WITH(find_described("nvidia"), ContainsSubstring("nvidia-a100 or nvidia-b200"));
  for (const char* none : {"mi300", "", "-", "xtx7900"}) {
    INFO(none);
    CHECK_THROWS_WITH(find_described(none), ContainsSubstring("must be a file or one of amd-"));
  }
  CHECK_THROWS_WITH(find_described("nowhere/d.json"), ContainsSubstring("nowhere/d.json"));
}

TEST_CASE("missing members of a device model keep their defaults, and all others are read") {
  const Described small = parse("");
  CHECK(small.facts.name == "Drawn");
  CHECK(small.facts.compute_units == 3);
  CHECK(small.facts.max_work_group == device::Facts{}.max_work_group);
  CHECK(small.facts.compute_unit == device::ComputeUnit{});
  const Described large = parse(R"(, "f64": true, "vector_f64": 1, "simd": 64, "cache_bytes": 5,
      "compute_unit": {"registers": 7, "item_registers": 6, "register_factor": 1.5},
      "rates": {"flops": 2e12, "segments": [0.1, 0.2, 0.3, 0.4, 0.5]},
      "sources": {"rates.flops": "a page"}, "estimates": ["simd"])");
  CHECK(large.facts.f64.native);
  CHECK(large.facts.simd == 64);
  CHECK(large.facts.memory.cache_bytes == 5);
  CHECK(large.facts.compute_unit.registers == 7);
  CHECK(large.facts.compute_unit.item_registers == 6);
  CHECK(large.facts.compute_unit.register_factor == 1.5);
  CHECK(large.facts.rates.flops == 2e12);
  CHECK(large.facts.rates.segments[4] == 0.5);
  CHECK(large.sources.at(0).second == "a page");
  CHECK(large.estimates == std::vector<std::string>{"simd"});
}

TEST_CASE("a text that is no device model is rejected with the place") {
  for (const auto& [rest, place] :
       {std::pair<std::string, const char*>{",", "d.json: byte"},
        {R"(, "simd": 0)", "/simd: it is 0; it must be a whole number from 1"},
        {R"(, "simd": -4)", "/simd"},
        {R"(, "simd": 1e99)", "/simd"},
        {R"(, "smid": 4)", "the member smid is unknown"},
        {R"(, "f64": 1)", "/f64: it is 1; it must be true or false"},
        {R"(, "type": "gpu")", "twice"},
        {R"(, "compute_unit": [])", "/compute_unit: it is an array of 0; it must be an object"},
        {R"(, "compute_unit": {"items": 0})", "/compute_unit/items"},
        {R"(, "rates": {"flops": -1})", "/rates/flops"},
        {R"(, "sources": {"simd": 3})", "/sources/simd: it is 3; it must be a string"},
        {R"(, "estimates": [1])", "/estimates/0: it is 1; it must be a string"}}) {
    INFO(rest);
    CHECK_THROWS_AS(parse(rest), ProfileError);
    CHECK_THROWS_WITH(parse(rest), ContainsSubstring(place));
  }
  CHECK_THROWS_WITH(parse_device(R"({"name": "a", "compute_units": 1, "type": "dsp"})", "d.json"),
                    ContainsSubstring("d.json: /type: it is \"dsp\"; it must be one of cpu, gpu, "
                                      "accelerator"));
  CHECK_THROWS_WITH(parse_device("{}", "d.json"), ContainsSubstring("the member name is missing"));
}

}  // namespace
}  // namespace imago::command
