# Cross-compiles for 64-bit Windows with Debian's mingw-w64 (g++-mingw-w64-x86-64-posix), whose
# posix threads std::thread needs. Programs start without mingw's own DLLs: its run time is linked
# into each. tools/mingw.sh makes the libraries that Debian does not have for Windows; set
# CMAKE_FIND_ROOT_PATH to their folder. `cmake --build` and ctest run programs under Wine if it is
# installed.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-static")
endforeach()
set(CMAKE_CXX_FLAGS_INIT "-Wa,-mbig-obj")
list(APPEND CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(IMAGO_WINE NAMES wine64 wine PATHS /usr/lib/wine)
if(IMAGO_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${IMAGO_WINE})
endif()
