// This file checks that the self-test at the first plan finds a device that computes wrong results.
#include "engine/proof.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "engine/engine.hpp"
#include "runtime/binary_cache.hpp"
#include "runtime/facts.hpp"

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"

namespace imago {
namespace {

TEST_CASE("the proof sees one wrong number among many", "[engine]") {
  const std::vector<double> expected(1000, 1.0);
  auto found = expected;
  for (const auto precision : {Precision::f32, Precision::f64}) {
    CHECK_FALSE(engine::wrong(expected, expected, precision));
    found = expected;
    found[500] += 0.01;
    CHECK(engine::wrong(found, expected, precision));
    found[500] = std::numeric_limits<double>::quiet_NaN();
    CHECK(engine::wrong(found, expected, precision));
  }
  CHECK(engine::wrong({}, expected, Precision::f32));
  // A small member next to a large one.
  auto sizes = expected;
  std::fill(sizes.begin(), sizes.begin() + 500, 1e-6);
  found = sizes;
  CHECK_FALSE(engine::wrong(found, sizes, Precision::f32, 2));
  found[250] *= 2;
  CHECK_FALSE(engine::wrong(found, sizes, Precision::f32));
  CHECK(engine::wrong(found, sizes, Precision::f32, 2));
}

TEST_CASE("this device passes the proof in both mappings", "[engine]") {
  const test::Folder folder;
  const auto disk = runtime::DiskCache::at(folder.path());
  const auto& device = test::default_device().device;
  const auto facts = runtime::facts(device(), disk);
  const auto probed = folder.files().size();
  for (const auto mapping : {Mapping::vector, Mapping::work_group}) {
    runtime::BinaryCache::instance().clear();
    CHECK(engine::proof(device(), facts, {mapping}, disk).empty());
    CHECK(disk.load(engine::proof_key(device(), {mapping})) == "right");
  }
  CHECK(folder.files().size() == probed + 2);  // the outcome, and none of the kernels
}

TEST_CASE("the proof compiles the kernels that it runs, all at once", "[engine]") {
  const auto& device = test::default_device().device;
  const auto facts = runtime::facts(device(), {});
  const auto transforms = engine::proof_transforms(facts);
  const auto runs_once = [](const Transform& transform) {
    return transform.directions == Directions::forward;
  };
  CHECK(std::all_of(transforms.begin(), transforms.end(), runs_once));
  runtime::BinaryCache::instance().clear();
  const test::LogLines log;
  CHECK(engine::proof(device(), facts, {Mapping::vector}, {}).empty());
  CHECK(log.count("building took") == 1);
  const auto compiled = log.count("compiled ");
  CHECK(compiled >= transforms.size());
  CHECK(log.count(std::to_string(compiled) + " of " + std::to_string(compiled) + " kernels") == 1);
}

TEST_CASE("plans of a device that was found wrong are refused, unless it is trusted", "[engine]") {
  const test::Folder folder;
  const auto& device = test::default_device().device;
  const auto& context = test::default_device().context;
  Options options;
  options.cache_directory = folder.path();
  options.parameters.mapping = Mapping::work_group;
  runtime::BinaryCache::instance().clear();
  engine::disk_cache(options).save(engine::proof_key(device(), {Mapping::work_group}),
                                   "72 of kind real");
  CHECK_THROWS_WITH(Plan(context, device, {.lengths = {8}}, options),
                    test::ContainsSubstring("computes wrong results: 72 of kind real"));
  options.trust_device = true;
  CHECK_NOTHROW(Plan(context, device, {.lengths = {8}}, options));
  options.trust_device = false;
  options.parameters.mapping = Mapping::vector;  // only the other mapping was found wrong
  CHECK_NOTHROW(Plan(context, device, {.lengths = {8}}, options));
  runtime::BinaryCache::instance().clear();
}

}  // namespace
}  // namespace imago
