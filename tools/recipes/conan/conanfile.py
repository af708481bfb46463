"""Conan 2's recipe of imago, from the checkout that it lies in. Untried."""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Imago(ConanFile):
    name = "imago"
    version = "0.1.0"
    license = "Apache-2.0"
    description = "Orthogonal transforms on any OpenCL device"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False]}
    default_options = {"shared": True}

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "kernels/*", "src/*", "tuning/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("nlohmann_json/3.11.3", visible=False)
        self.requires("opencl-icd-loader/2023.12.14", transitive_headers=True)
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

    def package_info(self):
        self.cpp_info.libs = ["imago"]
        if not self.options.shared:
            self.cpp_info.defines = ["IMAGO_STATIC"]
            self.cpp_info.system_libs = ["pthread"]
