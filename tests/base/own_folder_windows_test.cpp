// This file tests which folders and files are trusted on Windows.
#include "base/own_folder.hpp"

#include <fstream>

#include "base/windows.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"

#include <aclapi.h>

namespace imago::base {
namespace {

/// Lets everyone do something with a file or a folder.
void allow_everyone(const std::filesystem::path& path, DWORD rights) {
  EXPLICIT_ACCESSW everyone{};
  everyone.grfAccessPermissions = rights;
  everyone.grfAccessMode = GRANT_ACCESS;
  everyone.grfInheritance = NO_INHERITANCE;
  everyone.Trustee.TrusteeForm = TRUSTEE_IS_NAME;
  everyone.Trustee.ptstrName = const_cast<wchar_t*>(L"EVERYONE");
  std::wstring name = path.wstring();
  PACL before = nullptr, after = nullptr;
  PSECURITY_DESCRIPTOR about = nullptr;
  REQUIRE(GetNamedSecurityInfoW(name.data(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr,
                                nullptr, &before, nullptr, &about) == ERROR_SUCCESS);
  REQUIRE(SetEntriesInAclW(1, &everyone, before, &after) == ERROR_SUCCESS);
  REQUIRE(SetNamedSecurityInfoW(name.data(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr,
                                nullptr, after, nullptr) == ERROR_SUCCESS);
  LocalFree(after);
  LocalFree(about);
}

TEST_CASE("a folder of the user is trusted, with the files in it") {
  const test::Folder at;
  const auto path = at.path() / "made" / "deep";
  REQUIRE(make_own_folder(path) == 0);
  const OwnFolder folder(path);
  INFO(folder.why());
  REQUIRE(folder);
  CHECK(OwnFile(folder, "none").absent());
  std::ofstream(path / "file", std::ios::binary) << "text";
  OwnFile file(folder, "file");
  INFO(file.why());
  REQUIRE(file);
  CHECK(file.size() == 4);
  char bytes[8];
  CHECK(file.read(bytes, sizeof bytes) == 4);
  file.touch();
  CHECK_FALSE(OwnFolder(path / "file"));
  CHECK(OwnFolder(path / "none").why().empty());
}

TEST_CASE("a folder that everyone can write is not trusted") {
  const test::Folder at;
  REQUIRE(OwnFolder(at.path()));
  allow_everyone(at.path(), FILE_GENERIC_READ | FILE_GENERIC_EXECUTE);
  CHECK(OwnFolder(at.path()));
  allow_everyone(at.path(), FILE_GENERIC_READ | FILE_GENERIC_WRITE);
  CHECK(OwnFolder(at.path()).why() == "it can be written by others");
}

TEST_CASE("a file that everyone can write is not trusted, and a folder is no file") {
  const test::Folder at;
  std::ofstream(at.path() / "file", std::ios::binary) << "text";
  std::filesystem::create_directory(at.path() / "folder");
  const OwnFolder folder(at.path());
  REQUIRE(OwnFile(folder, "file"));
  allow_everyone(at.path() / "file", FILE_GENERIC_READ | FILE_GENERIC_WRITE);
  CHECK(OwnFile(folder, "file").why() == "it can be written by others");
  CHECK(OwnFile(folder, "folder").why() == "it is not a regular file");
}

}  // namespace
}  // namespace imago::base
