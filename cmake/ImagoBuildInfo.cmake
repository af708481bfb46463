# imago_build_info: <build_info.hpp> for the programs that report how they were built.
set(folder ${PROJECT_BINARY_DIR}/build_info)
add_custom_target(imago_build_info_file
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DTARGET=${folder}/build_info.hpp
    -DVERSION=${PROJECT_VERSION} -DBUILD_TYPE=$<CONFIG>
    "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    -P ${PROJECT_SOURCE_DIR}/cmake/build_info.cmake
  BYPRODUCTS ${folder}/build_info.hpp VERBATIM)
add_library(imago_build_info INTERFACE)
add_dependencies(imago_build_info imago_build_info_file)
target_include_directories(imago_build_info INTERFACE ${folder})
