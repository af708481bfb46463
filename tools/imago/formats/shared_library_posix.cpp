// This file finds functions of shared libraries with POSIX.
#include <dlfcn.h>

#include "formats/shared_library.hpp"

namespace imago::formats {

const char* const kSoundLibrary = "libsndfile.so.1";

void* shared_function(const char* library, const char* name) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return handle ? dlsym(handle, name) : nullptr;
}

}  // namespace imago::formats
