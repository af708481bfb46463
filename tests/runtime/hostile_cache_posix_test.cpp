// This file puts damaged, foreign and malicious files into the cache folder. None of them may be
// used, stop the program or fill its memory.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/own_folder.hpp"
#include "runtime/disk_cache.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/log_lines.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

namespace fs = std::filesystem;
using runtime::DiskCache;

const base::Digest kKey = base::digest("a kernel");

/// Ends the test by a signal if it hangs.
struct Alarm {
  Alarm() { ::alarm(60); }
  ~Alarm() { ::alarm(0); }
};

struct Hostile {
  fs::path entry() const { return folder.path() / (kKey.hex() + ".imago"); }
  test::Folder folder;
  DiskCache cache{folder.path()};
};

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("a file that is not regular is not read, and is replaced", "[runtime][cache]") {
  const Alarm alarm;
  const Hostile at;
  const auto path = at.entry();
  const test::LogLines log;
  SECTION("a FIFO") { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); }
  SECTION("a link to a device") { fs::create_symlink("/dev/zero", path); }
  SECTION("a device") {
    if (::mknod(path.c_str(), S_IFCHR | 0600, 0x105) != 0) return;  // only root can; /dev/zero
  }
  SECTION("a link to a good entry") {
    at.cache.save(kKey, "payload");
    fs::rename(path, at.folder.path() / "elsewhere");
    fs::create_symlink(at.folder.path() / "elsewhere", path);
  }
  CHECK(!at.cache.load(kKey));
  CHECK(log.count("ignored a file") == 1);
  at.cache.save(kKey, "new");
  CHECK(at.cache.load(kKey) == "new");
}

TEST_CASE("a folder under an entry's name costs a warning", "[runtime][cache]") {
  const Hostile at;
  fs::create_directories(at.entry() / "below");
  const test::LogLines log;
  CHECK(!at.cache.load(kKey));
  at.cache.save(kKey, "payload");
  CHECK(!at.cache.load(kKey));
  CHECK(log.count("not kept") == 1);
  CHECK(fs::exists(at.entry() / "below"));
}

