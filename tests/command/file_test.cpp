// This file tests that files are read whole, and written whole or not at all.
#include "formats/file.hpp"

#include <sys/stat.h>

#include "fixtures.hpp"
#include "support/catch.hpp"

namespace imago::formats {
namespace {

using test::ContainsSubstring;
using test::spill;
using test::TemporaryFolder;

TEST_CASE("a file is there only after commit, and replaces what was there") {
  const TemporaryFolder folder;
  spill(folder / "a", "old");
  {
    OutputFile file(folder / "a");
    file.write("half");
  }
  CHECK(read_file(folder / "a") == "old");
  CHECK(folder.files() == 1);
  OutputFile file(folder / "a");
  file.write(std::string("new\0text", 8));
  CHECK(read_file(folder / "a") == "old");
  file.commit();
  CHECK(read_file(folder / "a") == std::string("new\0text", 8));
  CHECK(folder.files() == 1);
}

TEST_CASE("a link stays a link") {
  const TemporaryFolder folder;
  spill(folder / "real", "old");
  std::filesystem::create_symlink(folder / "real", folder / "link");
  OutputFile file(folder / "link");
  file.write("new");
  file.commit();
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(read_file(folder / "real") == "new");
}

TEST_CASE("what cannot be read or written is named") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_file(folder / "none"), ContainsSubstring("none: there is no such file"));
  CHECK_THROWS_WITH(read_file(folder / ""), ContainsSubstring("not a regular file"));
  CHECK_THROWS_WITH(OutputFile(folder / "none/file"), ContainsSubstring("cannot be written"));
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(OutputFile(folder / "pipe"), ContainsSubstring("not a regular file"));
  CHECK_THROWS_WITH(read_file(folder / "pipe"), ContainsSubstring("not a regular file"));
}

}  // namespace
}  // namespace imago::formats
