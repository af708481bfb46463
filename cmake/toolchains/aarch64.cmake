# Builds for 64-bit Arm Linux on another machine, with Debian's g++-aarch64-linux-gnu. IMAGO_SYSROOT
# is a folder with the arm64 packages of the same release (.ci/arm makes one). Tests run in QEMU's
# user emulator, which finds the libraries in that folder.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(IMAGO_SYSROOT "" CACHE PATH "Folder with the arm64 packages")
if(NOT EXISTS ${IMAGO_SYSROOT}/usr/lib/aarch64-linux-gnu)
  message(FATAL_ERROR "IMAGO_SYSROOT (\"${IMAGO_SYSROOT}\") has no usr/lib/aarch64-linux-gnu: "
    "set it to a folder with the arm64 packages, such as the one that .ci/arm makes")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES IMAGO_SYSROOT)
set(CMAKE_SYSROOT ${IMAGO_SYSROOT})
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

find_program(IMAGO_QEMU NAMES qemu-aarch64-static qemu-aarch64)
if(IMAGO_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${IMAGO_QEMU} -L ${IMAGO_SYSROOT})
endif()
