// This file includes the headers of Windows, and translates their errors.
#pragma once

#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <memory>

namespace imago::base {

/// Returns the errno of a Windows error code.
int errno_of(DWORD error);

struct CloseHandle {
  void operator()(HANDLE handle) const { ::CloseHandle(handle); }
};
/// An owner of a handle; null means none.
using Handle = std::unique_ptr<void, struct CloseHandle>;

/// Opens a file so that others may read, write, rename and remove it meanwhile, as on POSIX
/// systems. INVALID_HANDLE_VALUE and GetLastError() on failure.
HANDLE open_shared(const wchar_t* path, DWORD access, DWORD disposition, DWORD flags);

}  // namespace imago::base
