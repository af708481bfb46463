"""Prints the first calls of imago, compared with SciPy's own calls.

    python bench/first_calls.py [-v]                  40 shapes, and eight sizes of images
    python bench/first_calls.py composed [-v] [ROW]... imago.signal, imago.nufft and filters

-v: a line for each shape; for `composed`, the names of kernels. ROW: a part of the names of rows.

The generic kernels are compiled before the first measurement. SciPy computes with two workers, in
its second call.

For shapes, set IMAGO_CACHE_DIR and POCL_CACHE_DIR to empty folders, so that no kernels are cached.
`composed` makes these folders. Each row runs in a new process, whose caches know only the device,
its generic kernels, and those of nonuniform transforms, which `imago.prewarm` compiled. The table has the seconds and
CPU seconds of the call, and how many kernels were compiled before it returned.
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.fft

import imago
from imago import _prewarm

COMPLEX = [(1024,), (1000,), (4096,), (65536,), (1009,), (101,), (10007,), (16,), (100, 1000)]
COMPLEX += [(512, 512), (640, 480), (384, 384), (64, 64, 64), (30, 40, 50)]
REAL = [(1024,), (999,), (1080, 1920), (384, 384)]
IMAGES = [(480, 640), (600, 800), (720, 1280), (768, 1024), (1024, 1024), (1080, 1920), (333, 500)]
IMAGES += [(1200, 1600)]


def calls():
    """Yields the name of a function, the shape and the type of its array, and its options."""
    for real, complex_ in (("f4", "c8"), ("f8", "c16")):
        yield from (("fftn", shape, complex_, {}) for shape in COMPLEX)
        yield from (("rfftn", shape, real, {}) for shape in REAL)
        yield "dctn", (1000,), real, {}
        yield "dctn", (512, 512), real, {"type": 3}


def seconds_of(call):
    began = time.perf_counter()
    result = call()
    return time.perf_counter() - began, result


def shapes(verbose):
    imago.prewarm()
    above = []
    for name, shape, dtype, options in calls():
        x = np.random.default_rng(0).standard_normal(shape).astype(dtype)

        def own(x=x, name=name, options=options):
            return getattr(scipy.fft, name)(x, workers=2, **options)

        own()
        scipys, expected = seconds_of(own)
        ours, found = seconds_of(
            lambda x=x, name=name, options=options: getattr(imago.fft, name)(x, **options)
        )
        assert np.linalg.norm(found - expected) < 1e-5 * np.linalg.norm(expected), (name, shape)
        above.append(ours - scipys)
        if verbose:
            print(f"{name} {shape} {dtype}: {1e3 * ours:.2f} ms, SciPy {1e3 * scipys:.2f} ms")
    above.sort()
    generic = imago.fft.statistics()["generic"]
    print(f"{len(above)} first calls, {generic} on generic kernels")
    print(
        f"above SciPy's: {1e3 * above[len(above) // 2]:.2f} ms in the median, "
        f"{1e3 * above[-1]:.2f} ms at most"
    )
    images = [np.ones(shape, "f4") for shape in IMAGES]
    for who, functions in (("imago", imago.fft), ("SciPy", scipy.fft)):
        seconds, _ = seconds_of(lambda f=functions: [f.rfft2(image) for image in images])
        print(f"eight sizes of images, {who}: {seconds:.3f} s")



def cpu_seconds():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def compiled_in(log):
    """Returns the name, the milliseconds and the characters of each compiled kernel."""
    found = re.findall(r"compiled (\S+) in ([0-9.]+) ms, ([0-9]+) characters", log)
    return [(name, float(milliseconds), int(length)) for name, milliseconds, length in found]


def measured(call):
    """Returns the result of a call and its measurements. Standard error must be a file."""
    begin, cpu = os.fstat(2).st_size, cpu_seconds()
    seconds, result = seconds_of(call)
    cpu = cpu_seconds() - cpu
    log = os.pread(2, os.fstat(2).st_size - begin, begin).decode()
    return result, {"seconds": seconds, "cpu": cpu, "compiled": compiled_in(log)}


def child(name):
    """Prints the measurements of a row, or of the preparation, as JSON."""
    import composed_calls

    if not name:
        _prewarm.uniform()
        print(json.dumps(measured(_prewarm.nonuniform)[1]))
        return
    imago.prewarm()
    row = composed_calls.ROWS[name]()
    with scipy.fft.set_workers(2):
        row.own()
        own, expected = seconds_of(row.own)
    statistics = imago.fft.statistics()
    result, found = measured(row.ours)
    assert imago.fft.statistics()["scipy"] == statistics["scipy"], f"{name}: SciPy computed it"
    double = result.dtype.char in "dD"
    error = float((row.check or composed_calls.relative)(result, expected))
    assert error < (row.limit or (1e-12 if double else 1e-5)), f"{name}: the error is {error}"
    found |= {"own": own, "error": error}
    if row.librosa:
        row.librosa()
        found["librosa"] = seconds_of(row.librosa)[0]
    print(json.dumps(found))


def in_child(name, caches):
    """Returns the measurements of a row, or of the preparation, in a new process; None if it fails."""
    environment = {
        **os.environ,
        "IMAGO_CACHE_DIR": str(caches / "imago"),
        "POCL_CACHE_DIR": str(caches / "pocl"),
        "IMAGO_LOG": "debug",
    }
    environment.pop("IMAGO_FIRST_CALL", None)
    with open(caches / "log", "w+") as log:
        command = [sys.executable, __file__, "composed", "--child", name]
        run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=log)
        log.seek(0)
        lines = log.read()
    if run.returncode:
        print(f"{name or 'the preparation'} failed:\n{lines[-2000:]}", flush=True)
        return None
    return json.loads(run.stdout)


def composed(wanted, verbose):
    import composed_calls

    with tempfile.TemporaryDirectory() as folder:
        known = Path(folder, "known")
        for each in ("imago", "pocl"):
            (known / each).mkdir(parents=True, mode=0o700)
        once = in_child("", known) or sys.exit(1)
        print(
            f"compiled once for nonuniform transforms: {len(once['compiled'])} kernels, "
            f"{once['cpu']:.1f} CPU s"
        )
        print(
            f"{'':38} {'first':>8} {'own':>8} {'above':>8} {'CPU':>7} {'kernels':>7} {'longest':>8}"
            f" {'error':>8}",
            flush=True,
        )
        above, silent, failed = [], 0, 0
        names = [name for name in composed_calls.ROWS if any(part in name for part in wanted)]
        for name in names:
            caches = Path(folder, "row")
            shutil.copytree(known, caches)
            found = in_child(name, caches)
            shutil.rmtree(caches)
            if not found:
                failed += 1
                continue
            kernels = found["compiled"]
            above.append(found["seconds"] - found["own"])
            silent += not kernels
            librosa = f"  librosa {found['librosa']:.4f}" if "librosa" in found else ""
            print(
                f"{name:38} {found['seconds']:8.3f} {found['own']:8.4f} {above[-1]:8.3f} "
                f"{found['cpu']:7.2f} {len(kernels):7} "
                f"{max((length for _, _, length in kernels), default=0):8} {found['error']:8.1e}"
                f"{librosa}",
                flush=True,
            )
            if verbose:
                for kernel, milliseconds, length in kernels:
                    print(f"    {kernel}: {milliseconds:.0f} ms, {length} characters")
    if failed or not above:
        sys.exit(f"{failed} of {len(names)} rows failed")
    above.sort()
    print(
        f"{len(above)} rows, {silent} of them without a compilation before the answer; above "
        f"SciPy's or finufft's: {above[len(above) // 2]:.3f} s in the median, {above[-1]:.3f} s at "
        "worst"
    )


def main(arguments):
    verbose = "-v" in arguments
    arguments = [each for each in arguments if each != "-v"]
    if arguments[:2] == ["composed", "--child"]:
        child(arguments[2])
    elif arguments[:1] == ["composed"]:
        composed(arguments[1:] or [""], verbose)
    else:
        shapes(verbose)


main(sys.argv[1:])
