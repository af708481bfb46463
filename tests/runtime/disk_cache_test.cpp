// This file checks that the cache on disk returns the stored data or nothing, whatever happens to
// its files.
#include "runtime/disk_cache.hpp"

#include <chrono>
#include <fstream>
#include <thread>

#include "runtime/binary_cache.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

namespace fs = std::filesystem;
using runtime::DiskCache;
using test::Variable;

const base::Digest kKey = base::digest("a kernel");

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST_CASE("a saved entry is loaded, also by another object", "[runtime][cache]") {
  const test::Folder folder;
  const std::string payload("binary\0with zeros", 17);
  DiskCache(folder.path()).save(kKey, payload);
  CHECK(DiskCache(folder.path()).load(kKey) == payload);
  CHECK(!DiskCache(folder.path()).load(base::digest("another")));
  CHECK(folder.files().size() == 1);  // no temporary file is left
}

TEST_CASE("a damaged file counts as missing", "[runtime][cache]") {
  const test::Folder folder;
  const DiskCache cache(folder.path());
  cache.save(kKey, std::string(1000, 'x'));
  const auto path = folder.files().at(0);
  const auto whole = read(path);
  const test::LogLines log;

  for (const std::size_t size :
       {std::size_t{0}, std::size_t{10}, std::size_t{48}, whole.size() - 1}) {
    write(path, whole.substr(0, size));
    CHECK(!cache.load(kKey));
  }
  for (const std::size_t place :
       {std::size_t{0}, std::size_t{9}, std::size_t{30}, std::size_t{500}}) {
    auto bent = whole;
    bent[place] ^= 1;
    write(path, bent);
    CHECK(!cache.load(kKey));
  }
  write(path, whole + "x");
  CHECK(!cache.load(kKey));
  CHECK(log.count("damaged") == 9);

  cache.save(kKey, "new");
  CHECK(cache.load(kKey) == "new");
}

TEST_CASE("an entry under another key's name is not used", "[runtime][cache]") {
  const test::Folder folder;
  const DiskCache cache(folder.path());
  const auto other = base::digest("of another driver");
  cache.save(other, "foreign");
  fs::rename(folder.files().at(0), folder.path() / (kKey.hex() + ".imago"));
  CHECK(!cache.load(kKey));
}

TEST_CASE("a folder that cannot be written is reported once and harms nothing",
          "[runtime][cache]") {
  const test::Folder folder;
  write(folder.path() / "file", "a file where a folder should be");
  const DiskCache cache(folder.path() / "file" / "below");
  const test::LogLines log;
  CHECK_NOTHROW(cache.save(kKey, "payload"));
  CHECK_NOTHROW(cache.save(base::digest("two"), "payload"));
  CHECK(log.count("kernels are not kept in") == 1);
  CHECK(!cache.load(kKey));
}

TEST_CASE("refusal() gives the reason why the cache would keep nothing", "[runtime][cache]") {
  const test::Folder folder;
  CHECK(DiskCache(folder.path() / "new").refusal().empty());
  CHECK(fs::is_empty(folder.path() / "new"));
  CHECK(DiskCache().refusal() == "there is no folder");
  write(folder.path() / "file", "a file where a folder should be");
  CHECK(!DiskCache(folder.path() / "file").refusal().empty());
  const Variable limit("IMAGO_CACHE_LIMIT_MB", "0");
  CHECK(DiskCache(folder.path() / "other").refusal().starts_with("IMAGO_CACHE_LIMIT_MB is 0"));
}

TEST_CASE("the least recently used entries go when the folder is full", "[runtime][cache]") {
  const test::Folder folder;
  const Variable limit("IMAGO_CACHE_LIMIT_MB", "1");
  const DiskCache cache(folder.path());
  const std::string payload(300 * 1024, 'x');
  const auto key = [](int i) { return base::digest("kernel " + std::to_string(i)); };
  const auto age = [&](int i, int hours) {
    fs::last_write_time(folder.path() / (key(i).hex() + ".imago"),
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (int i = 0; i < 3; ++i) cache.save(key(i), payload);
  age(0, 3);
  age(1, 2);
  age(2, 1);
  CHECK(cache.load(key(0)));  // used just now
  cache.save(key(3), payload);
  CHECK(cache.load(key(0)));
  CHECK(!cache.load(key(1)));
  CHECK(cache.load(key(2)));
  CHECK(cache.load(key(3)));
  cache.save(key(4), std::string(2 << 20, 'x'));  // larger than the limit on its own
  CHECK(!cache.load(key(4)));
  CHECK(cache.load(key(3)));
}

TEST_CASE("old temporary files of crashed writers are removed", "[runtime][cache]") {
  const test::Folder folder;
  const auto old = folder.path() / "left.tmp", fresh = folder.path() / "right.tmp";
  write(old, "x");
  write(fresh, "x");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
  DiskCache(folder.path()).save(kKey, "payload");
  CHECK(!fs::exists(old));
  CHECK(fs::exists(fresh));
}

TEST_CASE("a limit that is no number is reported and ignored", "[runtime][cache]") {
  const test::Folder folder;
  const Variable limit("IMAGO_CACHE_LIMIT_MB", "lots");
  const test::LogLines log;
  const DiskCache cache(folder.path());
  cache.save(kKey, "payload");
  CHECK(cache.load(kKey) == "payload");
  CHECK(log.count("\"lots\"") == 1);
}

TEST_CASE("the system's folder is read below the user's, and never written", "[runtime][cache]") {
  const test::Folder user, system;
  DiskCache(system.path()).save(kKey, "shared");
  const auto before = fs::last_write_time(system.files().at(0));
  const DiskCache cache(user.path(), system.path());
  CHECK(cache.load(kKey) == "shared");
  CHECK(user.files().empty());
  CHECK(DiskCache({}, system.path()).load(kKey) == "shared");
  cache.save(base::digest("another"), "own");
  cache.save(kKey, "own");
  CHECK(cache.load(kKey) == "own");
  CHECK(system.files().size() == 1);
  CHECK(fs::last_write_time(system.files().at(0)) == before);
}

TEST_CASE("the cache in memory works without a disk, and can be cleared", "[runtime][cache]") {
  auto& cache = runtime::BinaryCache::instance();
  const DiskCache off;
  const auto key = base::digest("only in memory");
  cache.keep(key, "bytes", off);
  REQUIRE(cache.find(key, off));
  CHECK(*cache.find(key, off) == "bytes");
  cache.clear();
  CHECK(!cache.find(key, off));
}

TEST_CASE("writers and readers of one entry see it whole", "[runtime][cache][threads]") {
  const test::Folder folder;
  const DiskCache cache(folder.path());
  const std::string a(100000, 'a'), b(100000, 'b');
  cache.save(kKey, a);
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i) cache.save(kKey, i % 2 ? a : b);
  });
  bool whole = true;
  for (int i = 0; i < 200; ++i) {
    const auto bytes = cache.load(kKey);
    whole = whole && bytes && (*bytes == a || *bytes == b);
  }
  writer.join();
  CHECK(whole);
}

}  // namespace
}  // namespace imago
