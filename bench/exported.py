"""Exports transforms as C functions, compiles them, and times them beside FFTW and oneMKL.

    python3 bench/exported.py IMAGO [--vector-bits BITS] [--compiler CC]... [--mkl FOLDER] [KIND..]

IMAGO is the command. A table for each compiler (default: gcc, and the newest clang from 16 on that
is here) has the lengths 8 to 4096, complex and real, f32 and f64: one pinned thread, libraries in
turns (FFTW_MEASURE). Ratios are the other library's time over imago's. BITS is by default the
width of this processor's vectors. FOLDER has oneMKL's headers and static libraries, as MKL_ROOT in
bench/README.md. Kinds: c32 c64 r32 r64; default: all.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LENGTHS = [2**k for k in range(3, 13)]


def vector_bits():
    """Returns the width of the widest vectors of this processor."""
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    return 512 if "avx512f" in flags else 256 if "avx2" in flags else 128


def compilers():
    """Returns GCC and the newest clang that are here."""
    clang = [f"clang-{version}" for version in range(30, 15, -1)]
    return ["gcc", *[name for name in clang if shutil.which(name)][:1]]


def export(imago, bits, folder):
    """Exports the functions and writes their list."""
    ends = {"F32": ["", ":real"], "F64": [":f64", ":real:f64"]}
    shapes = [f"{n}{end}" for each in ends.values() for end in each for n in LENGTHS]
    subprocess.run([imago, "export", *shapes, "--language", "c", "--vector-bits", str(bits),
                    "--output", str(folder)], check=True, stdout=subprocess.DEVNULL)
    with open(folder / "exported_list.hpp", "w", encoding="ascii") as out:
        for precision, number in (("F32", "float"), ("F64", "double")):
            out.write(f"constexpr Exported<{number}> k{precision}[] = {{\n")
            for kind in ("complex", "real"):
                for n in LENGTHS:
                    name = f"{kind}_{n}_{precision.lower()}"
                    is_real = "true" if kind == "real" else "false"
                    out.write(f"    {{{n}, {is_real}, {name}_forward, {name.upper()}_SCRATCH}},\n")
            out.write("};\n")


def compiled(compiler, mkl, folder):
    """Compiles the functions and the program that times them; returns the program."""
    objects = []
    for source in sorted(folder.glob("*_f*.c")):
        objects.append(str(source.with_suffix(".o")))
        subprocess.run([compiler, "-O3", "-march=native", "-c", str(source), "-o", objects[-1]],
                       check=True)
    options, libraries = [], []
    if mkl:
        header = next(mkl.rglob("mkl_dfti.h"))
        archives = next(mkl.rglob("libmkl_core.a")).parent
        options = ["-DIMAGO_BENCH_MKL", "-isystem", str(header.parent)]
        libraries = ["-Wl,--start-group",
                     *[str(archives / f"libmkl_{each}.a")
                       for each in ("intel_lp64", "sequential", "core")],
                     "-Wl,--end-group", "-lpthread", "-ldl"]
    program = folder / "time_exported"
    subprocess.run(["g++", "-std=c++20", "-O2", "-Wall", "-Wextra", "-I", str(HERE), "-I", str(folder),
                    *options, str(HERE / "exported.cpp"), *objects, "-lfftw3f", "-lfftw3",
                    *libraries, "-lm", "-o", str(program)], check=True)
    return program


def main():
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("imago")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    parser.add_argument("--vector-bits", type=int, default=vector_bits())
    parser.add_argument("--compiler", action="append")
    parser.add_argument("--mkl", type=pathlib.Path)
    given = parser.parse_args()
    imago = str(pathlib.Path(given.imago).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        export(imago, given.vector_bits, folder)
        for compiler in given.compiler or compilers():
            version = subprocess.run([compiler, "--version"], check=True, capture_output=True,
                                     text=True).stdout.splitlines()[0]
            print(f"{version}, {given.vector_bits} bits", flush=True)
            subprocess.run([str(compiled(compiler, given.mkl, folder)), *given.kinds], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
