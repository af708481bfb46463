// This file asks the loader of Windows.
#include "exported.hpp"

#include <windows.h>

namespace imago::test::clfft {

void* exported(const char* name) {
  const HMODULE library = ::GetModuleHandleA("clFFT.dll");
  return library ? reinterpret_cast<void*>(::GetProcAddress(library, name)) : nullptr;
}

}  // namespace imago::test::clfft
