// This file finds functions of DLLs.
#include "base/windows.hpp"
#include "formats/shared_library.hpp"

namespace imago::formats {

const char* const kSoundLibrary = "sndfile.dll";

void* shared_function(const char* library, const char* name) {
  const HMODULE handle = ::LoadLibraryA(library);
  return handle ? reinterpret_cast<void*>(::GetProcAddress(handle, name)) : nullptr;
}

}  // namespace imago::formats
