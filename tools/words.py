"""This file checks comments, pages and help texts: plain words, short lines.

tools/words.json holds the words to avoid with their replacements, and a ceiling for each count.
"""
import argparse
import ast
import collections
import io
import json
import pathlib
import re
import signal
import subprocess
import sys
import tokenize
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools/pages"))

import markdown  # noqa: E402

FOLDERS = (".ci", "bench", "cmake", "compat", "debian", "docs", "include", "kernels", "mpi",
           "python", "src", "tests", "tools")
COLUMNS, CODE_COLUMNS, HELP_COLUMNS, WORDS = 100, 80, 80, 25

# --check reports the first kinds. The others have ceilings only: a long sentence may be the
# better one.
STRICT = ("comments", "help", "private words", "columns", "code columns", "commit ids", "dates")
COUNTED = ("clauses in comments", "clauses in pages", "long sentences")

# Bad examples stand between these marks of a page.
BAD_EXAMPLES = "<!-- bad examples -->", "<!-- end of bad examples -->"

# These pages define the private words, or are logs and history.
DEFINING = ("docs/architecture.md", "docs/glossary.md")
LOGS = ("docs/measured/", "CHANGELOG.md")

STRING = r'"(?:\\.|[^"\\\n])*"'
LITERAL = rf'R"(?P<d>[^()\\ ]*)\(.*?\)(?P=d)"|{STRING}' r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'"
COMMENT = r"//[^\n]*|/\*.*?\*/"
CODE = re.compile(f"{LITERAL}|{COMMENT}", re.DOTALL)
ADJACENT = re.compile(rf"{STRING}(?:\s*{STRING})*")
MARKER = re.compile(r"^\s*(?://+[!<]*|/\*+[!<]*|#+:?|\*(?!/))?[ \t]?|\s*\*/$")

# A sentence ends before the next capital letter, or a name in lower case; a colon ends none.
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+"
                          r"(?=[\"'(\[]?(?:[A-Z0-9]|(?:imago|clFFT|cuFFT|oneMKL|libsndfile)\b))")
CLAUSE = re.compile(r"(?:What|Where|Who|Whom|Whose|Whoever|Whether|Of)\b(?!.*\?$)", re.DOTALL)
COMMIT = re.compile(r"(?<![\w.#-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?!\w|-\w)")
DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)")

ITEM = re.compile(r"\s*(?:[-*+>] |\d+[.)] |#{1,6} |\||<!--)")
# One word (a URL, a path) cannot be broken. A link, a picture and a mark of tools/pages must not
# be: those are read line by line.
UNBREAKABLE = re.compile(r"\s*(?:[-*+>] +|\d+[.)] +)?"
                         r"(?:\S+|!?\[.*?\]\(\S+\)[.,:;]?|\[.*?\]: +\S+|<!--.*-->)$")


class Finding(NamedTuple):
    kind: str
    path: str
    line: int
    text: str


class Comment(NamedTuple):
    line: int
    text: str
    after_code: bool = False  # such a comment may continue the code: "a = 1;  // so that .."


class Words:
    """The lists of tools/words.json."""

    def __init__(self, path=ROOT / "tools/words.json"):
        self.path, self.data = path, json.loads(path.read_text())
        self.ceilings = self.data["ceilings"]
        self.first = self._compiled(self.data["first words"])
        self.private = self._compiled(self.data["private words"])

    @staticmethod
    def _compiled(words):
        whole = lambda pattern: rf"(?<!\w)(?:{pattern})(?!\w)".replace(" ", r"\s+")
        return [(re.compile(whole(pattern), re.IGNORECASE), instead)
                for pattern, instead in words.items()]

    def bad_start(self, text, after_code=False):
        """Returns the fault of a text's first word, or an empty list."""
        for pattern, instead in self.first:
            found = pattern.match(text)
            if found and not (after_code and found[0] in self.data["may continue code"]):
                return [f'begins with "{found[0]}": {instead}']
        return []

    def private_in(self, text):
        """Yields the position of each private word, and the term to use."""
        for pattern, instead in self.private:
            for found in pattern.finditer(text):
                yield found.start(), f'"{" ".join(found[0].split())}": {instead}'


