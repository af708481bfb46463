"""Compares nonuniform transforms whose members have points of their own with loops over members.

    python bench/nufft_members.py cpu        beside loops of finufft and imago.nufft, on the host
    python bench/nufft_members.py processor  the same, in milliseconds of processor time
    python bench/nufft_members.py gpu        beside loops of cufinufft, if it is there, on CuPy arrays

Each row sets the points and computes a type 1 and a type 2. The contestants take turns in one
process; the best of several runs counts. Errors are relative to a direct sum of one member.
"""

from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("IMAGO_FIRST_CALL", "compile")

import numpy as np

import imago.nufft

ROWS = (
    (1000, 500, (32, 32), 1e-3, "complex64"),
    (1000, 500, (32, 32), 1e-6, "complex64"),
    (1000, 500, (32, 32), 1e-9, "complex128"),
    (1000, 50, (16, 16), 1e-5, "complex64"),
    (300, 5000, (64, 64), 1e-5, "complex64"),
    (1000, 500, (256,), 1e-5, "complex64"),
    (100, 4000, (16, 16, 16), 1e-5, "complex64"),
)
"""Members, mean points of a member, modes, tolerance, type."""


class Problem:
    """Random points and numbers, in the memory of a library of arrays."""

    def __init__(self, xp, members, points, modes, eps, dtype):
        random = np.random.default_rng(members + points)
        real = np.zeros(0, dtype).real.dtype
        self.xp, self.eps, self.dtype, self.modes = xp, eps, dtype, modes
        self.counts = random.integers(points // 2, points + points // 2 + 1, members)
        self.first = np.concatenate([[0], np.cumsum(self.counts)])
        all_points = int(self.first[-1])
        at = random.uniform(-np.pi, np.pi, (len(modes), all_points)).astype(real)
        c = random.normal(size=all_points) + 1j * random.normal(size=all_points)
        f = random.normal(size=(members, *modes)) + 1j * random.normal(size=(members, *modes))
        self.on_host = at, c.astype(dtype), f.astype(dtype)
        self.at, self.c, self.f = (xp.asarray(x) for x in self.on_host)

    def slices(self):
        return [slice(a, b) for a, b in zip(self.first[:-1], self.first[1:])]

    def errors(self, results):
        """Returns the errors of a member's modes and values."""
        at, c, f = self.on_host
        member = len(self.counts) // 2
        own = self.slices()[member]
        k = np.meshgrid(*(np.arange(-(n // 2), n - n // 2) for n in self.modes), indexing="ij")
        waves = np.exp(1j * sum(np.multiply.outer(x[own].astype(float), ki) for x, ki in zip(at, k)))
        exact = np.tensordot(c[own], waves, 1), np.tensordot(waves.conj(), f[member], len(self.modes))
        found = [x.get() if hasattr(x, "get") else x for x in (results[0][member], results[1])]
        found[1] = found[1][own] if len(found[1]) == len(c) else found[1]
        return [np.linalg.norm(a - b) / np.linalg.norm(b) for a, b in zip(found, exact)]


def members_of_imago(p):
    plan = imago.nufft.Plan(
        1, p.modes, len(p.counts), p.eps, dtype=p.dtype, points_per_member=True,
        points=int(p.first[-1]),
    )  # fmt: skip

    def run():
        plan.setpts(*p.at, counts=p.counts)
        return plan.execute(p.c), plan.execute_adjoint(p.f)

    def again():
        return plan.execute(p.c), plan.execute_adjoint(p.f)

    return run, again


def loop_of_imago(p):
    plan = imago.nufft.Plan(1, p.modes, 1, p.eps, dtype=p.dtype)

    def run():
        modes, values = [], []
        for member, own in enumerate(p.slices()):
            plan.setpts(*(x[own] for x in p.at))
            modes.append(plan.execute(p.c[own]))
            values.append(plan.execute_adjoint(p.f[member]))
        return modes, p.xp.concatenate(values)

    return run


def loop_of(plan_class, p, options, functions=None):
    """Returns a loop of a finufft: a call for each type, or a plan whose points are set again."""
    plans = [plan_class(t, p.modes, eps=p.eps, isign=s, dtype=p.dtype, **options)
             for t, s in ((1, 1), (2, -1))] if functions is None else ()  # fmt: skip

    def run():
        modes, values = [], []
        for member, own in enumerate(p.slices()):
            at, c, f = [x[own] for x in p.at], p.c[own], p.f[member]
            if functions:
                modes.append(functions[0](*at, c, p.modes, eps=p.eps, isign=1, **options))
                values.append(functions[1](*at, f, eps=p.eps, isign=-1, **options))
                continue
            for plan in plans:
                plan.setpts(*at)
            modes.append(plans[0].execute(c))
            values.append(plans[1].execute(f))
        return modes, p.xp.concatenate(values)

    return run


def contestants(where, p):
    run, again = members_of_imago(p)
    found = {"members": run, "members, points set": again, "loop of plans": loop_of_imago(p)}
    if where != "gpu":
        import finufft as other

        functions = [getattr(other, f"nufft{len(p.modes)}d{t}") for t in (1, 2)]
        found["finufft"] = loop_of(other.Plan, p, {"nthreads": 1}, functions)
        found["finufft plans"] = loop_of(other.Plan, p, {"nthreads": 1})
    else:
        try:
            import cufinufft as other
        except (ImportError, OSError, RuntimeError):
            return found
        functions = [getattr(other, f"nufft{len(p.modes)}d{t}") for t in (1, 2)]
        found["cufinufft"] = loop_of(other.Plan, p, {}, functions)
        found["cufinufft plans"] = loop_of(other.Plan, p, {})
    return found


def main():
    where = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    xp, wait = np, lambda: None
    clock = time.process_time if where == "processor" else time.perf_counter
    if where == "gpu":
        import cupy

        xp, wait = cupy, lambda: cupy.cuda.Device().synchronize()
    end = time.monotonic() + float(os.environ.get("SECONDS", "150"))
    header = None
    for row in ROWS:
        p = Problem(xp, *row)
        runs = contestants(where, p)
        best = dict.fromkeys(runs, float("inf"))
        errors = {}
        for turn in range(6):
            if turn > 1 and time.monotonic() > end:
                break
            for name, run in runs.items():
                if turn > 2 and name.startswith("loop"):
                    continue
                wait()
                begin = clock()
                results = run()
                wait()
                best[name] = min(best[name], clock() - begin)
                if turn == 0:
                    errors[name] = max(p.errors(results))
        if header is None:
            header = True
            print("members, points, modes, eps, type | " + " | ".join(
                f"{name}, ms (times)" for name in best) + " | largest error")  # fmt: skip
        cells = [f"{t * 1e3:.1f} ({t / best['members']:.1f})" for t in best.values()]
        modes = " x ".join(map(str, p.modes))
        print(f"{row[0]}, {row[1]}, {modes}, {row[3]:g}, {row[4]} | " + " | ".join(cells)
              + f" | {max(errors.values()):.1e}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
