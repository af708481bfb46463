"""Exports many problems, compiles them with every compiler that is here, and runs their checks.

    exported.py IMAGO c|opencl|spirv|arm [--count N] [--kernels N] [--keep FOLDER]

c: by GCC and clang, as C99 and with other options that must not change results; the exported
programs print the bits, which must be equal. arm: by GCC for 64-bit Arm, in QEMU. opencl: on the
first OpenCL device. spirv: by clspv, on the first Vulkan device. Exit status 77 if a compiler or a
device is not here.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Options of an export, and its shapes. Each line of the list counts as many problems as shapes.
EXPORTS = [
    ("", "1024 64 60 37 1009:f64 64x48 12x10x14 1:f64 8192 30030"),
    ("--kind real", "100 128:f64 97 32x30 10x12x9:f64 4096 1001"),
    ("--norm ortho", "50:dct2 33:dct1 48:dst1:f64 40:dct4 45:dst4 20x16:dct2 31:dst2 64:dct3 30:dst3"),
    ("--batch 7 --precision f64", "16 27:real 12x8 40:dct2 11"),
    ("--batch 33", "16 9x8 64:real 25:dct3 128:dst2"),
    ("--planar --batch 3", "48 64:real 15x16"),
    ("--placement in-place", "100:real 72 16x24:real 24x10 60:dct2 101"),
    ("--placement in-place --batch 5 --norm forward", "64 30:real 28:dst3:f64"),
    ("--precision f16 --norm ortho", "64 60x20 128:real"),
    ("--filter", "100 64x6:real 31:f64 48x32 27:real"),
    ("--filter --batch 3", "128 20:real"),
    ("--load window,multiply --store conjugate", "80 16x20"),
    ("--load i16,window --store power", "120 100:real 8x32"),
    ("--load u8 --batch 2", "96:real 50"),
    ("--load scale,window --store scale", "80 60:real:f64"),
    ("--load i16,scale --store power,scale", "100:real 64"),
    ("--signal 1,40:1600 --spectrum 41,1:1320", "32x40"),
    ("--signal 2:300 --batch 4", "128 150"),
    ("--norm none", "2048:f64 720:real 512x4 3x5x7x2"),
    ("--kind identity,complex", "6x50 20x64"),
    ("--kind dct2,real", "12x20 9x32:f64"),
    ("--kind complex,identity", "48x6"),
]
CLANG = [f"clang-{version}" for version in range(16, 23)]
BITS = {"c": ("256", "512", "128"), "arm": ("128",)}


def is_short(word):
    """Returns true if a Vulkan driver for CPUs compiles the kernels in seconds."""
    points = 1
    for length in word.split(":")[0].split("x"):
        points *= int(length)
    rest = points
    for prime in (2, 3, 5, 7):
        while rest % prime == 0:
            rest //= prime
    return points <= (24 if ":d" in word else 128) and rest == 1


def problems(language, count):
    """Yields the options and the shapes of exports, `count` problems in all."""
    left = count
    for turn in range(100):
        for options, shapes in EXPORTS:
            words = shapes.split()
            if turn >= 3:
                words = [re.sub(r"^(\d+)(?=$|:)", lambda m: str(int(m[0]) + 3 * turn + 1), word)
                         for word in words]
            if language == "spirv":
                words = [word for word in words if is_short(word)]
            if left <= 0:
                return
            if not words:
                continue
            words = words[:left]
            left -= len(words)
            extra = options.split()
            if language in BITS:
                extra += ["--vector-bits", BITS[language][turn % len(BITS[language])]]
            elif turn % 3 > 0:
                extra += [["--group-size", "128"], ["--local-memory", "16384"]][turn % 3 - 1]
            yield extra, words


def found(*names):
    """Returns the first of these programs that is here."""
    return next((name for name in names if shutil.which(name)), None)


def run(command, folder):
    """Runs a command; returns its output. Ends the program if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(" ".join(command), "\n", done.stdout[-3000:], done.stderr[-3000:])
        sys.exit(f"exit status {done.returncode} in {folder}")
    if "warning:" in done.stderr:
        print(" ".join(command), "\n", done.stderr[-3000:])
        sys.exit("the compiler warns")
    return done.stdout


