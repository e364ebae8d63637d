# SPDX-License-Identifier: BSL-1.0
"""weft for Conan 2, out of the checkout that this file lies in: `conan create tools/packaging/conan`.
Headers alone: one package for all settings."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class Weft(ConanFile):
    name = "weft"
    description = "Tensors recorded, transformed and fused at compile time"
    license = "BSL-1.0"
    topics = ("tensor", "autodiff", "simd", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    # What the headers beside weft.hpp need: cmake/parts.cmake has the table.
    options = {part: [True, False] for part in ("io", "npz", "png", "opencl", "xsimd")}
    default_options = {part: False for part in options}
    no_copy_source = True

    @property
    def checkout(self):
        return os.path.join(self.recipe_folder, "..", "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self.checkout, "CMakeLists.txt"))
        self.version = re.search(r"project\(weft VERSION ([\d.]+)", text)[1]

    def export_sources(self):
        for name in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "tools/programs/*"):
            copy(self, name, self.checkout, self.export_sources_folder)

    def requirements(self):
        if self.options.io or self.options.npz:
            self.requires("nlohmann_json/[>=3.11 <4]")
        if self.options.npz:
            self.requires("libzip/[>=1.7 <2]")
        if self.options.png:
            self.requires("libpng/[>=1.6 <2]")
        if self.options.opencl:
            self.requires("opencl-headers/[>=2022]")
        if self.options.xsimd:
            self.requires("xsimd/[>=8 <14]")

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        CMakeToolchain(self).generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        # The package's own weft-config.cmake: weft_add_part and weft_add_model come with it.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "weft")]
        self.cpp_info.set_property("pkg_config_name", "weft")
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        if self.settings.get_safe("os") in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread", "dl"]
