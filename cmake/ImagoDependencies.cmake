# The dependencies of the library itself: OpenCL's loader, its C headers and its C++ header,
# threads, and a JSON parser (headers that only imago's own build uses).
find_package(OpenCL REQUIRED)
find_package(Threads REQUIRED)
find_package(nlohmann_json REQUIRED)

find_path(IMAGO_OPENCL_HPP_DIR CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIRS})
mark_as_advanced(IMAGO_OPENCL_HPP_DIR)
if(NOT IMAGO_OPENCL_HPP_DIR)
  message(FATAL_ERROR "CL/opencl.hpp was not found: install OpenCL's C++ header "
    "(Debian and Ubuntu: opencl-clhpp-headers) or set IMAGO_OPENCL_HPP_DIR to the folder that holds CL/")
endif()