def builds(language, number):
    """Returns lists of words that compile a folder; equal bits are expected of all of them."""
    warnings = ["-Wall", "-Wextra", "-Wpedantic"]
    gcc, clang = found("gcc-12", "gcc"), found(*CLANG)
    if language == "arm":
        return [["aarch64-linux-gnu-gcc", "-std=c99", "-O2", "-static", *warnings]]
    if language in ("opencl", "spirv"):
        library = "-lOpenCL" if language == "opencl" else "-lvulkan"
        return [[gcc, "-std=c99", "-O1", *warnings, '-DTRANSFORMS_FOLDER="."', library]]
    native = ["-march=native", *warnings]
    if not clang:
        return [[gcc, "-std=c99", "-O1", *native], [gcc, "-O2", "-ffp-contract=fast", *native]]
    other = [[gcc, "-O2", "-ffp-contract=fast"], [clang, "-O1", "-std=c11"]][number % 2]
    return [[gcc, "-std=c99", "-O1", *native], [clang, "-std=c99", "-O2", *native],
            [*other, *native]]


def check(language, number, options, shapes, imago, folder, kernels):
    """Exports, compiles and runs the problems of one folder; returns their number.

    Adds the names of the kernels in SPIR-V to `kernels`.
    """
    written = {"arm": "c"}.get(language, language)
    run([imago, "export", *shapes, "--language", written, "--output", str(folder), *options], ".")
    sources = sorted(path.name for path in folder.glob("*.c"))
    kernels.extend(path.name for path in folder.glob("*.spv"))
    outputs = []
    for words in builds(language, number):
        libraries = [word for word in words if word.startswith("-l")]
        command = [word for word in words if word not in libraries]
        run([*command, "-o", "check", *sources, *libraries, "-lm"], folder)
        outputs.append(run((["qemu-aarch64-static"] if language == "arm" else []) + ["./check"],
                           folder))
        if language == "c":
            linked = run(["ldd", "check"], folder)
            if "imago" in linked or "OpenCL" in linked:
                sys.exit(f"the program is linked with {linked}")
    if any(output != outputs[0] for output in outputs):
        print("\n".join(outputs))
        sys.exit(f"compilers differ in {folder}: {options} {shapes}")
    right = re.findall(r"(\d+) of (\d+) transforms are right", outputs[0])
    if right != [(str(len(shapes)),) * 2]:
        sys.exit(f"expected {len(shapes)} results: {outputs[0]}")
    return len(shapes)


def ready(language, folder):
    """Returns why a language cannot be tested here; empty: it can."""
    if language == "arm":
        here = found("aarch64-linux-gnu-gcc") and found("qemu-aarch64-static")
        return "" if here else "the compiler for Arm or QEMU is not here"
    if language == "c":
        if not found(*CLANG):
            print("clang 16 or later is not here: GCC alone compiles")
        return "" if found("gcc") else "GCC is not here"
    header = "CL/cl.h" if language == "opencl" else "vulkan/vulkan.h"
    (folder / "probe.c").write_text(f"#include <{header}>\nint main(void) {{ return 0; }}\n")
    done = subprocess.run(["gcc", "probe.c", "-o", "probe"], cwd=folder, capture_output=True,
                          check=False)
    if done.returncode != 0:
        return f"{header} is not here"
    if language == "spirv":
        python = os.environ.get("IMAGO_PYTHON", sys.executable)
        os.environ["IMAGO_PYTHON"] = python
        done = subprocess.run([python, "-c", "import pyclspv"], capture_output=True, check=False)
        if done.returncode != 0 and not found("clspv"):
            return "clspv is not here"
    return ""


def main():
    """Checks the problems."""
    parser = argparse.ArgumentParser()
    parser.add_argument("imago")
    parser.add_argument("language", choices=["c", "opencl", "spirv", "arm"])
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--kernels", type=int, default=0,
                        help="fail unless so many different kernels in SPIR-V ran")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--skip", type=int, default=0, help="leave out the first folders")
    given = parser.parse_args()
    imago, total = str(pathlib.Path(given.imago).resolve()), 0
    kernels = []
    with tempfile.TemporaryDirectory() as scratch:
        top = given.keep or pathlib.Path(scratch)
        top.mkdir(parents=True, exist_ok=True)
        reason = ready(given.language, top)
        if reason:
            print(reason)
            return 77
        for number, (options, shapes) in enumerate(problems(given.language, given.count)):
            if number < given.skip:
                continue
            folder = top / str(number)
            total += check(given.language, number, options, shapes, imago, folder, kernels)
            print(f"{total} right: {' '.join(options)} {' '.join(shapes)}", flush=True)
            if not given.keep:
                shutil.rmtree(folder)
    different = len(set(kernels))
    modules = f", {different} kernels in SPIR-V" if kernels else ""
    print(f"{total} exported problems are right{modules}")
    if different < given.kernels:
        sys.exit(f"fewer than {given.kernels} kernels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
