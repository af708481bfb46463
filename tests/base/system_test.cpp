// This file tests the functions that each operating system implements in its own way.
#include "base/system.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

namespace imago::base {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("texts of paths are UTF-8") {
  const std::string text = "Ger\xc3\xa4t \xce\xbb \xe4\xb8\xad";
  CHECK(text_of(path_of(text)) == text);
  const test::Folder folder;
  write(folder.path() / path_of(text), "x");
  REQUIRE(folder.files().size() == 1);
  CHECK(text_of(folder.files()[0].filename()) == text);
}

TEST_CASE("environment variables keep characters of any language") {
  const std::string text = "\xce\xbb \xe4\xb8\xad";
  set_environment("IMAGO_TEST_TEXT", text);
  CHECK(environment("IMAGO_TEST_TEXT") == text);
  const auto lines = whole_environment();
  CHECK(std::count(lines.begin(), lines.end(), "IMAGO_TEST_TEXT=" + text) == 1);
  CHECK(folder_from_environment("IMAGO_TEST_TEXT", "below") == path_of(text) / "below");
  CHECK(environment("IMAGO_TEST_NONE") == std::nullopt);
  test::unset_variable("IMAGO_TEST_TEXT");
  CHECK(folder_from_environment("IMAGO_TEST_TEXT", "below").empty());
}

TEST_CASE("a file is replaced although a reader has it open, and the reader reads the old one") {
  const test::Folder folder;
  const auto path = folder.path() / "file", other = folder.path() / "new";
  write(path, "old");
  write(other, "newer");
  std::atomic<bool> open = false;
  std::string found(3, '\0');
  std::thread reader([&] {  // it closes the file soon, because Windows waits for that
    const Descriptor file(path, Open::read);
    open = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    file.read_at(0, found.data(), found.size());
  });
  while (!open) std::this_thread::yield();
  CHECK(replace_file(other, path) == 0);
  reader.join();
  CHECK(found == "old");
  CHECK(read(path) == "newer");
  CHECK(folder.files().size() == 1);
  CHECK(replace_file(folder.path() / "none", path) == ENOENT);
}

TEST_CASE("the stamp of a file changes with the file") {
  const test::Folder folder;
  const auto path = folder.path() / "file", other = folder.path() / "new";
  write(path, "old");
  const auto before = stamp_of(path);
  REQUIRE(before);
  CHECK(stamp_of(path) == before);
  write(other, "new");
  REQUIRE(replace_file(other, path) == 0);
  CHECK(stamp_of(path) != before);
  CHECK(stamp_of(other) == std::nullopt);
}

TEST_CASE("a descriptor reads beyond 4 GiB") {
  constexpr std::uint64_t kFar = (std::uint64_t{1} << 32) + 5;
  const test::Folder folder;
  const auto path = folder.path() / "large";
  write(path, "start");
  std::ofstream(path, std::ios::binary | std::ios::in).seekp(kFar) << "end";  // sparse on POSIX
  const Descriptor file(path, Open::read);
  REQUIRE(file.facts());
  CHECK(file.facts()->size == kFar + 3);
  char bytes[8] = {};
  CHECK(file.read_at(kFar, bytes, sizeof bytes) == 3);
  CHECK(std::string(bytes) == "end");
  CHECK(file.read_at(kFar + 3, bytes, sizeof bytes) == 0);
}

TEST_CASE("a new file is created once, and a folder is no file") {
  const test::Folder folder;
  const auto path = folder.path() / "file";
  { CHECK(Descriptor(path, Open::create).write("text")); }
  errno = 0;
  CHECK_FALSE(Descriptor(path, Open::create));
  CHECK(errno == EEXIST);
  CHECK(read(path) == "text");
  const Descriptor none(folder.path() / "none", Open::read);
  CHECK(errno == ENOENT);
  CHECK_FALSE(none);
}

TEST_CASE("a nameless file is gone when its last descriptor is closed") {
  const test::Folder folder;
  {
    const Descriptor file(Descriptor::nameless(folder.path()));
    REQUIRE(file.write("text"));
    const Descriptor copy(file.duplicate());
    char bytes[4];
    CHECK(copy.read_at(0, bytes, sizeof bytes) == 4);
  }
  CHECK(folder.files().empty());
}

TEST_CASE("memory is mapped, or not") {
  std::vector<char> memory(100);
  CHECK(is_mapped(memory.data() + 99));
  CHECK_FALSE(is_mapped(reinterpret_cast<void*>(std::uintptr_t{1} << 46)));
  CHECK(memory_bytes() > 1 << 20);
}

TEST_CASE("the running program is known") {
  CHECK(text_of(own_program().filename()).find("imago_test_base") == 0);
}

}  // namespace
}  // namespace imago::base
