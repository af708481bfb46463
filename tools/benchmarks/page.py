"""This file makes the tables of docs/benchmarks.md. It escapes text from submitted files."""
import math
import re

START, END = "<!-- merged by tools/merge_benchmarks.py -->", "<!-- end of what was merged -->"
PLAIN = re.compile(r"[A-Za-z0-9 ]")
PEERS = ["fftw", "mkl", "clfft", "vkfft", "cufft"]
LONGEST = 60  # characters of a cell; the file has the rest


def plain(text):
    """Returns text without meaning for Markdown, MyST and HTML."""
    if len(text) > LONGEST:
        text = text[:LONGEST] + ".."
    return "".join(c if PLAIN.match(c) else f"&#{ord(c)};" for c in text)


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows]) + "\n"


def number(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def range_text(values):
    """Geometric mean, and the least and the most of the rows."""
    if not values:
        return "-"
    mean = math.exp(sum(map(math.log, values)) / len(values))
    return f"{number(mean)} ({number(min(values))} to {number(max(values))})"


def own(row):
    result = row["results"][0]
    return None if "skipped" in result else result


def case_text(row):
    text = "x".join(map(str, row["lengths"])) + f" x {row['batch']}"
    if row["kind"] != "complex":
        text += f" {row['kind']}"
    return f"{text} {row['precision']}" + (", out of place" if row["placement"] == "out_of_place" else "")


def is_of_calls(document):
    return "timing" in document


def devices(numbered):
    """Returns a table with a line for each submission: its device, versions and results."""
    of_calls = is_of_calls(numbered[0][2])
    key = "latency_ratios" if of_calls else "ratios"
    peers = [peer for peer in PEERS
             if any(ratio["peer"] == peer for _, _, document in numbered
                    for row in document["rows"] for ratio in row.get(key, []))]
    rows = []
    for index, _, document in numbered:
        facts = document["facts"]
        shares = [own(row)["wall_share"] for row in document["rows"] if own(row) and own(row)["wall_share"] > 0]
        cells = [str(index), plain(facts["device"]), plain(facts.get("compute units", "-")), plain(facts.get("host", "-")),
                 plain(facts["driver"]),
                 plain(facts["build"]), facts["date"], str(len(document["rows"]))]
        if not of_calls:
            cells.append(range_text(shares))
        cells += [range_text([ratio["value"] for row in document["rows"] for ratio in row.get(key, [])
                              if ratio["peer"] == peer]) for peer in peers]
        rows.append(cells)
    head = ["", "device", "units", "host", "driver", "build", "date", "rows"]
    return table(head + ([] if of_calls else ["share of the wall"]) + [f"times {peer}" for peer in peers], rows)


def time_text(row, of_calls):
    result = own(row)
    if result is None:
        return "refused"
    if not of_calls:
        return f"{number(result['gflops'])} ± {100 * result['spread'] / 2:.0f} %"
    seconds, spread = result.get("latency_seconds"), result.get("latency_spread") or 0
    return "-" if seconds is None else f"{number(1e6 * seconds)} ± {50 * spread:.0f} %"


def cases(numbered):
    """A line for each case, a column for each submission."""
    of_calls = is_of_calls(numbered[0][2])
    lines = {}
    for index, _, document in numbered:
        for row in document["rows"]:
            lines.setdefault(case_text(row), {})[index] = time_text(row, of_calls)
    unit = "us with wait" if of_calls else "GFLOP/s"
    indices = [index for index, _, _ in numbered]
    return table([unit] + [f"({index})" for index in indices],
                 [[case] + [cells.get(index, "-") for index in indices] for case, cells in lines.items()])


def picture_name(suite):
    return f"benchmarks-{suite.replace(',', '-')}.svg"


def is_drawn(documents):
    """True if there is a picture; single calls on several devices have none."""
    return len(documents) == 1 or not is_of_calls(documents[0][1])


def section(suite, documents):
    numbered = [(index + 1, name, document) for index, (name, document) in enumerate(documents)]
    shown = "imago's share of a copy's speed" if len(documents) > 1 else "imago and its peers"
    picture = f"![{shown}]({picture_name(suite)})\n\n" if is_drawn(documents) else ""
    return (f"### {suite}\n\n{devices(numbered)}\n{picture}{cases(numbered)}")


def by_suite(submissions):
    """Names and documents of each suite, in the order of suites and devices."""
    found = {}
    for name, document in submissions.items():
        found.setdefault(document["facts"]["suite"], []).append((name, document))
    order = lambda pair: (pair[1]["facts"]["device"].lower(), pair[1]["facts"]["date"], pair[0])
    return {suite: sorted(pairs, key=order) for suite, pairs in sorted(found.items())}


def merged(page, submissions):
    """The page with new tables between its marks."""
    head, start, rest = page.partition(START)
    _, end, tail = rest.partition(END)
    if not start or not end:
        raise ValueError(f"the page has no place for tables: it lacks {START if not start else END}")
    sections = "\n".join(section(suite, pairs) for suite, pairs in by_suite(submissions).items())
    return f"{head}{START}\n\n{sections or 'Nothing was sent yet.'}\n{END}{tail}"
