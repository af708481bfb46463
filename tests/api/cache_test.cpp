// This file checks that plans use the cache on disk, and work the same without it or with a damaged
// one.
#include <cstdlib>
#include <fstream>

#include "api/support.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"

namespace imago {
namespace {

using test::transform;
using Float = std::complex<float>;

/// Plans and computes with empty memory caches; returns true if the result is right.
bool works(const test::Device& device, const Options& options, std::size_t length = 12) {
  release_memory();
  const auto x = test::noise<float>(length);
  const Plan plan(device.context, device.device, transform(length, 1, Placement::in_place),
                  options);
  const auto data = device.upload(x);
  const auto y = device.download<Float>(data, length, test::forward(plan, device.queue, data));
  return test::distance(y, test::naive_dft(x, 0, length, -1)) < 1e-6;
}

TEST_CASE("a plan tells how it came to its kernels", "[api][cache]") {
  const test::Device device;
  const test::Folder folder;
  Options options;
  options.cache_directory = folder.path();
  release_memory();
  for (const bool compiled : {true, false}) {
    const Plan plan(device.context, device.device, transform(60, 1), options);
    const auto builds = plan.builds();
    const auto sources = plan.sources();
    REQUIRE(builds.size() == sources.size());
    CHECK(builds.size() >= 2);  // kernels of both directions
    for (std::size_t i = 0; i < builds.size(); ++i) {
      CHECK(builds[i].name == sources[i].name);
      CHECK(builds[i].compiled == compiled);
      CHECK(builds[i].seconds > 0);
    }
  }
}

TEST_CASE("the second process compiles nothing", "[api][cache]") {
  const test::Device device;
  const test::Folder folder;
  Options options;
  options.cache_directory = folder.path();
  const test::LogLines log;
  CHECK(works(device, options));
  const auto kernels = log.count("compiled ");
  CHECK(works(device, options));
  CHECK(log.count("compiled ") == kernels);

  SECTION("files cut short") {
    for (const auto& file : folder.files()) std::filesystem::resize_file(file, 99);
    CHECK(works(device, options));
    CHECK(log.count("compiled ") == 2 * kernels);
  }
  SECTION("files with a wrong byte") {
    for (const auto& path : folder.files()) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(1000);
      file.put('?');
      file.put('!');
    }
    CHECK(works(device, options));
    CHECK(log.count("compiled ") == 2 * kernels);
  }
}

TEST_CASE("a plan for a known device stores its kernels and nothing else", "[api][cache]") {
  const test::Device device;
  const test::Folder folder;
  Options options;
  options.cache_directory = folder.path();
  // The first plan also stores what probes and the self-test find. It depends on the device how
  // many probes there are.
  CHECK(works(device, options));
  const std::size_t known = folder.files().size();
  const test::LogLines log;
  CHECK(works(device, options, 20));
  CHECK(log.count("compiled ") > 0);
  CHECK(folder.files().size() == known + log.count("compiled "));
}

TEST_CASE("without the disk nothing is written", "[api][cache]") {
  const test::Device device;
  const test::Folder folder;
  Options options;
  options.cache_directory = folder.path();
  options.disk_cache = false;
  CHECK(works(device, options));
  CHECK(folder.files().empty());
}

TEST_CASE("a folder that cannot be made", "[api][cache]") {
  const test::Device device;
  Options options;
  options.cache_directory = "/proc/imago/cache";
  const test::LogLines log;
  CHECK(works(device, options));
  CHECK(log.count("/proc/imago/cache") == 1);
}

}  // namespace
}  // namespace imago
