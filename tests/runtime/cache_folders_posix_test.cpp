// This file tests where POSIX systems keep the cache, and whose folders they trust.
#include "runtime/disk_cache.hpp"

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

namespace fs = std::filesystem;
using runtime::DiskCache;
using test::Variable;

const base::Digest kSharedKey = base::digest("a kernel");

TEST_CASE("an option and environment variables select the folder of the cache",
          "[runtime][cache]") {
  const Variable home("HOME", "/h"), xdg("XDG_CACHE_HOME", ""), own("IMAGO_CACHE_DIR", "");
  CHECK(DiskCache::at({}).directory() == "/h/.cache/imago");
  const Variable xdg_set("XDG_CACHE_HOME", "/x");
  CHECK(DiskCache::at({}).directory() == "/x/imago");
  const Variable own_set("IMAGO_CACHE_DIR", "/o");
  CHECK(DiskCache::at({}).directory() == "/o");
  CHECK(DiskCache::at("/given").directory() == "/given");
}

TEST_CASE("an environment variable selects the folder of the system's cache", "[runtime][cache]") {
  const Variable own("IMAGO_CACHE_DIR", "/o");
  {
    const Variable system("IMAGO_SYSTEM_CACHE_DIR", "/s");
    CHECK(DiskCache::at({}).system() == "/s");
    CHECK(DiskCache::at("/given").system().empty());  // a given folder excludes the system's cache
  }
  test::unset_variable("IMAGO_SYSTEM_CACHE_DIR");
  CHECK(DiskCache::at({}).system() == "/var/cache/imago");
  const Variable none("IMAGO_SYSTEM_CACHE_DIR", "");
  CHECK(DiskCache::at({}).system().empty());
}

TEST_CASE("folders that others can write keep no kernels", "[runtime][cache]") {
  const test::Folder folder;
  CHECK(DiskCache(folder.path() / "new").refusal().empty());
  fs::permissions(folder.path() / "new", fs::perms::all);
  CHECK(DiskCache(folder.path() / "new").refusal() == "it can be written by others");
  CHECK(!DiskCache("/proc/nope").refusal().empty());
}

TEST_CASE("a system's folder that others can write is not read", "[runtime][cache]") {
  const test::Folder user, system;
  DiskCache(system.path()).save(kSharedKey, "shared");
  const DiskCache cache(user.path(), system.path());
  CHECK(cache.load(kSharedKey) == "shared");
  fs::permissions(system.path(), fs::perms::group_write, fs::perm_options::add);
  const test::LogLines log;
  CHECK(!cache.load(kSharedKey));
  CHECK(!cache.load(kSharedKey));
  CHECK(log.count("kernels are not read from") == 1);
}

}  // namespace
}  // namespace imago
