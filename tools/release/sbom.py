"""This file writes imago's bill of materials, a JSON file of SPDX 2.3.

sbom.py --commit COMMIT --time SECONDS [--loader VERSION] [--output FILE]

It lists the software that imago needs, at build time, at run time and for tests, with licences.
Versions are the least ones that imago accepts, because distributions and users choose the rest.
Only the loader in the wheels has an exact version. The same arguments give the same bytes.
"""
import argparse
import datetime
import json
import pathlib
import sys

from version import stored

# Relationships of SPDX 2.3, from the dependency to imago.
RUN, STATIC, BUILD, OPTIONAL, TEST = ("RUNTIME_DEPENDENCY_OF", "STATIC_LINK", "BUILD_DEPENDENCY_OF",
                                      "OPTIONAL_DEPENDENCY_OF", "TEST_DEPENDENCY_OF")
# Name, relation, least version, licence, locator (package URL), words by which CMake finds it.
DEPENDENCIES = (
    ("OpenCL loader (ICD)", RUN, "", "NOASSERTION", "", ("OpenCL",)),
    ("OpenCL-Headers", BUILD, "", "Apache-2.0", "pkg:github/KhronosGroup/OpenCL-Headers", ()),
    ("OpenCL-CLHPP", BUILD, "2.0.16", "Apache-2.0", "pkg:github/KhronosGroup/OpenCL-CLHPP", ("CL/opencl.hpp",)),
    ("nlohmann-json", STATIC, "3.10", "MIT", "pkg:github/nlohmann/json", ("nlohmann_json",)),
    ("cmake", BUILD, "3.22", "BSD-3-Clause", "pkg:github/Kitware/CMake", ()),
    ("CLI11", STATIC, "", "BSD-3-Clause", "pkg:github/CLIUtils/CLI11", ("CLI11",)),
    ("fmt", OPTIONAL, "", "MIT", "pkg:github/fmtlib/fmt", ("fmt",)),
    ("libpng", OPTIONAL, "", "libpng-2.0", "pkg:github/pnggroup/libpng", ("PNG",)),
    ("libsndfile", OPTIONAL, "", "LGPL-2.1-or-later", "pkg:github/libsndfile/libsndfile", ("sndfile.h", "sndfile")),
    ("cairo", OPTIONAL, "", "LGPL-2.1-only OR MPL-1.1", "", ("cairo.h", "cairo")),
    ("FFTW", OPTIONAL, "3.3", "GPL-2.0-or-later", "pkg:github/FFTW/fftw3",
     ("fftw3.h", "fftw3-mpi.h", "fftw3", "fftw3l", "fftw3_mpi", "fftw3f_mpi")),
    ("clFFT", OPTIONAL, "2.12", "Apache-2.0", "pkg:github/clMathLibraries/clFFT", ("clFFT.h", "clFFT")),
    ("MPI", OPTIONAL, "", "NOASSERTION", "", ("MPI",)),
    ("nanobind", STATIC, "2.4", "BSD-3-Clause", "pkg:pypi/nanobind", ("nanobind",)),
    ("scikit-build-core", BUILD, "0.10", "Apache-2.0", "pkg:pypi/scikit-build-core", ()),
    ("Python", OPTIONAL, "3.10", "Python-2.0", "pkg:github/python/cpython", ("Python",)),
    ("numpy", OPTIONAL, "1.24", "BSD-3-Clause", "pkg:pypi/numpy", ()),
    ("scipy", OPTIONAL, "1.13", "BSD-3-Clause", "pkg:pypi/scipy", ()),
    ("pyopencl", OPTIONAL, "2023.1", "MIT", "pkg:pypi/pyopencl", ()),
    ("Catch2", TEST, "2.13", "BSL-1.0", "pkg:github/catchorg/Catch2", ("Catch2",)),
    ("OpenMP", TEST, "", "NOASSERTION", "", ("OpenMP",)),
    ("heFFTe", TEST, "", "BSD-3-Clause", "pkg:github/icl-utk-edu/heffte", ("Heffte",)),
    ("VkFFT", TEST, "", "MIT", "pkg:github/DTolm/VkFFT", ("vkFFT.h",)),
    ("CUDA toolkit", TEST, "", "NOASSERTION", "",
     ("cufft.h", "cufft", "cudart", "cuda_runtime.h")),
    ("oneMKL", TEST, "", "NOASSERTION", "", ("mkl_dfti.h",)),
    ("UFO filters", TEST, "", "LGPL-3.0-only", "pkg:github/ufo-kit/ufo-filters", ("ufofilterfft",)),
)


def identifier(name):
    return "SPDXRef-" + "".join(letter if letter.isalnum() or letter in ".-" else "-" for letter in name)


def package(name, version, licence, locator):
    entry = {
        "SPDXID": identifier(name), "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION",
    }
    if version:
        entry["versionInfo"] = version
    if locator:
        entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": locator}]
    return entry


def relation(name, kind):
    """Returns the relationship of a dependency to imago. STATIC_LINK points the other way in SPDX."""
    ends = ("SPDXRef-imago", identifier(name)) if kind in (STATIC, "CONTAINS") else (identifier(name), "SPDXRef-imago")
    return {"spdxElementId": ends[0], "relationshipType": kind, "relatedSpdxElement": ends[1]}


def document(commit, seconds, loader):
    version = stored()
    imago = package("imago", version, "Apache-2.0", f"pkg:generic/imago@{version}")
    imago |= {"copyrightText": "the authors of imago", "sourceInfo": f"commit {commit}"}
    packages = [imago]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": "SPDXRef-imago"}]
    for name, kind, least, licence, locator, _ in DEPENDENCIES:
        entry = package(name, "", licence, locator)
        if least:
            entry["comment"] = f"version {least} or newer"
        packages.append(entry)
        relations.append(relation(name, kind))
    if loader:
        packages.append(package("ocl-icd", loader, "BSD-2-Clause", f"pkg:deb/debian/ocl-icd-libopencl1@{loader}"))
        packages[-1]["comment"] = "libOpenCL.so.1 in the wheels"
        relations.append(relation("ocl-icd", "CONTAINS"))
    created = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"imago-{version}", "documentNamespace": f"https://imago.invalid/spdx/imago-{version}-{commit}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Organization: the authors of imago", "Tool: tools/release/sbom.py"]},
        "packages": packages, "relationships": relations,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--commit", required=True, help="commit of the sources")
    parser.add_argument("--time", required=True, type=int, help="time of the commit, seconds since 1970")
    parser.add_argument("--loader", help="version of ocl-icd in the wheels")
    parser.add_argument("--output", type=pathlib.Path, help="file to write [standard output]")
    given = parser.parse_args()
    text = json.dumps(document(given.commit, given.time, given.loader), indent=1) + "\n"
    if given.output:
        given.output.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
