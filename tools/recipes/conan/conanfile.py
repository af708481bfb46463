"""Conan 2's recipe of imago, from the checkout that it lies in: `conan create tools/recipes/conan -s compiler.cppstd=20`.

Tried on Debian 12 with stand-ins of the four packages that it asks for, made of Debian's files: ConanCenter was out of reach.
"""

import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir


class Imago(ConanFile):
    name = "imago"
    version = "0.1.0"
    license = "Apache-2.0"
    description = "Orthogonal transforms on any OpenCL device"
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False]}
    # A program must have only one loader, so imago and the program share it.
    default_options = {"shared": True, "opencl-icd-loader/*:shared": True}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "kernels/*", "src/*", "tuning/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def requirements(self):
        self.requires("nlohmann_json/3.11.3", visible=False)
        self.requires("opencl-icd-loader/2023.12.14", transitive_headers=True, transitive_libs=True)
        self.requires("opencl-clhpp-headers/2023.12.14", transitive_headers=True)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "TOOLS", "BENCH", "CLFFT", "MPI"):
            toolchain.cache_variables[f"IMAGO_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan writes both for each user of the package.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        self.cpp_info.libs = ["imago"]
        if not self.options.shared:
            self.cpp_info.defines = ["IMAGO_STATIC"]
            self.cpp_info.system_libs = ["pthread"]
