# The CMake package clFFT, provided by imago. It defines the same variables as clFFT's own package,
# but names imago's library. The header is the system's.
find_path(CLFFT_INCLUDE_DIRS clFFT.h)
if(NOT CLFFT_INCLUDE_DIRS)
  set(clFFT_FOUND FALSE)
  set(clFFT_NOT_FOUND_MESSAGE "clFFT.h is not found (Debian and Ubuntu: libclfft-dev)")
  return()
endif()
if(NOT TARGET clFFT)
  add_library(clFFT SHARED IMPORTED)
  set_target_properties(clFFT PROPERTIES
    IMPORTED_LOCATION ${CMAKE_CURRENT_LIST_DIR}/libclFFT.so.2
    IMPORTED_SONAME libclFFT.so.2
    INTERFACE_INCLUDE_DIRECTORIES ${CLFFT_INCLUDE_DIRS})
endif()
set(CLFFT_LIBRARIES clFFT)
