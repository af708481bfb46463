#!/usr/bin/env python3
"""This file prints imago's version, which CMakeLists.txt defines.

version.py [--check | --set VERSION | --cut DATE]

--check lists the files that name another version. --set writes a version into all of them, and
lists the ones that you must rename or edit yourself. --cut writes the date of the release into
CHANGELOG.md.
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ("CMakeLists.txt", r"project\(imago\s+VERSION ([0-9.]+)")
# Files that repeat the version: the first group of the pattern. pyproject.toml and docs/site/conf.py
# read CMakeLists.txt.
COPIES = (
    ("python/imago/__init__.py", r'__version__ = "([0-9.]+)"'),
    ("tools/recipes/conan/conanfile.py", r'\n    version = "([0-9.]+)"'),
    ("tools/recipes/conda/recipe.yaml", r'\n  version: "([0-9.]+)"'),
    ("tools/recipes/spack/package.py", r'imago-([0-9.]+)\.tar\.gz'),
    ("tools/recipes/spack/package.py", r'version\("([0-9.]+)"'),
    ("tools/recipes/vcpkg/imago/vcpkg.json", r'"version-semver": "([0-9.]+)"'),
    ("docs/cite.md", r"version = \{([0-9.]+)\}"),
    ("docs/install.md", r"tools/archive\.sh +# build/imago-([0-9.]+)\.tar\.gz"),
    ("docs/install.md", r"cp build/imago-([0-9.]+)\.tar\.gz"),
    ("docs/install.md", r"\.\./imago_([0-9.]+)\.orig"),
    ("debian/changelog", r"^imago \(([0-9.]+)-"),
    ("CHANGELOG.md", r"\n## ([0-9.]+) - "),
)
# Files that name the SONAME's version, MAJOR.MINOR until 1.0, then MAJOR.
INTERFACE = (
    ("debian/control", r"\nPackage: libimago([0-9.]+)\n"),
    ("tests/abi/imago_mpi.symbols", r"^libimago_mpi\.so\.([0-9.]+) "),
    ("docs/install.md", r"`libimago\.so\.([0-9.]+)`"),
)


def stored():
    return re.search(SOURCE[1], (ROOT / SOURCE[0]).read_text())[1]


def soname(version):
    major, minor, _ = version.split(".")
    return f"{major}.{minor}" if major == "0" else major


def differing(version):
    """Returns "file: found, expected" for each copy that differs."""
    found = []
    for table, expected in ((COPIES, version), (INTERFACE, soname(version))):
        for name, pattern in table:
            if not (ROOT / name).exists():  # source archives lack debian/
                continue
            match = re.search(pattern, (ROOT / name).read_text())
            if not match:
                found.append(f"{name}: nothing like {pattern}")
            elif match[1] != expected:
                found.append(f"{name}: {match[1]}, expected {expected}")
    lists = sorted(path.name for path in ROOT.glob("debian/libimago*"))
    wrong = [name for name in lists if not re.match(rf"libimago({re.escape(soname(version))}|-dev)\.[a-z]", name)]
    return found + [f"debian/{name}: expected a name with {soname(version)}" for name in wrong]


def write(version):
    """Writes the version where one word is enough; changelogs need a person."""
    for name, pattern in (SOURCE, *COPIES):
        path = ROOT / name
        if path.name in ("changelog", "CHANGELOG.md") or not path.exists():
            continue
        text = path.read_text()
        match = re.search(pattern, text)
        path.write_text(text[:match.start(1)] + version + text[match.end(1):])


def cut(date):
    """Dates the version's section of the changelog; returns its heading before and after."""
    path = ROOT / "CHANGELOG.md"
    text = path.read_text()
    match = re.search(rf"^## {re.escape(stored())} - (.*)$", text, re.MULTILINE)
    if not match:
        raise ValueError(f"CHANGELOG.md has no section {stored()}")
    if match[1] not in ("unreleased", date):
        raise ValueError(f"CHANGELOG.md: {stored()} has the date {match[1]}; a version is released once")
    path.write_text(text[:match.start(1)] + date + text[match.end(1):])
    return match[0], f"## {stored()} - {date}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a file names another version")
    parser.add_argument("--set", metavar="VERSION", help="write this version into the files")
    parser.add_argument("--cut", metavar="DATE", help="date the version's section of CHANGELOG.md: 2026-11-29")
    given = parser.parse_args()
    if given.cut:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", given.cut):
            parser.error(f"{given.cut} is not a date such as 2026-11-29")
        try:
            before, after = cut(given.cut)
        except ValueError as error:
            parser.error(str(error))
        print(f"CHANGELOG.md\n-{before}\n+{after}")
        return 0
    if given.set:
        if not re.fullmatch(r"\d+\.\d+\.\d+", given.set):
            parser.error(f"{given.set} is not MAJOR.MINOR.PATCH")
        write(given.set)
    if not (given.check or given.set):
        print(stored())
        return 0
    faults = differing(stored())
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"version {stored()}: {len(faults)} places differ")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
