"""Ctrl-C, progress and the log, in separate processes with an empty kernel cache."""

import os
import shutil
import subprocess
import sys

import pytest

BEGIN = """
import os, signal, threading, time
import numpy as np, imago

def interrupted_after(work, wait):
    sent = []
    def send():
        time.sleep(wait)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()
    try:
        work()
    except KeyboardInterrupt:
        return time.monotonic() - sent[0]
    raise SystemExit("it was not interrupted")

assert imago.fft.fft(np.ones(8))[0] == 8          # opens the device and runs its self-test
"""


@pytest.fixture
def cold(tmp_path):
    """Runs a program with an empty kernel cache."""
    caches = {"IMAGO_CACHE_DIR": str(tmp_path / "imago"), "POCL_CACHE_DIR": str(tmp_path / "pocl")}

    def run(program, **environment):
        # If the signal arrives while LLVM writes a file, LLVM removes it and PoCL's build fails.
        for _ in range(4):
            done = subprocess.run(
                [sys.executable, "-c", BEGIN + program],
                env={**os.environ, **caches, **environment},
                capture_output=True,
                text=True,
                timeout=600,
            )
            if "unable to rename temporary" not in done.stderr:
                break
            for cache in caches.values():
                shutil.rmtree(cache, ignore_errors=True)
        return done

    return run


@pytest.mark.long
def test_a_plan_that_is_being_built_is_interrupted_and_found_later(cold):
    done = cold("""
x = np.ones((3, 69811))                           # a prime factor of 9973
print(interrupted_after(lambda: imago.fft.fft(x), 0.2))
assert abs(imago.fft.fft(x)[:, 0] - 69811).max() < 1e-8
counts = imago.fft.statistics()
assert counts["plans"] == 2 and counts["misses"] in (2, 3), counts   # 3: the signal broke PoCL's build
""", IMAGO_FIRST_CALL="compile")
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 1.5


@pytest.mark.long
def test_a_program_ends_while_a_plan_is_being_built(cold):
    done = cold("""
print(interrupted_after(lambda: imago.Plan(69811, batch=3, dtype=np.float64), 0.2), flush=True)
""")
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 1.5
    # If the signal arrives while LLVM works, LLVM may print its error count, and nothing else.
    assert done.stderr in ("", "1 error generated.\n")


@pytest.mark.long
def test_progress_is_told_and_may_end_it(cold):
    done = cold("""
class Enough(Exception): pass
told = []
def show(stage, done, total):
    told.append((stage, total))
    raise Enough

imago.set_progress(show)
try:
    imago.Plan(69811, batch=3, dtype=np.float64)
except Enough:
    print(told)
""")
    assert done.returncode == 0, done.stderr
    told = eval(done.stdout)
    assert len(told) == 1 and told[0][0] == "compiling kernels" and told[0][1] > 1, told


def test_other_threads_build_plans_too(cold):
    done = cold("""
result = []
thread = threading.Thread(target=lambda: result.append(imago.fft.rfft(np.ones(12))))
thread.start()
thread.join()
assert result[0][0] == 12
""")
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_the_log_is_heard(cold):
    done = cold("", IMAGO_LOG="debug")
    assert done.returncode == 0
    assert "imago: debug: compiled" in done.stderr
    assert cold("", IMAGO_LOG="error").stderr == ""
