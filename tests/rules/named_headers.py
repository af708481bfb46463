"""named_headers.py SOURCES: checks that each file of src includes, directly or indirectly, a header
with each `module::name` that it uses. A unity build, as in CI, compiles files after others and so
hides missing includes. A build of single files, as users do it, does not.

Names are compared as words: a name that a header contains for another reason passes.
"""

import functools
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def main(sources: pathlib.Path) -> int:
    roots = (sources / "src", sources / "include", sources / "kernels")
    modules = {folder.name for folder in roots[0].iterdir() if folder.is_dir()}
    used = re.compile(r"\b(" + "|".join(sorted(modules)) + r")::(\w+)")

    @functools.cache
    def code(path: pathlib.Path) -> str:
        return COMMENT.sub(" ", path.read_text())

    @functools.cache
    def words(path: pathlib.Path) -> frozenset:
        return frozenset(re.findall(r"\w+", code(path)))

    def included(path: pathlib.Path) -> list:
        found = (root / name for name in INCLUDE.findall(code(path)) for root in roots)
        return [header for header in found if header.is_file()]

    def reached(path: pathlib.Path) -> set:
        seen, left = set(), [path]
        while left:
            for header in included(left.pop()):
                if header not in seen:
                    seen.add(header)
                    left.append(header)
        return seen

    mistakes, looked_at = [], 0
    for path in sorted(roots[0].rglob("*.[ch]pp")):
        headers = reached(path)
        for module, name in sorted(set(used.findall(code(path)))):
            looked_at += 1
            # A namespace that the file opens may define the name.
            if re.search(rf"namespace [\w:]*\b{module}\b", code(path)) and name in words(path):
                continue
            if not any(name in words(header) for header in headers):
                mistakes.append(f"{path.relative_to(sources)}: {module}::{name} without its header")
    print("\n".join(mistakes) or f"{looked_at} names have their headers")
    return bool(mistakes) or not looked_at


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
