// This file tests where Windows keeps the cache.
#include "runtime/disk_cache.hpp"
#include "support/catch.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

using runtime::DiskCache;
using test::Variable;

TEST_CASE("the cache is below the user's local data, or in a given folder", "[runtime][cache]") {
  const Variable local("LOCALAPPDATA", "C:\\l"), xdg("XDG_CACHE_HOME", ""),
      own("IMAGO_CACHE_DIR", "");
  CHECK(DiskCache::at({}).directory() == "C:\\l\\imago\\cache");
  const Variable own_set("IMAGO_CACHE_DIR", "C:\\o");
  CHECK(DiskCache::at({}).directory() == "C:\\o");
  CHECK(DiskCache::at("C:\\given").directory() == "C:\\given");
}

TEST_CASE("the system's cache is below the data of all users", "[runtime][cache]") {
  const Variable own("IMAGO_CACHE_DIR", "C:\\o"), all("PROGRAMDATA", "C:\\p");
  test::unset_variable("IMAGO_SYSTEM_CACHE_DIR");
  CHECK(DiskCache::at({}).system() == "C:\\p\\imago\\cache");
  const Variable system("IMAGO_SYSTEM_CACHE_DIR", "C:\\s");
  CHECK(DiskCache::at({}).system() == "C:\\s");
  CHECK(DiskCache::at("C:\\given").system().empty());
}

}  // namespace
}  // namespace imago
