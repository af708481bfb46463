// This file implements OwnFolder and OwnFile with POSIX owners and modes.
#include "base/own_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace imago::base {
namespace {

namespace fs = std::filesystem;

std::string text_of(int code) { return std::generic_category().message(code); }

bool allowed(uid_t user, Owner owner) {
  return user == ::geteuid() || (owner == Owner::user_or_root && user == 0);
}

/// Returns the problem with the owner or the write permissions; empty if there is none.
std::string strangers(const struct stat& about, Owner owner, const std::string& it) {
  if (!allowed(about.st_uid, owner))
    return it + " belongs to user " + std::to_string(about.st_uid) + ", not to user " +
           std::to_string(::geteuid()) + (owner == Owner::user_or_root ? " or root" : "");
  if ((about.st_mode & (S_IWGRP | S_IWOTH)) != 0) return it + " can be written by others";
  return {};
}

}  // namespace

OwnFolder::OwnFolder(const fs::path& path, Owner owner)
    : path_(path),
      folder_(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)),
      owner_(owner) {
  const int code = errno;
  struct stat name {
  }, about{};
  if (!folder_) {
    if (code != ENOENT && code != ENOTDIR) why_ = text_of(code);
    if (code == ENOTDIR && ::lstat(path.c_str(), &name) == 0) why_ = text_of(code);
  } else if (::lstat(path.c_str(), &name) != 0 || ::fstat(folder_.get(), &about) != 0) {
    why_ = text_of(errno);
  } else if (S_ISLNK(name.st_mode) && !allowed(name.st_uid, owner)) {
    why_ = "it is a link of user " + std::to_string(name.st_uid);
  } else {
    why_ = strangers(about, owner, "it");
  }
}

OwnFile::OwnFile(const OwnFolder& folder, const std::string& name)
    : file_(::openat(folder.get(), name.c_str(),
                     O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC)) {
  struct stat about {};
  if (!file_) {
    absent_ = errno == ENOENT;
    if (!absent_) why_ = errno == ELOOP ? "it is a link" : text_of(errno);
  } else if (::fstat(file_.get(), &about) != 0) {
    why_ = text_of(errno);
  } else if (!S_ISREG(about.st_mode)) {
    why_ = "it is not a regular file";
  } else {
    why_ = strangers(about, folder.owner(), "it");
    size_ = static_cast<std::uint64_t>(about.st_size);
  }
}

void OwnFile::touch() { ::futimens(file_.get(), nullptr); }

int make_own_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), S_IRWXU) == 0) return 0;
  if (errno != ENOENT || !path.has_parent_path()) return errno == EEXIST ? 0 : errno;
  std::error_code error;
  // "a/b/" has the parent "a/b".
  const fs::path folder = path.has_filename() ? path : path.parent_path();
  fs::create_directories(folder.parent_path(), error);
  if (error) return error.value();
  return ::mkdir(folder.c_str(), S_IRWXU) == 0 || errno == EEXIST ? 0 : errno;
}

}  // namespace imago::base