# Comments. The readers yield line, column, text and whether code stands before it on the line.

def of_c(text):
    for match in CODE.finditer(text):
        if match[0][0] == "/":
            start = text.rfind("\n", 0, match.start()) + 1
            yield (text.count("\n", 0, match.start()) + 1, match.start() - start, match[0],
                   bool(text[start:match.start()].strip()))


def of_scripts(text):
    """Reads shell and CMake. A quote that another line closes is not understood."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in re.finditer(r"(?:^|(?<=\s))#(?!!)", line):
            before = line[:match.start()]
            if before.count('"') % 2 == 0 and before.count("'") % 2 == 0:
                yield number, match.start(), line[match.start():], bool(before.strip())
                break


def of_python(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            yield *token.start, token.string, bool(token.line[:token.start[1]].strip())


def docstrings(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            words = ast.get_docstring(node)
            if words:
                yield Comment(node.body[0].lineno, words)


def joined(lines):
    """Joins comments of consecutive lines that begin in the same column."""
    first, words, end = None, [], None
    for line, column, text, after_code in lines:
        plain = "\n".join(MARKER.sub("", each) for each in text.splitlines())
        if end == (line - 1, column) and not after_code and not text.startswith("/*"):
            words.append(plain)
        else:
            if first:
                yield first._replace(text="\n".join(words))
            first = Comment(line, "", after_code and not re.match(r"//[/!]|/\*[*!]|#:", text))
            words = [plain]
        end = line + text.count("\n"), column
    if first:
        yield first._replace(text="\n".join(words))


def reader_of(path):
    if path.suffix in (".cpp", ".hpp", ".h", ".c", ".cl"):
        return of_c
    if path.suffix == ".py":
        return of_python
    if path.suffix in (".sh", ".cmake") or path.name == "CMakeLists.txt":
        return of_scripts
    if not path.suffix and path.read_bytes()[:2] == b"#!":
        return of_scripts
    return None


def comments(path):
    reader = reader_of(path)
    if reader:
        text = path.read_text()
        yield from joined(reader(text))
        if reader == of_python:
            yield from docstrings(text)


# Pages.

class Passage(NamedTuple):
    """A paragraph, a heading, an item of a list or the cell of a table, without code and URLs."""

    line: int
    text: str
    heading: bool


def plain(text):
    """Keeps line breaks; code and URLs become a letter."""
    letter = lambda match: "X" + "\n" * match[0].count("\n")
    text = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", letter, text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"(\])\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)", r"\1", text)
    text = re.sub(r"<?https?://[^\s>)]+>?", "X", text)
    return re.sub(r"</?\w[^<>]*>|[*\[\]]", "", text)


def passages(prose):
    lines, in_list, before = [], False, 0

    def whole():
        if lines:
            text = "\n".join(line for _, line in lines)
            cells = [text] if text.lstrip()[:1] != "|" else re.split(r"(?<!\\)\|", text)
            for cell in cells:
                words = plain(re.sub(r"^\s*(?:[-*+>] |\d+[.)] |#{1,6} )", "", cell))
                if words.strip():
                    yield Passage(lines[0][0], words.strip(), cell.startswith("#"))
            lines.clear()

    for number, line in prose:
        code = line.startswith("    ") and not in_list and not lines
        item = not code and ITEM.match(line)
        if not line.strip() or item or number != before + 1:
            yield from whole()
        before = number
        if item:
            in_list = not line.startswith(("#", "|", "<!--"))
        elif line.strip() and not line.startswith(" "):
            in_list = in_list and bool(lines)
        if line.strip() and not code:
            lines.append((number, line))
    yield from whole()


def without_examples(prose):
    """Yields the lines that are not between the marks of bad examples."""
    inside = False
    for number, line in prose:
        inside = line == BAD_EXAMPLES[0] or inside and line != BAD_EXAMPLES[1]
        if not inside:
            yield number, line


class Checker:
    def __init__(self, words, root=ROOT):
        self.words, self.root, self.findings = words, root, []

    def add(self, kind, path, line, text):
        self.findings.append(Finding(kind, path, line, text))

    def files(self, paths):
        """Returns the files of the paths, or of the whole tree."""
        names = paths or [self.root / name for name in FOLDERS] + sorted(
            path for path in self.root.iterdir() if path.is_file())
        for name in map(pathlib.Path, names):
            for path in sorted(name.rglob("*")) if name.is_dir() else [name]:
                path = path.resolve()
                if not path.is_relative_to(self.root):  # a link to a program that was built elsewhere
                    continue
                made = {"build", "__pycache__", ".git"} & set(path.relative_to(self.root).parts)
                if path.is_file() and not made:
                    yield path

    def check(self, paths):
        for path in self.files(paths):
            name = path.relative_to(self.root).as_posix()
            if path.suffix == ".md":
                self.page(name)
            if path.suffix == ".cl":  # clang-format checks the other code
                self.columns(name, path.read_text())
            for comment in comments(path):
                self.comment(name, comment)
            if name.startswith("tools/imago/") and "<CLI/CLI.hpp>" in path.read_text():
                self.help(name, path.read_text())
        return self

    def columns(self, name, text):
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > COLUMNS:
                self.add("columns", name, number, f"{len(line)} columns: at most {COLUMNS}")

    def comment(self, name, comment):
        text = comment.text.strip()
        for wrong in self.words.bad_start(text, comment.after_code):
            self.add("comments", name, comment.line, wrong)
        at = 0
        for sentence in SENTENCE_END.split(text):
            at = text.index(sentence, at)
            if CLAUSE.match(sentence):
                self.add("clauses in comments", name, comment.line + text.count("\n", 0, at),
                         f'"{" ".join(sentence.split())[:50]}": begin with the subject')

    def help(self, name, text):
        """Checks the string literals that are sentences: descriptions of options and messages."""
        for match in ADJACENT.finditer("".join(self.without_comments(text))):
            words = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', match[0]))
            if re.match(r"[A-Z][\w-]* ", words):
                line = text.count("\n", 0, match.start()) + 1
                for wrong in self.words.bad_start(words):
                    self.add("help", name, line, wrong)
                for _, wrong in self.words.private_in(words):
                    self.add("help", name, line, wrong)

    @staticmethod
    def without_comments(text):
        """Yields the text in parts of the same length."""
        at = 0
        for match in CODE.finditer(text):
            if match[0][0] == "/":
                yield text[at:match.start()]
                yield re.sub(r"[^\n]", " ", match[0])
                at = match.end()
        yield text[at:]

    def page(self, name):
        if name.startswith(LOGS):
            return
        blocks, prose = markdown.read(self.root, name)
        for block in blocks:
            if block.mark.startswith("printed by "):  # a program's lines are shown unchanged
                continue
            for number, line in enumerate(block.text.splitlines(), block.line + 1):
                if len(line) > CODE_COLUMNS:
                    self.add("code columns", name, number,
                             f"{len(line)} columns of code: at most {CODE_COLUMNS}")
        for number, line in prose:
            self.line(name, number, line)
        for passage in passages(without_examples(prose)):
            self.passage(name, passage)

    def line(self, name, number, line):
        table = line.lstrip().startswith("|")
        if len(line) > COLUMNS and not table and not UNBREAKABLE.match(line):
            self.add("columns", name, number,
                     f"{len(line)} columns: at most {COLUMNS}, one sentence a line")
        text = re.sub(r"\]\([^()]*\)", "]", line)
        for found in COMMIT.findall(text):
            self.add("commit ids", name, number,
                     f"{found}: name the release, or move it to docs/measured")
        for found in DATE.findall(text):
            self.add("dates", name, number, f"{found}: move it to docs/measured or CHANGELOG.md")

    def passage(self, name, passage):
        at, text = 0, passage.text
        line = lambda at: passage.line + text.count("\n", 0, at)
        if name not in DEFINING:
            for place, wrong in self.words.private_in(text):
                self.add("private words", name, line(place), wrong)
        for sentence in SENTENCE_END.split(text):
            at = text.index(sentence, at)
            count = len(re.findall(r"\S*\w\S*", sentence))
            beginning = " ".join(sentence.split())[:50]
            if CLAUSE.match(sentence) and not passage.heading:
                self.add("clauses in pages", name, line(at),
                         f'"{beginning}": begin with the subject')
            if count > WORDS:
                self.add("long sentences", name, line(at),
                         f'"{beginning}": {count} words: at most {WORDS}, one idea a sentence')

    def show(self, kinds):
        found = [finding for finding in self.findings if finding.kind in kinds]
        for finding in sorted(found, key=lambda each: (each.path, each.line)):
            print(f"{finding.path}:{finding.line}: {finding.text}")
        return found

    def counts(self):
        counts = collections.Counter(finding.kind for finding in self.findings)
        return {kind: counts[kind] for kind in STRICT + COUNTED}


def held(checker):
    """Prints the kinds that are over their ceilings, with their findings; returns how many."""
    over = 0
    for kind, count in checker.counts().items():
        ceiling = checker.words.ceilings[kind]
        if count > ceiling:
            checker.show({kind})
            print(f"{kind}: {count}, at most {ceiling} (tools/words.json)\n")
            over += 1
        elif count < ceiling:
            print(f"{kind}: {count}, at most {ceiling}: lower it with `tools/words.py --lower`")
    return over


def lower(checker):
    """Writes today's counts as ceilings, if they are lower."""
    words = checker.words
    for kind, count in checker.counts().items():
        words.ceilings[kind] = min(count, words.ceilings[kind])
    words.path.write_text(json.dumps(words.data, indent=2, ensure_ascii=False) + "\n")


