"""This file checks the links of the pages, and that the pages mention everything public."""
import ast
import fnmatch
import re
import urllib.error
import urllib.request

import markdown

# Headers without names for users.
PRIVATE = ("imago.hpp", "export.hpp", "owned.hpp", "standard_library.hpp")


def answers(address):
    """True if a server has a page there. A server that rejects programs counts as having it."""
    request = urllib.request.Request(address, headers={"User-Agent": "imago link checker"})
    try:
        with urllib.request.urlopen(request, timeout=20):
            return True
    except urllib.error.HTTPError as error:
        return error.code in (401, 403, 429)
    except OSError:
        return False


def broken(root, page, target, with_http, anchors_of):
    """Why a link does not lead anywhere, or None."""
    if target.startswith(("http://", "https://")):
        return "does not answer" if with_http and not answers(target) else None
    if target.startswith("mailto:"):
        return None
    name, _, anchor = target.partition("#")
    path = (root / page).parent / name if name else root / page
    if not path.resolve().is_relative_to(root):
        return "is outside of the repository"
    if not path.exists():
        return "is not there"
    if anchor and path.suffix == ".md" and anchor not in anchors_of(path.resolve()):
        return "has no such heading"
    return None


def check(root, with_http):
    """One line for each link that leads nowhere."""
    known = {}

    def anchors_of(path):
        if path not in known:
            known[path] = markdown.anchors(markdown.read(root, path.relative_to(root))[1])
        return known[path]

    for page in markdown.pages(root):
        for line, target in markdown.links(markdown.read(root, page)[1]):
            why = broken(root, page, target, with_http, anchors_of)
            if why:
                yield f"{page}:{line}: {target} {why}"


def public_names(path):
    """Yields the names that a package's __init__.py imports from its own files."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            yield from (name.name for name in node.names if not name.name.startswith("_"))


def listed(front):
    """The entries of the front page's toctrees: names of pages, or patterns such as hooks/*."""
    trees = re.findall(r"^```{toctree}\n(.*?)^```$", front, re.MULTILINE | re.DOTALL)
    return [line for tree in trees for line in tree.splitlines() if line and not line.startswith(":")]


def unnamed(root):
    """One line for each page or record that no list has, and each header or name without a reference."""
    entries = listed((root / "docs/index.md").read_text())
    reference = (root / "docs/reference/cpp.md").read_text()
    named = set(re.findall(r"\w+", (root / "docs/reference/python.md").read_text()))
    for package in ("python/imago", "python/imago/fft"):
        for name in public_names(root / package / "__init__.py"):
            if name not in named:
                yield f"docs/reference/python.md does not show {package.removeprefix('python/')}: {name}"
    for path in sorted((root / "docs").rglob("*.md")):
        name = path.relative_to(root / "docs").with_suffix("").as_posix()
        if name != "index" and not any(fnmatch.fnmatchcase(name, entry) for entry in entries):
            yield f"docs/index.md does not list {name}"
    book = (root / "docs/measured/index.md").read_text()
    for path in sorted((root / "docs/measured").glob("*")):
        if path.is_file() and path.name != "index.md" and f"]({path.name})" not in book:
            yield f"docs/measured/index.md does not list {path.name}"
    for folder in ("include/imago", "mpi/include/imago"):
        for path in sorted((root / folder).glob("*.h*")):
            if path.name not in PRIVATE and f"{{doxygenfile}} {path.name}\n" not in reference:
                yield f"docs/reference/cpp.md does not show {path.name}"
