#!/usr/bin/env python3
"""Checks that a module of the Python package imports only modules below it, also inside functions.

usage: python_order.py PACKAGE PAGE

PAGE (docs/architecture.md) has the order: the block of code after "Python's modules, lowest first".
In an order there is no circle.
"""

import ast
import pathlib
import re
import sys

COMPILED = "_core"  # below all others


def imported_by(package: pathlib.Path, file: pathlib.Path) -> set[str]:
    """Returns the modules of the package that a file imports, by their paths without .py."""
    found = set()

    def add(*parts: str) -> bool:
        path = package.joinpath(*parts)
        if path.is_dir():
            path /= "__init__"
        if path.with_suffix(".py").is_file():
            found.add(str(path.relative_to(package)))
            return True
        return parts[-1] == COMPILED

    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = file.parent.parents[node.level - 2] if node.level > 1 else file.parent
            base = [*above.relative_to(package).parts, *filter(None, (node.module or "").split("."))]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package.name:
            base = node.module.split(".")[1:]
        elif isinstance(node, ast.Import):
            for name in node.names:
                first, *rest = name.name.split(".")
                if first == package.name:
                    add(*rest)
            continue
        else:
            continue
        for name in node.names:
            # A name of a package's own __init__, or a module.
            if not (package.joinpath(*base).is_dir() and add(*base, name.name)):
                add(*base)
    return found - {str(file.relative_to(package).with_suffix(""))}


def main() -> int:
    package, page = map(pathlib.Path, sys.argv[1:])
    block = re.search(r"Python's modules, lowest first.*?\n```\n(.*?)```", page.read_text(), re.DOTALL)
    order = block[1].split()
    files = {str(file.relative_to(package).with_suffix("")): file for file in package.rglob("*.py")}
    wrong = [f"{page} has {name}, which is no module" for name in order if name not in files]
    wrong += [f"{page} has {name} twice" for name in set(order) if order.count(name) > 1]
    wrong += [f"{name}.py is not in the order of {page}" for name in files if name not in order]
    for at, name in enumerate(order):
        for other in sorted(imported_by(package, files[name])) if name in files else ():
            if other not in order[:at]:
                wrong.append(f"{name}.py imports {other}.py, which is not below it")
    print("\n".join(wrong) or f"{len(order)} modules, each imports only modules below it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
