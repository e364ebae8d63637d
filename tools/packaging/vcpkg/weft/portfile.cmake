# SPDX-License-Identifier: BSL-1.0
# An overlay port of the checkout that this file lies in: --overlay-ports=tools/packaging/vcpkg.
# A port that fetches a release has vcpkg_from_github here, and is the same below.
cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE here)
cmake_path(SET SOURCE_PATH NORMALIZE "${here}/../../../..")

set(VCPKG_BUILD_TYPE release)  # headers alone; the tools are for building with
vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES tools WEFT_BUILD_TOOLS)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS ${options})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/weft)
vcpkg_fixup_pkgconfig()
if("tools" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES weft-run weft-explain weft-freeze AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug" "${CURRENT_PACKAGES_DIR}/lib"
  "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
