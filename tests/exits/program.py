"""Ends a program as exits.cpp does, in Python. The main thread may also be interrupted, and other threads may
still work at the end.

    program.py idle | build SEED | threads | daemons | interrupted SEED
"""

import _thread
import atexit
import sys
import threading
import time

import numpy as np

import imago

ONES = np.ones(8, "F")


def compute(n):
    assert abs(imago.fft.fft(np.ones(n, "F"))[0] - n) < 1e-3 * n


def leave_a_build(seed):
    n = 512 + seed % 4000
    x = np.ones((2**20 // n + 1, n), "F")
    for _ in range(2):
        imago.fft.fft(x)
    time.sleep(37 * seed % 400 / 1000)


def use_threads():
    def work(i):
        for call in range(100):
            compute(300 + i + call % 3)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def leave_daemons():
    def work(i):
        for n in range(300 + i, 10**6, 8):
            imago.fft.fft(np.ones(n % 2000 + 300, "F"))
    for i in range(4):
        threading.Thread(target=work, args=(i,), daemon=True).start()
    time.sleep(0.3)


def be_interrupted(seed):
    threading.Timer(37 * seed % 400 / 1000, _thread.interrupt_main).start()
    try:
        imago.Plan(512 + seed % 4000, batch=2048, dtype="f4")
        time.sleep(1)
    except KeyboardInterrupt:
        pass


MODES = {"idle": lambda: compute(8), "build": leave_a_build, "threads": use_threads,
         "daemons": leave_daemons, "interrupted": be_interrupted}
imago.fft.fft(ONES)
MODES[sys.argv[1]](*map(int, sys.argv[2:]))
atexit.register(lambda: print(f"{time.clock_gettime(time.CLOCK_MONOTONIC):.6f}", flush=True))
