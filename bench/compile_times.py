"""Prints how long kernels take to compile, beside the length of their texts.

    python bench/compile_times.py

Caches are empty, and plans compile their own kernels. CUDA's cache of machine code is off.
"""

import os
import tempfile
import time

for name in ("IMAGO_CACHE_DIR", "POCL_CACHE_DIR"):
    os.environ[name] = tempfile.mkdtemp()
os.environ |= {"IMAGO_FIRST_CALL": "compile", "CUDA_CACHE_DISABLE": "1"}

import imago  # noqa: E402

LENGTHS = (1024, 4096, 8192, 1021, 2039, 2053, 4093, 4099, 8191, 373, 997, 1009, 5832, 6720, 6750)
COSINE_LENGTHS = (1024, 2048, 4099, 1023, 317)
SHAPES = (
    *((n, "complex") for n in LENGTHS),
    *((n, "real") for n in (2048, 4096, 4093, 1009)),
    *((n, kind) for kind in ("dct1", "dct2", "dct4", "dst4") for n in COSINE_LENGTHS),
    *((shape, "complex") for shape in ((32, 32, 32), (233, 11), (32, 373), (64, 64))),
)


def main():
    for dtype in ("float32", "float64"):
        imago.Plan(16, dtype=dtype)  # the device's properties are known
    print("shape, kind, precision: CPU seconds of a plan, seconds, characters of each kernel")
    for dtype in ("float32", "float64"):
        for shape, kind in SHAPES:
            cpu, start = time.process_time(), time.perf_counter()
            plan = imago.Plan(shape, kind=kind, dtype=dtype, directions="forward")
            cpu, seconds = time.process_time() - cpu, time.perf_counter() - start
            texts = [len(source) for _, source, *_ in plan.sources()]
            print(f"{shape!s:14}{kind:9}{dtype:9}{cpu:6.2f}{seconds:7.2f}  {texts}", flush=True)


main()
