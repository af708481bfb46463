"""This file finds the places in the sources that throw, and the words of their messages."""
import ast
import dataclasses
import re

# The functions of src/base/errors.hpp: their exceptions, and how they compose their arguments.
CALLS = {"invalid": ("InvalidArgument", "{0} is {1}; {2}"), "unsupported": ("Unsupported", "{0}; {1}"),
         "device_error": ("DeviceError", "{0} failed: {1}"), "stopped": ("Stopped", "{0}"),
         "no_device": ("DeviceError", "no OpenCL device was found; install a driver."),
         "wrong_device": ("DeviceError", "the device {0} computes wrong results: {1}; {2}"),
         "profile_error": ("ProfileError", "{0}: {1}: {2}"), "wrong_result": ("Error", "{0}")}
THROWN = sorted({kind for kind, _ in CALLS.values()})
CALL = re.compile(rf"(?:base::|(?<![\w:.]))({'|'.join(CALLS)})\(|throw (?:imago::)?({'|'.join(THROWN)})\(")
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
CHARACTER = re.compile(r"'(?:\\.|[^'\\])'")
FOLDERS = ("src", "mpi/src", "python/src")
# Files that only forward words from elsewhere.
FORWARDED = ("src/base/errors.hpp", "src/base/errors.cpp", "mpi/src/errors.hpp", "mpi/src/errors.cpp",
             "mpi/src/agreement.cpp")


@dataclasses.dataclass
class Site:
    place: str  # file:line
    text: str  # the exception and its message, with "…" for computed parts


def arguments(text, at):
    """Returns the arguments of a call; `at` is the position after its opening bracket."""
    parts, depth, begin = [], 1, at
    while depth:
        skipped = LITERAL.match(text, at) or CHARACTER.match(text, at)
        if skipped:
            at = skipped.end()
            continue
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[at], 0)
        if depth == 0 or (depth == 1 and text[at] == ","):
            parts.append(text[begin:at])
            begin = at + 1
        at += 1
    return parts


def words(argument):
    """Returns the literals of an argument, with "…" for computed parts between them."""
    text, last = "", 0
    for literal in [*LITERAL.finditer(argument), None]:
        between = argument[last : literal.start() if literal else len(argument)]
        if between.strip():
            text += "…"
        if literal:
            text += literal[1].replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")
            last = literal.end()
    return re.sub("…+", "…", text)


def said_at(text, call):
    given = [words(part) for part in arguments(text, call.end())]
    if call[2]:
        return f"{call[2]}: {given[0]}"
    kind, form = CALLS[call[1]]
    return f"{kind}: " + form.format(*given, *["…"] * 3)


def of_cpp(path, name):
    text = re.sub(r"(^|[ ;{}])//[^\n]*", r"\1", path.read_text(), flags=re.MULTILINE)
    for call in CALL.finditer(text):
        before = text[text.rfind("\n", 0, call.start()) + 1 : call.start()]
        if not re.search(r"\bvoid\s+$", before):  # a declaration
            line = text.count("\n", 0, call.start()) + 1
            yield Site(f"{name}:{line}", said_at(text, call))


def of_python(path, name):
    for node in ast.walk(ast.parse(path.read_text())):
        if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args):
            continue
        text = node.exc.args[0]
        parts = text.values if isinstance(text, ast.JoinedStr) else [text]
        said = "".join(part.value if isinstance(part, ast.Constant) else "…" for part in parts)
        yield Site(f"{name}:{node.lineno}", f"{ast.unparse(node.exc.func).split('.')[-1]}: {said}")


def sites(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            name = path.relative_to(root).as_posix()
            if name not in FORWARDED:
                yield from of_cpp(path, name)
    for path in sorted((root / "python/imago").rglob("*.py")):
        yield from of_python(path, path.relative_to(root).as_posix())
