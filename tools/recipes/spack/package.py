"""Spack's recipe of imago (Spack 1.0 and later). The address and the hash of the archive are to be filled in."""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import depends_on, license, variant, version


class Imago(CMakePackage):
    """Orthogonal transforms on any OpenCL device, with kernels written at run time."""

    homepage = "https://imago.invalid/"
    url = "https://imago.invalid/imago-0.1.0.tar.gz"
    license("Apache-2.0")
    version("0.1.0", sha256="0" * 64)

    variant("shared", default=True, description="Build the shared library")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("nlohmann-json@3.10:", type="build")
    depends_on("opencl@1.2:")
    depends_on("opencl-clhpp@2.0.16:")  # CL/opencl.hpp

    def cmake_args(self):
        parts = ("TESTS", "TOOLS", "BENCH", "CLFFT", "MPI")
        return [self.define(f"IMAGO_BUILD_{part}", False) for part in parts] + [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared")
        ]
