// This file asks the loader of POSIX systems.
#include "exported.hpp"

#include <dlfcn.h>

namespace imago::test::clfft {

void* exported(const char* name) {
  void* const library = dlopen("libclFFT.so.2", RTLD_NOW | RTLD_NOLOAD);
  return library ? dlsym(library, name) : nullptr;
}

}  // namespace imago::test::clfft
