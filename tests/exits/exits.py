"""exits.py LAYER TIMES PROGRAM...: ends programs in many ways. None may die, and none may take longer
than a second, apart from the time that the driver needs for the calls that it is in.

LAYER is libimago_faults.so, which records the driver's long calls, and refuses threads. PROGRAM is
imago_exits, or a Python with program.py.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

LIMIT = 1.0  # seconds
PATIENCE = 300  # seconds until a program counts as one that hangs


def seconds_in_driver(record, begin, end):
    """Returns the seconds from `begin` to `end` in which any thread was in a call of the driver."""
    spans = []
    if record.exists():
        for line in record.read_text().splitlines():
            since, until = map(float, line.split()[1:])
            spans.append((max(since, begin), min(until, end)))
    total, reached = 0.0, begin
    for since, until in sorted(spans):
        total += max(0.0, until - max(since, reached))
        reached = max(reached, until)
    return total


class Run:
    """A program that runs."""

    def __init__(self, arguments, layer, folder, **environment):
        self.record = folder / f"calls-{time.monotonic_ns()}"
        self.process = subprocess.Popen(
            arguments,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "LD_PRELOAD": layer, "IMAGO_LONG_CALLS": str(self.record), **environment},
        )

    def judge(self):
        """Waits for the end. Returns the seconds of the end without the driver, or the fault."""
        try:
            out, errors = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "hangs"
        end = time.monotonic()
        begin = re.fullmatch(r"\d+\.\d+\n", out.decode())
        if self.process.returncode != 0 or not begin:
            return f"status {self.process.returncode}: {errors.decode()[-2000:]}"
        begin = float(begin.group())
        return end - begin - seconds_in_driver(self.record, begin, end)


def limit():
    """Returns LIMIT, or more on a busy machine: builds in the background have a low priority, a tenth
    of that of the other programs."""
    return LIMIT * max(1.0, 10 * (os.getloadavg()[0] / os.cpu_count() - 1))


def main(layer, times, program):
    def start(folder, mode, *arguments, **environment):
        return Run([*program, mode, *map(str, arguments)], layer, folder, **environment)

    first = time.time_ns() // 1000 % 10**6  # other kernels each time, which no cache has
    print(f"seeds from {first}")
    seeds = iter(range(first, first + 10**6))
    modes = {
        "idle": lambda folder: [start(folder, "idle")],
        "a build": lambda folder: [start(folder, "build", next(seeds))],
        "eight threads": lambda folder: [start(folder, "threads")],
        "one cache": lambda folder: [start(folder, "build", seed) for seed in [next(seeds)] * 2],
        "no threads": lambda folder: [start(folder, "build", next(seeds), IMAGO_REFUSE_THREADS="1")],
    }
    if program[-1].endswith(".py"):
        modes["daemons"] = lambda folder: [start(folder, "daemons")]
        modes["interrupted"] = lambda folder: [start(folder, "interrupted", next(seeds))]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for mode, begin in modes.items():
            longest = 0.0
            for _ in range(times):
                for run in begin(folder):
                    found = run.judge()
                    if isinstance(found, str) or found > limit():
                        print(f"FAILED: {mode}: {found}")
                        failures += 1
                    else:
                        longest = max(longest, found)
            print(f"{mode}: {times} times, at most {longest:.2f} s in addition to the driver", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
