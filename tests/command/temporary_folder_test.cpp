// This file checks that temporary folders are removed, with their process or at the next start.
#include "temporary_folder.hpp"

#include "support/catch.hpp"

#include <filesystem>
#include <fstream>

#include "support/folder.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

namespace fs = std::filesystem;
using command::TemporaryFolder;

TEST_CASE("a temporary folder goes with its owner", "[command]") {
  const test::Folder folder;
  const test::Variable variable(test::kTemporaryFolder, folder.path().string());
  fs::path path;
  {
    const TemporaryFolder temporary("imago-tune");
    path = temporary.path();
    CHECK(path.parent_path() == folder.path());
    std::ofstream(path / "kernel") << "x";
    CHECK(fs::exists(path / "kernel"));
  }
  CHECK(!fs::exists(path));
}

TEST_CASE("a new temporary folder removes stale ones, and keeps used and foreign ones",
          "[command]") {
  const test::Folder folder;
  const test::Variable variable(test::kTemporaryFolder, folder.path().string());
  const fs::path stale = folder.path() / "imago-tune-aaaaaa",
                 other = folder.path() / "imago-tuneup", elsewhere = folder.path() / "elsewhere",
                 link = folder.path() / "imago-tune-link";
  const TemporaryFolder used("imago-tune");
  for (const auto& each : {stale, other, elsewhere}) {
    fs::create_directories(each / "kernels");
    std::ofstream(each / "kernels" / "kernel") << "x";
  }
  std::ofstream(stale / "in_use") << "x";  // the file of an owner on Windows, where it is not open
  std::error_code no_links;                // Wine has none
  fs::create_directory_symlink(elsewhere, link, no_links);
  const TemporaryFolder next("imago-tune");
  CHECK(!fs::exists(stale));
  CHECK(fs::exists(used.path()));
  CHECK(fs::exists(next.path()));
  CHECK(fs::exists(other / "kernels" / "kernel"));
  CHECK(fs::exists(elsewhere / "kernels" / "kernel"));
}

}  // namespace
}  // namespace imago
