"""Compares recorded hashes of reproducible plans with those of exported transforms.

    exported_bits.py IMAGO c|opencl|spirv FILE [--every N] [--first N] [--most POINTS] [--no-f64]

Exports problems first, first + N, .. of FILE (canon1.txt) of at most so many points, without those
with hooks, each into a folder of its own; compiles and runs them. The languages and their devices
are those of tests/standalone/exported.py: `spirv` is clspv, on the first Vulkan device. --no-f64 is
for lavapipe (Mesa 22.3), whose fma of doubles is a rounded product and a sum. Exit status 77 if a
compiler or a device is not here.
"""
import argparse
import math
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "standalone"))

import exported  # noqa: E402 pylint: disable=wrong-import-position


def problems(file, every, first, most, f64):
    """Yields hash, shape and norm of the problems."""
    for number, line in enumerate(file.read_text(encoding="ascii").splitlines()):
        recorded, name = line.split()
        kinds, precision, shape, *more = name.split("-")
        if number % every != first or math.prod(map(int, shape.split("x"))) > most:
            continue
        if precision == "f64" and not f64:
            continue
        if not more or more[0] in ("none", "ortho", "forward"):
            yield recorded, f"{shape}:{kinds}:{precision}", more[0] if more else "backward"


def computed(language, imago, shape, norm, folder):
    """Returns the hash of a problem."""
    command = [imago, "export", shape, "--norm", norm, "--language", language, "--output", str(folder)]
    exported.run(command, ".")
    (folder / "check.c").write_text((HERE / "exported_bits.c").read_text(encoding="ascii"))
    sources = sorted(path.name for path in folder.glob("*.c"))
    words = exported.builds(language, 0)[0]
    libraries = [word for word in words if word.startswith("-l")]
    exported.run([*(word for word in words if word not in libraries), "-o", "check", *sources,
                  *libraries, "-lm"], folder)
    return exported.run(["./check"], folder).split()[0]


def main():
    """Compares the problems."""
    parser = argparse.ArgumentParser()
    parser.add_argument("imago")
    parser.add_argument("language", choices=["c", "opencl", "spirv"])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("--no-f64", dest="f64", action="store_false")
    given = parser.parse_args()
    os.environ["IMAGO_REPRODUCIBLE"] = "1"
    imago, count, wrong = str(pathlib.Path(given.imago).resolve()), 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        top = pathlib.Path(scratch)
        reason = exported.ready(given.language, top)
        if reason:
            print(reason)
            return 77
        for recorded, shape, norm in problems(given.file, given.every, given.first, given.most,
                                              given.f64):
            found = computed(given.language, imago, shape, norm, top / str(count))
            count += 1
            if found == recorded:
                continue
            wrong += 1
            print(f"{shape} {norm}: {found} instead of {recorded}", flush=True)
    print(f"{given.language}: {count} problems, {wrong} with other bits")
    return 0 if count > 0 and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
