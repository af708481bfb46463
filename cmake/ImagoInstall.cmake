# Installs the library, its headers, a CMake package and pkg-config files. All of them find each
# other by relative paths, so an installed tree may be moved. Components: library, development,
# command, clfft, mpi; packages consist of them (cmake/ImagoPackages.cmake, debian/).
include(CMakePackageConfigHelpers)

set(imago_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/imago)
install(TARGETS imago imago_tune EXPORT imagoTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/imago
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.f90")
install(EXPORT imagoTargets NAMESPACE imago:: DESTINATION ${imago_package_dir} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)

set(imago_clfft_dir ${CMAKE_INSTALL_LIBDIR}/imago)  # compat/clfft installs to it
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/imagoConfig.cmake.in ${PROJECT_BINARY_DIR}/imagoConfig.cmake
  INSTALL_DESTINATION ${imago_package_dir} PATH_VARS imago_clfft_dir NO_SET_AND_CHECK_MACRO)
configure_file(${PROJECT_SOURCE_DIR}/cmake/imagoConfigVersion.cmake.in
  ${PROJECT_BINARY_DIR}/imagoConfigVersion.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/imagoConfig.cmake ${PROJECT_BINARY_DIR}/imagoConfigVersion.cmake
  DESTINATION ${imago_package_dir} COMPONENT development)

# pkg-config: the prefix is relative to the .pc file, unless a folder was given as an absolute path.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_LIBDIR})
else()
  file(RELATIVE_PATH pc_up /${pc_dir} /)
  string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_up}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
else()
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
foreach(name imago imago-host)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pc_dir} COMPONENT development)
endforeach()
