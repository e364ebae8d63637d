# SPDX-License-Identifier: BSL-1.0
# `cmake --install`: the headers and a package, so that find_package(weft) gives weft::weft.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(TARGETS weft EXPORT weft-targets)
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT weft-targets NAMESPACE weft:: DESTINATION ${package_dir})
configure_package_config_file(cmake/weft-config.cmake.in ${PROJECT_BINARY_DIR}/weft-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weft-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/model.cmake DESTINATION ${package_dir} RENAME weft-model.cmake)
install(FILES
  ${PROJECT_BINARY_DIR}/weft-config.cmake
  ${PROJECT_BINARY_DIR}/weft-config-version.cmake
  DESTINATION ${package_dir})
