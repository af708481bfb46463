"""This file counts what the code's structure is judged by and prints it beside its bars.

structure.sh calls it with folders, and --check where a missed bar is a failure.
"""
import argparse
import collections
import json
import pathlib
import re
import signal
import subprocess
import sys
from typing import NamedTuple

import rings


class Bar(NamedTuple):
    """A count may not rise above `most`, which falls with it, and should fall to `aim`."""

    most: int
    aim: int


FIELDS, CLASS_LINES, METHODS, FUNCTION_LINES = Bar(19, 16), Bar(283, 200), Bar(52, 25), Bar(49, 49)
FILE_LINES = Bar(452, 449)

# Names of class, struct, enum and union definitions outside functions: different ones, and those
# of them that two or more files define.
NAMES, SHARED_NAMES = Bar(935, 585), Bar(71, 69)

# Floors of a room: the units of the longest chain inside it, each of which includes the next.
# Units of a ring, which include each other, are all in the chain.
FLOORS = {"plan": Bar(6, 6), "host": Bar(7, 7), "api": Bar(7, 6)}
RING = Bar(3, 3)

# Places that throw without base/errors.hpp; `throw;` is none.
THROW, THROW_HOME, THROW_BAR = r"\bthrow\s+\w", "base/errors.cpp", Bar(2, 1)

# Patterns of concepts, whose files are counted. Short words are bounded by letters only, so that
# they are also found inside snake_case.
CONCEPTS = {
    "hooks": (r"(?<![a-z])hook", Bar(102, 45)),
    "cosines": (r"cosine|(?<![a-z])d[cs]t(?![a-z])|(?<![a-z])sine transform", Bar(48, 25)),
    "Rader": (r"rader", Bar(11, 6)),
    "mirrored partners": (
        r"(?<![a-z])mirror|(?<![a-z])partner|(?<![a-z])images?(?![a-z])|(?<![a-z])couple", Bar(61, 45)),
}

# Code that depends on the mapping of a kernel.
MAPPING, MAPPING_BAR = r"on_work_group\(\)|Mapping::(?:work_group|vector)", Bar(10, 9)

COMMENT = r"//[^\n]*|/\*.*?\*/"
LITERAL = r'R"(?P<d>[^()\\ ]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
FRAGMENT = re.compile(r"//[/<]*\s*(of|the same)\b", re.IGNORECASE)


def without_comments(text):
    """Keeps line breaks and string literals; a comment becomes a space."""
    keep = lambda m: m[0] if m[0][0] != "/" else " " + "\n" * m[0].count("\n")
    return re.sub(f"{LITERAL}|{COMMENT}", keep, text, flags=re.DOTALL)


def sources_of(folders):
    return sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*")
                  if path.suffix in (".hpp", ".cpp", ".h"))


def tags_of(files):
    """ctags' definitions of the files: functions, prototypes, types and members."""
    command = ["ctags", "--languages=C++", "--kinds-C++=fpcsgum", "--fields=+neKs", "--sort=no",
               "--output-format=json", "-f", "-", "-L", "-"]
    done = subprocess.run(command, input="\n".join(map(str, files)), text=True, check=True,
                          capture_output=True)
    tags = [json.loads(line) for line in done.stdout.splitlines()]
    for tag in tags:
        tag["of"] = tag.get("scope", "")
        tag["full"] = f'{tag["of"]}::{tag["name"]}'
        tag["lines"] = tag.get("end", tag["line"]) - tag["line"] + 1
    return [tag for tag in tags if not tag["name"].startswith("__anon")]


def places_of_names(tags):
    """The files that define a type of a name, for each name.

    ctags takes some variables inside functions for types, as in `struct stat facts {};`.
    """
    places = collections.defaultdict(set)
    for tag in tags:
        outside = tag.get("scopeKind") != "function"
        if outside and tag["kind"] in ("class", "struct", "enum", "union"):
            places[tag["name"]].add(tag["path"])
    return places


