"""interrupts.py <imago> <times> [<python> <python's folder>]

Starts the command and Python programs with empty caches, and interrupts them at random times as a
terminal does. The linker that PoCL runs receives the signal, too. No program may abort, hang or
leave an unfinished file. The next program must work with the contents of the caches.
"""
import collections
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

imago, times, python = sys.argv[1], int(sys.argv[2]), sys.argv[3:5]
PATIENCE = 120  # seconds until a program counts as hanging

NPY = """
import struct
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (64, 1000), }"
open("signal.npy", "wb").write(b"\\x93NUMPY\\x01\\x00" + struct.pack("<H", len(head)) + head.encode() + bytes(256000))
open("samples.cu8", "wb").write(bytes(256000))
"""
SUM = "import numpy as np, imago.fft; assert imago.fft.fft(np.ones((3, 1000)))[2, 0] == 1000"
PLANS = """
import numpy as np, imago
for n in (360, 1009):
    assert abs(imago.Plan(n, dtype=np.float32).forward(np.ones(n, np.complex64))[0] - n) < 1e-2
"""

programs = [
    [imago, "explain", "1000x30"],
    [imago, "prewarm", "360", "1009"],
    [imago, "transform", "signal.npy", "--length", "1000", "--output", "result.npy"],
    [imago, "spectrum", "samples.cu8", "--format", "cu8", "--output", "spectrum.svg"],
]
if python:
    programs += [[python[0], "-c", SUM], [python[0], "-c", PLANS]]


def environment(folder):
    folders = {"POCL_CACHE_DIR": "pocl", "IMAGO_CACHE_DIR": "kernels", "TMPDIR": "temporary", "HOME": "home"}
    changed = {**os.environ, "IMAGO_SYSTEM_CACHE_DIR": "", "IMAGO_LOG": "warning", "IMAGO_TRUST_DEVICE": "1",
               "PYTHONDONTWRITEBYTECODE": "1"}
    for name, below in folders.items():
        (folder / below).mkdir(exist_ok=True)
        changed[name] = str(folder / below)
    if python:
        changed["PYTHONPATH"] = python[1]
    return changed


def start(words, folder):
    # A script's background jobs ignore Ctrl-C, and so would their children.
    return subprocess.Popen(words, cwd=folder, env=environment(folder), text=True, start_new_session=True,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def ended(process):
    """Returns the exit status ("hangs" if the process does not end) and standard error."""
    try:
        error = process.communicate(timeout=PATIENCE)[1]
        return process.returncode, error
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return "hangs", process.communicate()[1]


def is_whole(array):
    """True for the bytes of a .npy file of 64 half spectra of 1000 points, complex64."""
    head = 10 + int.from_bytes(array[8:10], "little")
    return b"'<c8'" in array[:head] and len(array) == head + 64 * 501 * 8


def partial(folder):
    """Returns unfinished files of a program. The library removes those of its own cache later."""
    found = [path for path in folder.glob("*.part*")] + list((folder / "temporary").glob("imago*"))
    result = folder / "result.npy"
    if result.exists() and not is_whole(result.read_bytes()):
        found.append(result)
    return [str(path.relative_to(folder)) for path in found]


def wrong(words, folder, number, status, error):
    allowed = [0, -number]
    if words[0] != imago:
        allowed.append(1)  # Python, during its own start
    if status not in allowed:
        return f"status {status}"
    if "PoCL" in error or "linking" in error or "Abort" in error:
        return "the driver fails"
    left = partial(folder)
    return f"leaves {', '.join(left)}" if left else ""


def fresh():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="interrupts"))
    subprocess.run([sys.executable, "-c", NPY], cwd=folder, check=True)
    return folder


def seconds_of(words):
    folder = fresh()
    begin = time.monotonic()
    status, error = ended(start(words, folder))
    if status != 0:
        sys.exit(f"FAILED: {words} uninterrupted: {status} {error}")
    shutil.rmtree(folder)
    return time.monotonic() - begin


def attempt(words, wait, number, again):
    """Interrupts one program. Returns the fault that this shows, and how the program ended."""
    folder = fresh()
    try:
        process = start(words, folder)
        time.sleep(wait)
        if process.poll() is None:
            os.killpg(process.pid, number)
        status, error = ended(process)
        what = wrong(words, folder, number, status, error)
        if not what and again:
            after, error = ended(start(words, folder))
            if after != 0 or "damaged" in error:
                what = f"the next program ends with {after}"
        return what and f"{what}: {error[-600:]}", status
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    draw = random.Random(times)
    lasts = seconds_of(programs[0])
    ends, failures = collections.Counter(), 0
    for i in range(times):
        chosen = i % len(programs)
        wait = draw.uniform(0.02, 1.2) * lasts
        # Mostly Ctrl-C; sometimes the signals of a session's end.
        number = signal.SIGINT if i % 6 else draw.choice([signal.SIGTERM, signal.SIGHUP])
        what, status = attempt(programs[chosen], wait, number, again=i % 4 == 0)
        ends[status] += 1
        if what:
            failures += 1
            print(f"FAILED: {' '.join(programs[chosen])[:60]!r}, {number.name} after {wait:.2f} s: {what}", flush=True)
    print(f"{times} interrupted, {failures} failures; ended with {dict(ends)}")
    return failures != 0


sys.exit(main())
