# SPDX-License-Identifier: BSL-1.0
# `cmake --install`: the headers, a package that find_package(weft) finds, and weft.pc. Wherever the
# folder is moved afterwards, both find the headers beside themselves.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(TARGETS weft EXPORT weft-targets)
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT weft-targets NAMESPACE weft:: DESTINATION ${package_dir})
configure_package_config_file(cmake/weft-config.cmake.in ${PROJECT_BINARY_DIR}/weft-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weft-config-version.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/model.cmake DESTINATION ${package_dir} RENAME weft-model.cmake)
install(FILES cmake/parts.cmake DESTINATION ${package_dir} RENAME weft-parts.cmake)
install(FILES
  ${PROJECT_BINARY_DIR}/weft-config.cmake
  ${PROJECT_BINARY_DIR}/weft-config-version.cmake
  DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Headers for any machine: weft.pc is in share/, as the headers of other such libraries are.
set(pc_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)
set(pc_includes ${CMAKE_INSTALL_INCLUDEDIR})
cmake_path(IS_ABSOLUTE pc_includes is_fixed)
if(is_fixed)
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  cmake_path(ABSOLUTE_PATH pc_dir BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE pc_place)
  file(RELATIVE_PATH pc_prefix ${pc_place} ${CMAKE_INSTALL_PREFIX})
  string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_prefix}")
  set(pc_includes "\${prefix}/${pc_includes}")
endif()
set(pc_libraries "-pthread")
foreach(library IN LISTS CMAKE_DL_LIBS)
  string(APPEND pc_libraries " -l${library}")
endforeach()
configure_file(cmake/weft.pc.in ${PROJECT_BINARY_DIR}/weft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weft.pc DESTINATION ${pc_dir})
