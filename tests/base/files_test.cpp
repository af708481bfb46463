// This file tests that files are written atomically.
#include "base/files.hpp"
#include "base/system.hpp"

#include <chrono>
#include <fstream>
#include <iterator>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"

using namespace imago;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("a new file is there when it is committed, and leaves nothing when it is not",
          "[base][files]") {
  const test::Folder folder;
  const auto path = folder.path() / "a";
  {
    base::NewFile file(path);
    file.write("first ");
    file.write("second");
    CHECK(!fs::exists(path));
    file.commit();
    CHECK(file.error() == 0);
  }
  CHECK(read(path) == "first second");
  { base::NewFile(path).write("never seen"); }
  CHECK(read(path) == "first second");
  CHECK(folder.files().size() == 1);
  {
    base::NewFile file(path);
    file.write("third");
    file.commit_to_disk();
    CHECK(file.error() == 0);
  }
  CHECK(read(path) == "third");
  CHECK(folder.files().size() == 1);
}

TEST_CASE("a file that cannot be written says why", "[base][files]") {
  const test::Folder folder;
  base::NewFile nowhere(folder.path() / "none" / "a");
  nowhere.write("x");
  nowhere.commit();
  CHECK(nowhere.error() == ENOENT);
  fs::create_directory(folder.path() / "taken");
  {
    base::NewFile taken(folder.path() / "taken");
    taken.commit();
    CHECK(taken.error() != 0);
  }
  CHECK(folder.files().size() == 1);
}

TEST_CASE("temporary files of writers are removed after an hour", "[base][files]") {
  const test::Folder folder;
  for (const char* name : {"a.1.tmp", "b.1.tmp", "a.2.tmp", "a.txt"}) {
    std::ofstream(folder.path() / name) << "x";
    if (std::string(name) != "a.2.tmp")
      fs::last_write_time(folder.path() / name,
                          fs::file_time_type::clock::now() - std::chrono::hours(2));
  }
  base::remove_stale(folder.path(), "a.");
  CHECK(!fs::exists(folder.path() / "a.1.tmp"));
  CHECK(folder.files().size() == 3);
  base::remove_stale(folder.path());
  CHECK(folder.files().size() == 2);
  CHECK_NOTHROW(base::remove_stale(folder.path() / "none"));
}

TEST_CASE("a folder of the environment", "[base][files]") {
  const test::Variable set("IMAGO_TEST_FOLDER", "/o");
  CHECK(base::folder_from_environment("IMAGO_TEST_FOLDER", "imago") == "/o/imago");
  CHECK(base::folder_from_environment("IMAGO_TEST_FOLDER", "") == "/o");
  const test::Variable empty("IMAGO_TEST_FOLDER", "");
  CHECK(base::folder_from_environment("IMAGO_TEST_FOLDER", "imago").empty());
  CHECK(base::folder_from_environment("IMAGO_TEST_NO_FOLDER", "imago").empty());
}

}  // namespace
