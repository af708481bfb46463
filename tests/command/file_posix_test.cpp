// This file tests links and pipes as files.
#include <thread>

#include <sys/stat.h>

#include "fixtures.hpp"
#include "formats/file.hpp"
#include "support/catch.hpp"

namespace imago::formats {
namespace {

using test::ContainsSubstring;
using test::spill;
using test::TemporaryFolder;

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

TEST_CASE("a pipe is not replaced by an output file") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_THROWS_WITH(OutputFile(folder / "pipe"), ContainsSubstring("not a regular file"));
}

TEST_CASE("data from a pipe can be read in any order") {
  const TemporaryFolder folder;
  const std::string text = [] {
    std::string numbers;
    for (int i = 0; i < 100000; ++i) numbers += std::to_string(i) + ' ';
    return numbers;
  }();
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::thread writer([&] { spill(folder / "pipe", text); });
  InputFile file(folder / "pipe");
  writer.join();
  CHECK(file.size() == text.size());
  std::string part(10, ' ');
  for (const std::uint64_t from : {std::uint64_t{500000}, std::uint64_t{0}, std::uint64_t{77}}) {
    file.read(from, part.data(), part.size());
    CHECK(part == text.substr(from, part.size()));
  }
  CHECK_THROWS_WITH(file.read(text.size() - 5, part.data(), part.size()),
                    ContainsSubstring("shorter than it was"));
  CHECK(folder.files() == 1);
}

}  // namespace
}  // namespace imago::formats
