// This file reads the files of OwnFile.
#include "base/own_folder.hpp"

namespace imago::base {

std::size_t OwnFile::read(char* bytes, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    const auto part = file_.read(bytes + done, count - done);
    if (part <= 0) break;
    done += static_cast<std::size_t>(part);
  }
  return done;
}

}  // namespace imago::base
