// This file tests that files are read completely and written atomically.
#include "formats/file.hpp"

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

TEST_CASE("exceptions name a file that cannot be read or written") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH(read_file(folder / "none"), ContainsSubstring("none: there is no such file"));
  CHECK_THROWS_WITH(read_file(folder / ""), ContainsSubstring("neither a regular file nor a pipe"));
  CHECK_THROWS_WITH(OutputFile(folder / "none/file"), ContainsSubstring("cannot be written"));
}

}  // namespace
}  // namespace imago::formats
