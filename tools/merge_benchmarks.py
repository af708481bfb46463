#!/usr/bin/env python3
"""Makes the tables and pictures of docs/benchmarks.md from files of `imago bench --submit`.

Needs Debian's python3-jsonschema. The files come from strangers. If one is damaged, changed or too
large, the command prints the reason and writes nothing.
"""
import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools/benchmarks"))

import page  # noqa: E402
import submission  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path,
                        help="folder of the files; only names that end in .json are read")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs/benchmarks.md",
                        help="the page whose tables are replaced; pictures go next to it")
    parser.add_argument("--imago", type=pathlib.Path,
                        help="the command that draws the pictures [no pictures]")
    parser.add_argument("--check", action="store_true", help="check the files and write nothing")
    return parser.parse_args()


def draw(command, folder, suites, target):
    for suite, pairs in suites.items():
        if not page.is_drawn(pairs):
            continue
        picture = target.parent / page.picture_name(suite)
        files = [str(folder / name) for name, _ in pairs]
        subprocess.run([command, "bench", "--draw", *files, "--picture", picture], check=True)


def main():
    given = arguments()
    try:
        submissions, wrong = submission.read_folder(given.folder)
    except OSError as error:
        print(f"{given.folder}: {error.strerror}", file=sys.stderr)
        return 1
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        print(f"{len(wrong)} of {len(wrong) + len(submissions)} files are rejected; "
              "nothing is written", file=sys.stderr)
        return 1
    if given.check:
        print(f"{len(submissions)} files are in order")
        return 0
    folder = os.path.relpath(given.folder, given.page.parent)
    given.page.write_text(page.merged(given.page.read_text(), submissions, folder))
    if given.imago:
        draw(given.imago, given.folder, page.by_suite(submissions), given.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
