// This file implements OwnFolder and OwnFile with the owners and access control lists of Windows.
#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/own_folder.hpp"
#include "base/system.hpp"
#include "base/windows.hpp"

#include <aclapi.h>
#include <sddl.h>

namespace imago::base {
namespace {

namespace fs = std::filesystem;

constexpr DWORD kRead = GENERIC_READ;                   // includes the right to read owners
constexpr DWORD kLinks = FILE_FLAG_OPEN_REPARSE_POINT;  // opens a link, not its target
constexpr DWORD kWrites = FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_DELETE_CHILD | WRITE_DAC |
                          WRITE_OWNER | GENERIC_WRITE | GENERIC_ALL;

std::string message_of(int code) { return std::generic_category().message(code); }

/// The security identifier of this process's user.
class User {
 public:
  User() {
    HANDLE token = nullptr;
    if (!::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token)) return;
    const Handle owned(token);
    DWORD size = 0;
    ::GetTokenInformation(token, TokenUser, nullptr, 0, &size);
    bytes_.resize(size);
    if (!::GetTokenInformation(token, TokenUser, bytes_.data(), size, &size)) bytes_.clear();
  }
  bool is(PSID other) const {
    if (bytes_.empty()) return false;
    return ::EqualSid(reinterpret_cast<const TOKEN_USER*>(bytes_.data())->User.Sid, other) != 0;
  }

 private:
  std::vector<char> bytes_;
};

bool is_one_of(PSID who, std::initializer_list<WELL_KNOWN_SID_TYPE> kinds) {
  for (const WELL_KNOWN_SID_TYPE kind : kinds)
    if (::IsWellKnownSid(who, kind)) return true;
  return false;
}

bool is_system(PSID who) {
  return is_one_of(who, {WinLocalSystemSid, WinBuiltinAdministratorsSid});
}

/// An elevated process of an administrator makes files that belong to the administrators.
bool allowed(PSID who) {
  static const User user;
  return user.is(who) || is_system(who);
}

/// True if an entry of an access control list lets others than the allowed owners write.
bool opens(PACL list, DWORD i) {
  void* entry = nullptr;
  if (!::GetAce(list, i, &entry)) return true;
  const auto* const allow = static_cast<const ACCESS_ALLOWED_ACE*>(entry);
  if (allow->Header.AceType != ACCESS_ALLOWED_ACE_TYPE) return false;
  if ((allow->Header.AceFlags & INHERIT_ONLY_ACE) != 0 || (allow->Mask & kWrites) == 0)
    return false;
  const auto who = const_cast<DWORD*>(&allow->SidStart);
  return !allowed(who) && !is_one_of(who, {WinCreatorOwnerSid});
}

/// Returns the problem with the owner or the write permissions; empty if there is none.
std::string strangers(HANDLE file) {
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR about = nullptr;
  const DWORD error = ::GetSecurityInfo(file, SE_FILE_OBJECT,
                                        OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                        &owner, nullptr, &list, nullptr, &about);
  if (error != ERROR_SUCCESS) return message_of(errno_of(error));
  std::string why;
  if (!owner || !allowed(owner)) why = "it belongs to another user";
  if (why.empty() && !list) why = "it can be written by others";  // no list: all may do all
  for (DWORD i = 0; why.empty() && i < list->AceCount; ++i)
    if (opens(list, i)) why = "it can be written by others";
  ::LocalFree(about);
  return why;
}

HANDLE handle_of(const Descriptor& file) {
  return reinterpret_cast<HANDLE>(::_get_osfhandle(file.get()));
}

/// Opens a folder or a file; -1 and errno on failure.
int opened(const fs::path& path, DWORD access, DWORD flags) {
  const HANDLE open =
      open_shared(path.c_str(), access, OPEN_EXISTING, flags | FILE_FLAG_BACKUP_SEMANTICS);
  if (open == INVALID_HANDLE_VALUE) return errno = errno_of(::GetLastError()), -1;
  return ::_open_osfhandle(reinterpret_cast<intptr_t>(open), _O_RDONLY | _O_BINARY);
}

/// Opens a file to read it and to set its time, or only to read it.
int opened_to_touch(const fs::path& path) {
  const int file = opened(path, kRead | FILE_WRITE_ATTRIBUTES, kLinks);
  return file < 0 && errno == EACCES ? opened(path, kRead, kLinks) : file;
}

DWORD attributes_of(const Descriptor& file) {
  BY_HANDLE_FILE_INFORMATION about{};
  return ::GetFileInformationByHandle(handle_of(file), &about) ? about.dwFileAttributes : 0;
}

}  // namespace

OwnFolder::OwnFolder(const fs::path& path, Owner owner)
    : path_(path), folder_(opened(path, kRead, 0)), owner_(owner) {
  if (!folder_) {
    if (errno != ENOENT) why_ = message_of(errno);
  } else if ((attributes_of(folder_) & FILE_ATTRIBUTE_DIRECTORY) == 0) {
    why_ = message_of(ENOTDIR);
  } else {
    why_ = strangers(handle_of(folder_));
  }
}

OwnFile::OwnFile(const OwnFolder& folder, const std::string& name)
    : file_(opened_to_touch(folder.path() / path_of(name))) {
  if (!file_) {
    absent_ = errno == ENOENT;
    if (!absent_) why_ = message_of(errno);
    return;
  }
  const DWORD attributes = attributes_of(file_);
  const auto about = file_.facts();
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    why_ = "it is a link";
  } else if (!about || !about->regular) {
    why_ = "it is not a regular file";
  } else {
    why_ = strangers(handle_of(file_));
    size_ = about->size;
  }
}

void OwnFile::touch() {
  FILETIME now{};
  ::GetSystemTimeAsFileTime(&now);
  ::SetFileTime(handle_of(file_), nullptr, &now, &now);
}

int make_own_folder(const fs::path& path) {
  // Folders of a user's profile inherit a list that lets only the user in; elsewhere OwnFolder
  // finds what others may do.
  std::error_code error;
  fs::create_directories(path, error);
  return fs::is_directory(path) ? 0 : error ? error.default_error_condition().value() : ENOTDIR;
}

}  // namespace imago::base
