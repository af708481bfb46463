"""Times `imago channel` on a minute of radio at 2.4 MS/s, to 48 kS/s.

    python bench/channel.py [SECONDS [FORMAT...]]      # 60, cu8 ci16 cf32
    OUTPUT_RATE=44.1k python bench/channel.py 60 cu8   # a rate that no whole number divides

Makes recordings of noise in $TMPDIR, runs the command twice on each (the first run may compile), and
prints how much faster than real time the second was, its processor time and its largest memory.
The command is `imago` in $PATH, or $IMAGO.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

RATE = 2_400_000
TYPES = {"cu8": "u1", "ci16": "i2", "cf32": "f4"}


def write(path, kind, seconds):
    random = np.random.default_rng(1)
    with open(path, "wb") as file:
        for _ in range(seconds):
            block = random.integers(0, 256, 2 * RATE, "u1")
            if kind == "ci16":
                block = block.astype("i2") * 100 - 12800
            elif kind == "cf32":
                block = (block.astype("f4") - 127.5) / 128
            block.tofile(file)


def run(path, out):
    """Returns the report, the seconds of the process, of the processor, and its largest memory."""
    command = [os.environ.get("IMAGO", "imago"), "channel", path, "--rate", "2.4M", "--shift", "250k"]
    command += ["--width", "16k", "--output-rate", os.environ.get("OUTPUT_RATE", "48k")]
    command += ["--output", out, "--json"]
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"status {status}")
    taken = time.perf_counter() - began
    return json.loads(text), taken, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print("format, times faster than real time, seconds, of the processor, largest memory, taps")
    with tempfile.TemporaryDirectory() as folder:
        for kind in sys.argv[2:] or TYPES:
            path, out = os.path.join(folder, f"x.{kind}"), os.path.join(folder, "y.cf32")
            write(path, kind, seconds)
            run(path, out)
            report, taken, processor, memory = run(path, out)
            print(
                f"{kind:5} {seconds / taken:7.1f} {taken:8.2f} s {processor:8.2f} s {memory:7.0f} MiB"
                f" {report['filter']['taps']:5}",
                flush=True,
            )
            os.remove(path)


main()
