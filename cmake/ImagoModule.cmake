# One CMake target per module, with include paths that make an illegal include fail. Modules are the
# folders of src/ and the host interpreter of the tests.
#
# imago_module(<name> [OPENCL] [APART] [DEPENDS <module>...] [ALONE <file>...]) compiles every .cpp
# of the calling folder, and the ALONE files separately (imago_alone). Only its dependants see a
# module, under a separate folder: <build>/modules/<name>/<name> -> its folder. So `#include
# "kernel/step.hpp"` works only in a module whose DEPENDS lists `kernel` (or a module that depends
# on it). Without OPENCL, any OpenCL header is an error. Modules that are APART are for the tests
# and the tools; the library does not contain them. Includes that would bypass the include paths
# stop the build (CheckIncludes.cmake).
function(imago_module name)
  cmake_parse_arguments(arg "OPENCL;APART" "" "DEPENDS;ALONE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  imago_for_this_system(sources)
  set(view ${PROJECT_BINARY_DIR}/modules/${name})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${view}/${name} SYMBOLIC)
  imago_check_includes(${name} checked)

  add_library(imago_${name} OBJECT ${sources} ${checked})
  imago_alone(${arg_ALONE})
  set_target_properties(imago_${name} PROPERTIES
    LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(imago_${name} PUBLIC cxx_std_20)
  target_compile_definitions(imago_${name} PRIVATE IMAGO_BUILDING)
  target_compile_options(imago_${name} PRIVATE -Wall -Wextra -Wpedantic)
  target_include_directories(imago_${name} PUBLIC ${view} ${PROJECT_SOURCE_DIR}/include)
  if(arg_OPENCL)
    target_include_directories(imago_${name} SYSTEM PUBLIC
      ${OpenCL_INCLUDE_DIRS} ${IMAGO_OPENCL_HPP_DIR})
    target_compile_definitions(imago_${name} PRIVATE
      CL_TARGET_OPENCL_VERSION=300 CL_HPP_TARGET_OPENCL_VERSION=300)
  else()
    target_include_directories(imago_${name} BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/cmake/no_opencl)
  endif()
  foreach(module IN LISTS arg_DEPENDS)
    target_include_directories(imago_${name} PUBLIC
      $<TARGET_PROPERTY:imago_${module},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  set_property(TARGET imago_${name} PROPERTY IMAGO_DEPENDS ${arg_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY IMAGO_MODULES imago_${name})
  if(NOT arg_APART)
    set_property(GLOBAL APPEND PROPERTY IMAGO_SHIPPED_MODULES imago_${name})
  endif()
endfunction()

# imago_link_modules(<target> <module>...) links a program with the objects of these modules and of
# those that they depend on, and with nothing else of the library.
function(imago_link_modules target)
  set(found "")
  set(next ${ARGN})
  while(next)
    list(APPEND found ${next})
    set(depends "")
    foreach(module IN LISTS next)
      get_property(direct TARGET imago_${module} PROPERTY IMAGO_DEPENDS)
      list(APPEND depends ${direct})
    endforeach()
    list(REMOVE_ITEM depends ${found})
    list(REMOVE_DUPLICATES depends)
    set(next ${depends})
  endwhile()
  list(TRANSFORM found PREPEND imago_)
  target_link_libraries(${target} PRIVATE ${found} Threads::Threads)
endfunction()

# Removes from a list the files of other operating systems: those that end in _windows.cpp or
# _posix.cpp (of tests, _windows_test.cpp or _posix_test.cpp).
function(imago_for_this_system files)
  if(WIN32)
    set(others posix)
  else()
    set(others windows)
  endif()
  list(FILTER ${files} EXCLUDE REGEX "_${others}(_test)?\\.cpp$")
  set(${files} ${${files}} PARENT_SCOPE)
  # The macros of Windows' headers must not reach other files.
  set(own ${${files}})
  list(FILTER own INCLUDE REGEX "_windows(_test)?\\.cpp$")
  if(own)
    imago_alone(${own})
  endif()
endfunction()

# If CMAKE_UNITY_BUILD compiles a target's files together, compiles these files of the calling
# folder separately, because names in their unnamed namespaces clash with those of other files.
function(imago_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# Checks the includes of the calling folder before the module <name> compiles, and again after each
# change of one of its files. Sets <stamp> to the file that records the check.
function(imago_check_includes name stamp)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${CMAKE_CURRENT_SOURCE_DIR}/*.hpp)
  set(output ${PROJECT_BINARY_DIR}/modules/${name}/includes_checked)
  set(script ${PROJECT_SOURCE_DIR}/cmake/CheckIncludes.cmake)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D FOLDERS=${CMAKE_CURRENT_SOURCE_DIR} -P ${script}
    COMMAND ${CMAKE_COMMAND} -E touch ${output}
    DEPENDS ${files} ${script}
    COMMENT "Checking the includes of ${name}" VERBATIM)
  set(${stamp} ${output} PARENT_SCOPE)
endfunction()