def shown(name):
    return re.sub(r"^imago::|__anon\w+::", "", name)


def place(tag):
    return f'{tag["path"]}:{tag["line"]}'


class Types:
    """The structs and classes with their fields, methods and lines."""

    def __init__(self, tags):
        self.tags = {tag["full"]: tag for tag in tags if tag["kind"] in ("struct", "class")}
        self.fields, self.methods = collections.Counter(), collections.Counter()
        self.lines = collections.Counter({name: tag["lines"] for name, tag in self.tags.items()})
        self.lines_in_all = self.lines.copy()  # includes the methods that are defined outside
        for tag in tags:
            self._add(tag)

    def _add(self, tag):
        owner = self.tags.get(tag["of"])
        if owner is None:
            return
        inside = (tag["path"] == owner["path"] and
                  owner["line"] <= tag["line"] <= owner.get("end", 0))
        if tag["kind"] == "member":
            self.fields[tag["of"]] += 1
        elif tag["kind"] in ("function", "prototype") and inside:
            self.methods[tag["of"]] += 1
        elif tag["kind"] == "function":
            self.lines_in_all[tag["of"]] += tag["lines"]

    def rows(self, counts):
        return [(count, shown(name), place(self.tags[name])) for name, count in counts.most_common()]


def longest(tags):
    functions = [tag for tag in tags if tag["kind"] == "function"]
    functions.sort(key=lambda tag: -tag["lines"])
    return [(tag["lines"], shown(tag["full"]), place(tag)) for tag in functions]


def elsewhere(tags):
    """Functions that a header declares and a source of another name defines."""
    headers = collections.defaultdict(set)
    for tag in tags:
        if tag["kind"] == "prototype" and not tag["path"].endswith(".cpp"):
            headers[tag["full"]].add(tag["path"])
    found = []
    for tag in tags:
        declared = headers.get(tag["full"])
        if tag["kind"] == "function" and tag["path"].endswith(".cpp") and declared:
            if pathlib.Path(tag["path"]).stem not in {pathlib.Path(h).stem for h in declared}:
                found.append(f'{min(declared):36} {shown(tag["full"]):40} {place(tag)}')
    return sorted(found)


def fragments(texts, behind_code):
    """Returns comments with first words that need the line above to be understood."""
    found = []
    for path, text in texts.items():
        before = ""
        for number, line in enumerate(map(str.strip, text.splitlines()), 1):
            continues = line.startswith("//") and before.startswith("//")
            if FRAGMENT.search(line) and not continues and behind_code != line.startswith("//"):
                found.append(f"{path}:{number}: {line}")
            before = line
    return found