def help_of(imago):
    """Prints lines of the command's help that are too long; returns how many."""
    said = lambda *words: subprocess.run([imago, *words, "--help"], text=True, check=True,
                                         capture_output=True).stdout
    text, long = said(), 0
    listed = text[text.upper().rindex("SUBCOMMANDS:"):]
    commands = re.findall(r"^  ([a-z][\w-]*)", listed, re.MULTILINE)
    for words in [[], *([command] for command in commands)]:
        for line in said(*words).splitlines():
            if len(line) > HELP_COLUMNS:
                print(f'{" ".join(["imago", *words])} --help: {len(line)} columns, at most '
                      f"{HELP_COLUMNS}: {line}")
                long += 1
    print(f"help of imago and {len(commands)} sub-commands: {long} lines are too long")
    return long or not commands


def main():
    parser = argparse.ArgumentParser(
        description="Checks comments, pages and help texts against the house style.")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--check", action="store_true",
                      help="exit 1 on a finding in PATH; without PATH, on a count over its ceiling")
    mode.add_argument("--count", action="store_true", help="print the counts")
    mode.add_argument("--list", metavar="KIND", choices=STRICT + COUNTED,
                      help=f"print the findings of a kind: {', '.join(STRICT + COUNTED)}")
    mode.add_argument("--lower", action="store_true",
                      help="lower the ceilings to the counts of the tree")
    mode.add_argument("--help-of", metavar="IMAGO", help="check the columns of the command's help")
    parser.add_argument("paths", metavar="PATH", nargs="*", help="files or folders [the tree]")
    options = parser.parse_args()
    if options.help_of:
        return bool(help_of(options.help_of))
    checker = Checker(Words()).check([] if options.lower else options.paths)
    if options.lower:
        lower(checker)
    elif options.list:
        checker.show({options.list})
    elif options.count:
        for kind, count in checker.counts().items():
            most = "" if options.paths else f", at most {checker.words.ceilings[kind]}"
            print(f"{count:6} {kind}{most}")
    elif options.paths:
        return bool(checker.show(STRICT))
    else:
        return bool(held(checker))
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # for `| head`
    sys.exit(main())
