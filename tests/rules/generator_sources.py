#!/usr/bin/env python3
"""Checks that the keys of generated kernels depend on all sources of their texts.

usage: generator_sources.py ROOT LIST

LIST has the hashed files (src/engine/CMakeLists.txt), one a line. It must contain each file of the
generator's modules, each file that these include, and the implementation of each such header:
otherwise a cached kernel may outlive a change of its text.
"""

import pathlib
import re
import sys

MODULES = ["base", "ir", "kernel", "user_code", "blocks"]
# Changes of these change no generated kernel: texts of hand-written kernels are in their own keys,
# and the one that generated kernels contain is hashed (kernels/pairs.cl).
OTHERS = {"src/kernels/text.hpp"}


def included_by(root: pathlib.Path, path: str) -> set[str]:
    """Returns the project's files that a file includes, with their implementations."""
    found = set()
    for name in re.findall(r'^#include ["<]([^">]+)[">]', (root / path).read_text(), re.MULTILINE):
        header = ("include/" if name.startswith("imago/") else "src/") + name
        for candidate in (header, header.removesuffix(".hpp") + ".cpp"):
            if (root / candidate).is_file():
                found.add(candidate)
    return found


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    lines = pathlib.Path(sys.argv[2]).read_text().split("\n")
    hashed = {str(pathlib.Path(line).relative_to(root)) for line in lines if line}
    needed: set[str] = set()
    todo = [str(path.relative_to(root)) for module in MODULES
            for path in (root / "src" / module).rglob("*.[ch]pp")]
    while todo:
        path = todo.pop()
        if path not in needed and path not in OTHERS:
            needed.add(path)
            todo.extend(included_by(root, path))
    missing = sorted(needed - hashed)
    for path in missing:
        print(f"{path}: generated kernels depend on it; list it in src/engine/CMakeLists.txt")
    print(f"{len(needed)} files, {len(missing)} are not hashed")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
