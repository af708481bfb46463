"""This file computes derived figures of a submission again, to find figures that were changed.

The formulas are those of bench/README.md and docs/architecture.md (accuracy).
"""
import math

BYTES = {"f16": 2, "f32": 4, "f64": 8}
MOST_POINTS = 1 << 34  # limit of a transform; 2^27 is the maximum of a suite
# Relative L2 errors of any single transform stay below these times 4 + log2 of the points; f16 is
# only stored.
UNIT = {"f16": 4e-8, "f32": 4e-8, "f64": 8e-17}
STORED = {"f16": 2.0 ** -11, "f32": 0, "f64": 0}
LARGE_PRIMES = 3  # factor for a prime factor above 31
LARGEST_SMALL_PRIME = 31
EXACT = 1e-6  # relative, for figures that are computed from each other
# A median of ratios is not the ratio of medians; on a busy machine they may differ by this factor.
NEAR = 1.5


def points(row):
    return math.prod(row["lengths"])


def flops(row):
    n = points(row)
    return (5 if row["kind"] == "complex" else 2.5) * n * math.log2(n) * row["batch"]


def moved_bytes(row):
    """One read of the signal and one write of the spectrum."""
    n, last = points(row), row["lengths"][-1]
    numbers = {"complex": 4 * n, "real": n + n // last * 2 * (last // 2 + 1)}.get(row["kind"], 2 * n)
    return numbers * BYTES[row["precision"]] * row["batch"]


def largest_prime(n):
    largest, factor = 1, 2
    while factor * factor <= n:
        while n % factor == 0:
            n, largest = n // factor, factor
        factor += 1
    return max(largest, n)


def dft_length(length, kind):
    """Returns the length of the DFT that corresponds to a cosine or sine transform."""
    return {"complex": length, "real": length, "dct1": 2 * (length - 1), "dst1": 2 * (length + 1)}.get(kind, 2 * length)


def worst_error(row):
    precision = row["precision"]
    lengths = [max(1, dft_length(length, row["kind"])) for length in row["lengths"]]
    rough = any(largest_prime(length) > LARGEST_SMALL_PRIME for length in lengths)
    bound = UNIT[precision] * (4 + math.log2(math.prod(lengths))) * (LARGE_PRIMES if rough else 1)
    return bound + STORED[precision]


def same(a, b):
    return math.isclose(a, b, rel_tol=EXACT, abs_tol=1e-300)


def times(row, place):
    """Complaints about the figures of each engine."""
    for i, result in enumerate(row["results"]):
        if "skipped" in result:
            continue
        here, seconds = f"{place}.results[{i}]", result["seconds"]
        follows = {"gflops": flops(row) / seconds * 1e-9, "gbps": moved_bytes(row) / seconds * 1e-9}
        wall = row["wall_gbps"]
        follows["wall_share"] = follows["gbps"] / wall if wall > 0 else 0
        for name, value in follows.items():
            if not same(result[name], value):
                yield f"{here}.{name} is {result[name]:.6g}, and from its seconds follows {value:.6g}"
        if result["engine"] == "imago" and (result["error"] is None or result["error"] > worst_error(row)):
            yield (f"{here}.error is {result['error']}, and imago's is below {worst_error(row):.2g}: "
                   "a wrong result is to be reported, not its speed")


def ratios(row, place, key, seconds_of):
    """Yields complaints about ratios: intervals of measured engines must fit the times."""
    engines = {result["engine"]: result.get(seconds_of) for result in row["results"]}
    for i, ratio in enumerate(row.get(key, [])):
        here, peer = f"{place}.{key}[{i}]", ratio["peer"]
        if not ratio["low"] <= ratio["value"] <= ratio["high"]:
            yield f"{here} is {ratio['value']:.6g}, outside of its own interval"
        if not engines.get("imago") or not engines.get(peer):
            yield f"{here} is beside {peer}, and both were not measured"
            continue
        from_times = engines[peer] / engines["imago"]
        spread = NEAR * max(1, ratio["high"] / ratio["low"])
        if not 1 / spread <= ratio["value"] / from_times <= spread:
            yield f"{here} is {ratio['value']:.4g}, and from the times follows {from_times:.4g}"


def case(row):
    return (tuple(row["lengths"]), row["kind"], row["batch"], row["precision"], row["placement"])


def complaints(document):
    """Yields the contradictions in a document that the schema allows."""
    suite = document["facts"]["suite"]
    if any(name.endswith("-single") != ("timing" in document) for name in suite.split(",")):
        yield f"suite {suite} is not timed so"
    known = {}
    for i, row in enumerate(document["rows"]):
        place = f"rows[{i}]"
        if not 2 <= points(row) <= MOST_POINTS:
            yield f"{place}.lengths are {points(row)} points: 2 to 2^34 are measured"
            return
        if known.setdefault(case(row), i) != i:
            yield f"{place} is the case of rows[{known[case(row)]}]"
        names = [result["engine"] for result in row["results"]]
        if len(set(names)) < len(names) or names[0] != "imago":
            yield f"{place}.results are of {', '.join(names)}: imago first, each once"
        yield from times(row, place)
        yield from ratios(row, place, "ratios", "seconds")
        yield from ratios(row, place, "latency_ratios", "latency_seconds")