TEST_CASE("a file of a terabyte takes no memory", "[runtime][cache]") {
  const Hostile at;
  at.cache.save(kKey, "payload");
  constexpr std::uint64_t kTerabyte = std::uint64_t{1} << 40;
  const bool says_so = GENERATE(false, true);  // the header claims this size, too
  if (says_so) {
    const std::uint64_t size = kTerabyte - 48;
    std::fstream file(at.entry(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(40).write(reinterpret_cast<const char*>(&size), sizeof size);
  }
  std::error_code error;
  fs::resize_file(at.entry(), kTerabyte, error);
  if (error) return;  // the file system has no sparse files
  CHECK(!at.cache.load(kKey));
  // It is evicted first, and no good entry with it.
  const auto other = base::digest("another");
  at.cache.save(other, "good");
  CHECK(at.cache.load(other) == "good");
  CHECK(!fs::exists(at.entry()));
}

TEST_CASE("a file that changes while it is read is whole or not there",
          "[runtime][cache][threads]") {
  const Hostile at;
  const std::string payload(1 << 20, 'p');
  at.cache.save(kKey, payload);
  const std::string whole = read(at.entry());
  const test::LogLines quiet;
  std::thread changer([&] {
    for (int i = 0; i < 100; ++i) {
      std::error_code ignored;
      fs::resize_file(at.entry(), 600000, ignored);
      write(at.entry(), whole + (i % 2 ? "more" : ""));
      write(at.entry(), whole);
    }
  });
  bool right = true;
  for (int i = 0; i < 200; ++i) {
    const auto found = at.cache.load(kKey);
    right = right && (!found || *found == payload);
  }
  changer.join();
  CHECK(right);
}

TEST_CASE("a folder that others can write is not trusted", "[runtime][cache]") {
  const Hostile at;
  at.cache.save(kKey, "planted");
  REQUIRE(at.cache.load(kKey) == "planted");
  const auto mode = GENERATE(fs::perms::group_write, fs::perms::others_write);
  fs::permissions(at.folder.path(), mode, fs::perm_options::add);
  const test::LogLines log;
  CHECK(!at.cache.load(kKey));
  CHECK(!at.cache.load(kKey));
  at.cache.save(base::digest("another"), "payload");
  CHECK(at.folder.files().size() == 1);
  CHECK(log.count("kernels are not kept in") == 1);
  CHECK(log.count("can be written by others") == 1);
  fs::permissions(at.folder.path(), mode, fs::perm_options::remove);
  CHECK(at.cache.load(kKey) == "planted");  // the file is read again
}

TEST_CASE("a file that others can write is not trusted", "[runtime][cache]") {
  const Hostile at;
  at.cache.save(kKey, "planted");
  fs::permissions(at.entry(), fs::perms::others_write, fs::perm_options::add);
  CHECK(!at.cache.load(kKey));
}

TEST_CASE("files and folders of other users are not trusted", "[runtime][cache]") {
  constexpr ::uid_t kNobody = 65534;
  const Hostile at;
  const test::LogLines log;
  if (::geteuid() != 0) {  // the root folder belongs to another user
    CHECK(!base::OwnFolder("/"));
    return;
  }
  at.cache.save(kKey, "planted");
  REQUIRE(::chown(at.entry().c_str(), kNobody, kNobody) == 0);
  CHECK(!at.cache.load(kKey));
  CHECK(log.count("belongs to user 65534") == 1);
  REQUIRE(::chown(at.entry().c_str(), 0, 0) == 0);
  REQUIRE(::chown(at.folder.path().c_str(), kNobody, kNobody) == 0);
  CHECK(!at.cache.load(kKey));
  CHECK(log.count("kernels are not kept in") == 1);
}

TEST_CASE("files of root are valid in the system's cache, and not in the user's",
          "[runtime][cache]") {
  constexpr ::uid_t kNobody = 65534;
  if (::geteuid() != 0) return;  // only root can create files of root
  const Hostile at;
  at.cache.save(kKey, "shared");
  fs::permissions(at.folder.path(), static_cast<fs::perms>(0755));
  fs::permissions(at.entry(), static_cast<fs::perms>(0644));
  REQUIRE(::seteuid(kNobody) == 0);
  const auto as_user = DiskCache(at.folder.path()).load(kKey),
             as_system = DiskCache({}, at.folder.path()).load(kKey);
  REQUIRE(::seteuid(0) == 0);
  CHECK(!as_user);
  CHECK(as_system == "shared");
  REQUIRE(::chown(at.entry().c_str(), 1, 1) == 0);
  REQUIRE(::seteuid(kNobody) == 0);
  const auto of_others = DiskCache({}, at.folder.path()).load(kKey);
  REQUIRE(::seteuid(0) == 0);
  CHECK(!of_others);
}

TEST_CASE("a link to the folder is as good as its owner", "[runtime][cache]") {
  const Hostile at;
  at.cache.save(kKey, "payload");
  const test::Folder beside;
  const auto link = beside.path() / "link";
  fs::create_directory_symlink(at.folder.path(), link);
  CHECK(DiskCache(link).load(kKey) == "payload");
  if (::lchown(link.c_str(), 65534, 65534) != 0) return;  // only root can
  CHECK(!DiskCache(link).load(kKey));
}

TEST_CASE("only the user can access the cache's files, whatever the umask", "[runtime][cache]") {
  const test::Folder folder;
  const ::mode_t before = ::umask(0);
  const auto made = folder.path() / "a" / "b" / "";
  DiskCache(made).save(kKey, "payload");
  ::umask(before);
  CHECK(fs::status(made).permissions() == fs::perms::owner_all);
  CHECK(fs::status(made / (kKey.hex() + ".imago")).permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write));
  CHECK(DiskCache(made).load(kKey) == "payload");
}

TEST_CASE("a full disk leaves no part of an entry", "[runtime][cache]") {
  const Hostile at;
  const test::LogLines log;
  struct rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 10000, before.rlim_max };
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  at.cache.save(kKey, std::string(100000, 'x'));
  at.cache.save(kKey, std::string(100000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(at.folder.files().empty());
  CHECK(!at.cache.load(kKey));
  CHECK(log.count("kernels are not kept in") == 1);
}

TEST_CASE("files with future times are removed, too", "[runtime][cache]") {
  const Hostile at;
  const test::Variable limit("IMAGO_CACHE_LIMIT_MB", "1");
  const auto future = fs::file_time_type::clock::now() + std::chrono::hours(24 * 365);
  const auto left = at.folder.path() / "left.tmp";
  write(left, "x");
  const std::string payload(400 * 1024, 'x');
  const auto second = base::digest("second"), third = base::digest("third");
  at.cache.save(kKey, payload);
  at.cache.save(second, payload);
  fs::last_write_time(at.entry(), future);
  fs::last_write_time(left, future);
  at.cache.save(third, payload);
  CHECK(!fs::exists(left));
  CHECK(!at.cache.load(kKey));
  CHECK(at.cache.load(second));
  CHECK(at.cache.load(third));
}

}  // namespace
}  // namespace imago