class Report:
    def __init__(self, rows):
        self.most_rows, self.missed = rows, 0

    def bar(self, text, worst, bar):
        missed = worst > bar.most
        self.missed += missed
        print(f'\n{text}: {worst}, at most {bar.most}, aimed at {bar.aim}{"  <-- MISSED" if missed else ""}')
        if worst < bar.most:
            print("  Lower the bar in tools/structure.py.")

    def table(self, text, rows, bar=None):
        """Prints every row above the aim, and at least the first few. `bar` may be None."""
        if bar is None:
            print(f"\n{text}")
            most = rows[0][0] if rows else 0
        else:
            self.bar(text, rows[0][0] if rows else 0, bar)
            most = bar.aim
        for index, (count, name, where) in enumerate(rows):
            if index < self.most_rows or count > most:
                print(f'  {count:5}{"*" if count > most else " "} {name:48} {where}')

    def names(self, places):
        """Counts the names of types, and lists those that are shared."""
        self.bar("Names of types", len(places), NAMES)
        shared = {name: paths for name, paths in places.items() if len(paths) > 1}
        self.bar("Names of types that two or more files define", len(shared), SHARED_NAMES)
        for name, paths in sorted(shared.items(), key=lambda row: (-len(row[1]), row[0])):
            print(f'  {len(paths):8} {name:24} {" ".join(sorted(paths))}')

    def includes(self, units):
        """Measures the chains of rooms, and the rings."""
        for room, bar in FLOORS.items():
            chain = rings.chain_of(units, room)
            self.bar(f"Floors of {room}", len(chain), bar)
            print(f'  {" ".join(chain)}')
        largest = rings.rings_of(units)
        self.bar("Units of a ring", len(largest[0]) if largest else 0, RING)
        for ring in largest:
            print(f'  {len(ring):8} {" ".join(ring)}')

    def concepts(self, texts):
        code = {path: without_comments(text) for path, text in texts.items()}
        for name, (pattern, bar) in CONCEPTS.items():
            named = [path for path, text in texts.items() if re.search(pattern, text, re.I)]
            in_code = {path for path in named if re.search(pattern, code[path], re.I)}
            self.bar(f"Files that name {name} ({len(in_code)} of them in code)", len(named), bar)
            for path in named:
                print(f'  {"" if path in in_code else "comment":>8} {path}')
        self.places("Places that ask for the mapping", code, MAPPING, MAPPING_BAR)
        others = {path: text for path, text in code.items() if not path.endswith(THROW_HOME)}
        self.places(f"Places that throw outside of {THROW_HOME}", others, THROW, THROW_BAR)

    def places(self, text, code, pattern, bar):
        found = {path: len(re.findall(pattern, lines)) for path, lines in code.items()}
        self.bar(text, sum(found.values()), bar)
        for path, times in found.items():
            if times:
                print(f"  {times:8} {path}")

    def list(self, text, lines, verbose):
        print(f"\n{text}: {len(lines)}")
        for line in lines if verbose else []:
            print(f"  {line}")


def main():
    parser = argparse.ArgumentParser(prog="structure.sh", description="Counts the code's structure.")
    parser.add_argument("folders", nargs="*", default=["src"], help="default: src")
    parser.add_argument("--check", action="store_true", help="exit status 1 where a bar is missed")
    parser.add_argument("--rows", type=int, default=5, help="of a table, at least")
    parser.add_argument("--all", action="store_true", help="list what has no bar, too")
    options = parser.parse_args()

    files = sources_of(options.folders)
    texts = {str(path): path.read_text() for path in files}
    tags = tags_of(files)
    types = Types(tags)
    print(f"{', '.join(options.folders)}: {len(files)} files, "
          f"{sum(text.count(chr(10)) for text in texts.values())} lines; * is over its bar")
    report = Report(options.rows)
    lines = sorted(((text.count("\n"), path, "") for path, text in texts.items()), reverse=True)
    report.table("Lines of a file", lines, FILE_LINES)
    report.table("Fields of a struct or class", types.rows(types.fields), FIELDS)
    report.table("Lines of a class", types.rows(types.lines), CLASS_LINES)
    report.table("Lines of a class and of its methods outside", types.rows(types.lines_in_all))
    report.table("Methods of a class", types.rows(types.methods), METHODS)
    report.table("Lines of a function", longest(tags), FUNCTION_LINES)
    # Public types are in include.
    public = sources_of(["include"]) if options.folders == ["src"] else []
    report.names(places_of_names(tags + tags_of(public)))
    for folder in map(pathlib.Path, options.folders):
        report.includes(rings.units_of(folder))
    report.concepts(texts)
    report.list("Functions declared in a header and defined in a source of another name",
                elsewhere(tags), options.all)
    report.list('Comments of their own that begin with "Of" or "The same"',
                fragments(texts, behind_code=False), options.all)
    report.list('Comments behind code that begin so', fragments(texts, behind_code=True), options.all)
    print(f"\n{report.missed} bars missed")
    return 1 if options.check and report.missed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # for `| head`
    sys.exit(main())
