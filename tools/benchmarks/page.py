"""This file makes the tables of docs/benchmarks.md.

Text that strangers wrote is inserted as plain characters, without a meaning for Markdown.
"""
import math
import re

START, END = "<!-- merged by tools/merge_benchmarks.py -->", "<!-- end of what was merged -->"
PLAIN = re.compile(r"[A-Za-z0-9 ]")
PEERS = ["fftw", "mkl", "clfft", "vkfft", "cufft"]
LONGEST = 60  # characters of a cell; the file has the rest
COMMIT = re.compile(r"^(imago \S+) [0-9a-f]{7,40}(-dirty)?(?=,|$)")


def plain(text):
    """Returns text in which Markdown, MyST and HTML find no markup."""
    if len(text) > LONGEST:
        text = text[:LONGEST] + "..."
    return "".join(c if PLAIN.match(c) else f"&#{ord(c)};" for c in text)


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join(lines + [f"| {' | '.join(row)} |" for row in rows]) + "\n"


def number(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def range_text(values):
    """Returns the geometric mean, and the least and the most of the rows."""
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
    placement = ", out of place" if row["placement"] == "out_of_place" else ""
    return f"{text} {row['precision']}{placement}"


def is_of_calls(document):
    return "timing" in document


def devices(numbered, folder):
    """Returns a table with a line for each submission: its facts and its means."""
    of_calls = is_of_calls(numbered[0][2])
    key = "latency_ratios" if of_calls else "ratios"
    peers = [peer for peer in PEERS
             if any(ratio["peer"] == peer for _, _, document in numbered
                    for row in document["rows"] for ratio in row.get(key, []))]
    rows = []
    for index, name, document in numbered:
        facts = document["facts"]
        results = [own(row) for row in document["rows"]]
        cells = [f"[{index}]({folder}/{name})", plain(facts["device"]),
                 plain(facts.get("compute units", "-")), plain(facts.get("host", "-")),
                 plain(facts["driver"]), plain(COMMIT.sub(r"\1", facts["build"])),
                 str(len(document["rows"]))]
        if not of_calls:
            cells.append(range_text([result["wall_share"] for result in results
                                     if result and result["wall_share"] > 0]))
        cells += [range_text([ratio["value"] for row in document["rows"]
                              for ratio in row.get(key, []) if ratio["peer"] == peer])
                  for peer in peers]
        rows.append(cells)
    head = ["file", "device", "units", "host", "driver", "build", "rows"]
    if not of_calls:
        head.append("fraction of copy bandwidth")
    return table(head + [f"speedup over {peer}" for peer in peers], rows)


def time_text(row, of_calls):
    result = own(row)
    if result is None:
        return "not supported"
    if not of_calls:
        return f"{number(result['gflops'])} ± {100 * result['spread'] / 2:.0f} %"
    seconds, spread = result.get("latency_seconds"), result.get("latency_spread") or 0
    return "-" if seconds is None else f"{number(1e6 * seconds)} ± {50 * spread:.0f} %"


def cases(numbered):
    """Returns a table with a line for each case and a column for each submission."""
    of_calls = is_of_calls(numbered[0][2])
    lines = {}
    for index, _, document in numbered:
        for row in document["rows"]:
            lines.setdefault(case_text(row), {})[index] = time_text(row, of_calls)
    unit = "us per call" if of_calls else "GFLOP/s"
    indices = [index for index, _, _ in numbered]
    return table([unit] + [f"({index})" for index in indices],
                 [[case] + [cells.get(index, "-") for index in indices]
                  for case, cells in lines.items()])


def picture_name(suite):
    return f"benchmarks-{suite.replace(',', '-')}.svg"


def is_drawn(documents):
    """True unless the documents are single calls on several devices."""
    return len(documents) == 1 or not is_of_calls(documents[0][1])


def section(suite, documents, folder):
    numbered = [(index + 1, name, document) for index, (name, document) in enumerate(documents)]
    shown = ("imago's fraction of the copy bandwidth" if len(documents) > 1
             else "imago and other libraries")
    picture = f"![{shown}]({picture_name(suite)})\n\n" if is_drawn(documents) else ""
    return f"### {suite}\n\n{devices(numbered, folder)}\n{picture}{cases(numbered)}"


def by_suite(submissions):
    """Returns the names and documents of each suite, in the order of suites and devices."""
    found = {}
    for name, document in submissions.items():
        found.setdefault(document["facts"]["suite"], []).append((name, document))
    order = lambda pair: (pair[1]["facts"]["device"].lower(), pair[1]["facts"]["date"],
                          pair[0])
    return {suite: sorted(pairs, key=order) for suite, pairs in sorted(found.items())}


def merged(page, submissions, folder="measured/submissions"):
    """Returns the page with new tables between its marks; they link to the files in `folder`."""
    head, start, rest = page.partition(START)
    _, end, tail = rest.partition(END)
    if not start or not end:
        mark = START if not start else END
        raise ValueError(f"the page has no place for tables: it lacks {mark}")
    sections = "\n".join(section(suite, pairs, folder)
                         for suite, pairs in by_suite(submissions).items())
    return f"{head}{START}\n\n{sections or 'Nothing was sent yet.'}\n{END}{tail}"
