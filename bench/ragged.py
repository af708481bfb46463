"""Times imago.Ragged on the rings of octahedral grids, beside loops over the rings.

    python bench/ragged.py                 # this machine's device beside SciPy, NumPy arrays
    python bench/ragged.py --gpu           # CUDA memory beside cuFFT by CuPy: a loop, and a graph

Each grid has rings of 20, 24, .. numbers from a pole to the equator and back. A row of the table is
the best and the median of the rounds; in each round all methods run in turn. `copy` is a copy of the
arrays' bytes. Needs SciPy, or CuPy and a GPU.
"""

import argparse
import os
import statistics
import time

import numpy as np

import imago

GRIDS = {"O320": 320, "O640": 640}


def rings_of(size):
    north = [20 + 4 * i for i in range(size)]
    return north + north[::-1]


def report(title, times, copy=None):
    print(title)
    ours = min(times["imago.Ragged"])
    for name, taken in times.items():
        best, middle = min(taken), statistics.median(taken)
        line = f"  {name:28s} best {best * 1e3:9.3f} ms, median {middle * 1e3:9.3f} ms"
        print(line + ("" if name == "imago.Ragged" else f", imago {best / ours:5.2f} x as fast"))
    if copy:
        print(f"  copy of the bytes {copy * 1e3:.3f} ms: imago is at {copy / ours:.2f} of it")
    print(flush=True)


def cut(lengths):
    ends = np.cumsum(lengths)
    return [slice(e - n, e) for n, e in zip(lengths, ends)]


def on_cpu(size, batch, rounds, name):
    import scipy.fft

    lengths = rings_of(size)
    plan = imago.Ragged(lengths, kind="real", batch=batch, directions="forward")
    shape = (batch, sum(lengths)) if batch > 1 else (1, sum(lengths))
    x = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    entries = [n // 2 + 1 for n in lengths]
    y = np.empty((batch, sum(entries)), np.complex64)
    z = np.empty_like(y)
    at, to = cut(lengths), cut(entries)
    half = len(lengths) // 2

    def ours():
        plan.forward(x if batch > 1 else x[0], y if batch > 1 else y[0])

    def loop():
        for i, o in zip(at, to):
            z[:, o] = scipy.fft.rfft(x[:, i], axis=1, workers=2)

    def grouped():  # both rings of a length in one call
        for r in range(half):
            s = len(lengths) - 1 - r
            both = np.concatenate([x[:, at[r]], x[:, at[s]]])
            done = scipy.fft.rfft(both, axis=1, workers=2)
            z[:, to[r]], z[:, to[s]] = done[:batch], done[batch:]

    methods = {"imago.Ragged": ours, "SciPy, ring by ring": loop, "SciPy, two rings in a call": grouped}
    times = {m: [] for m in methods}
    for turn in range(rounds + 1):
        for m, run in methods.items():
            began = time.perf_counter()
            run()
            if turn:
                times[m].append(time.perf_counter() - began)
    loop()
    wrong = np.linalg.norm(y - z) / np.linalg.norm(z)
    report(f"{name}, {batch} fields, real f32, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}, "
           f"difference {wrong:.1e}", times)


def on_gpu(size, batch, rounds, name):
    import cupy as cp
    from cupy.cuda import cufft

    lengths = rings_of(size)
    entries = [n // 2 + 1 for n in lengths]
    points, bins = sum(lengths), sum(entries)
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        numbers = (cp.arange(batch * points, dtype=cp.int32) % 1009).astype(cp.float32)
        x = cp.sin(numbers * cp.float32(0.7)).reshape(batch, points)
        y, z = (cp.empty((batch, bins), cp.complex64) for _ in range(2))
        plan = imago.Ragged(lengths, kind="real", batch=batch, directions="forward")
        plans = {}
        for n in set(lengths):
            # Advanced layout: the fields of a ring are `points` apart.
            plans[n] = cufft.PlanNd((n,), (points,), 1, points, (bins,), 1, bins, cufft.CUFFT_R2C,
                                    batch, "C", 0, None)
        at, to = cut(lengths), cut(entries)

        def ours():
            plan.forward(x if batch > 1 else x[0], y if batch > 1 else y[0])

        calls = [(plans[n].fft, x.ravel()[i.start :], z.ravel()[o.start :])
                 for n, i, o in zip(lengths, at, to)]

        def loop():
            for fft, ring, spectrum in calls:
                fft(ring, spectrum, cufft.CUFFT_FORWARD)

        def copied():
            cp.copyto(w, x)
            cp.copyto(v, y)

        w, v = cp.empty_like(x), cp.empty_like(y)
        methods = {"imago.Ragged": ours, "cuFFT, ring by ring": loop}
        ours()
        loop()
        wrong = float(cp.linalg.norm(y - z) / cp.linalg.norm(z))
        try:
            stream.begin_capture()
            loop()
            graph = stream.end_capture()
            methods["cuFFT, graph of the loop"] = lambda: graph.launch(stream)
        except Exception as error:  # old CuPy, or no memory for the graph
            print("no graph:", error)
        try:
            stream.begin_capture()
            ours()
            own = stream.end_capture()
            methods["imago.Ragged in a graph"] = lambda: own.launch(stream)
        except Exception as error:
            print("no graph of imago:", error)
        times = {m: [] for m in methods}
        copies = []

        def timed(run):
            first, last = cp.cuda.Event(), cp.cuda.Event()
            first.record(stream)
            run()
            last.record(stream)
            last.synchronize()
            return cp.cuda.get_elapsed_time(first, last) / 1e3

        for turn in range(rounds + 1):
            for m, run in methods.items():
                taken = timed(run)
                if turn:
                    times[m].append(taken)
            taken = timed(copied)
            if turn:
                copies.append(taken)
    gpu = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    # The copies read and write input and result; the transform reads one and writes the other.
    report(f"{name}, {batch} fields, real f32, {gpu}, difference {wrong:.1e}", times, min(copies) / 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gpu", action="store_true", help="arrays in CUDA's memory beside cuFFT")
    parser.add_argument("--fields", type=int, nargs="+", help="default: 1 and 32, on a GPU and 137")
    parser.add_argument("--grids", nargs="+", default=list(GRIDS), choices=GRIDS)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    fields = given.fields or ([1, 32, 137] if given.gpu else [1, 32])
    for name in given.grids:
        for batch in fields:
            (on_gpu if given.gpu else on_cpu)(GRIDS[name], batch, given.rounds, name)


if __name__ == "__main__":
    main()
