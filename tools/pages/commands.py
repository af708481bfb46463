"""This file checks that the commands in the pages are commands: words and options of `imago`, and files of the tree."""
import re
import subprocess

import markdown

COMMAND = re.compile(r"(?:^|\s)imago ([a-z]+)((?:\s+[^\s;|&#()]+)*)")
OPTION = re.compile(r"(?<!\S)--[a-z][a-z0-9-]*")
SCRIPT = re.compile(r"(?<![\w/.-])((?:tools|tests|bench|python)/[\w/-]+\.(?:sh|py|cpp|hpp))\b")


def texts(root, page):
    """Indented lines and code spans, each with its line."""
    prose = markdown.read(root, page)[1]
    for number, line in prose:
        if line.startswith("    "):
            yield number, line
    flowing = "\n".join(" " if line.startswith("    ") else line for _, line in prose)
    for span in re.finditer(r"(?<!`)`([^`]+)`(?!`)", flowing):
        yield prose[flowing.count("\n", 0, span.start())][0], span[1].replace("\n", " ")


class Options:
    """The options of each subcommand, read from its --help."""

    def __init__(self, program):
        self._program, self._known = program, {}

    def of(self, word):
        """Returns the options of a subcommand; None if it does not exist."""
        if word not in self._known:
            done = subprocess.run([self._program, word, "--help"], text=True, check=False,
                                  capture_output=True)
            known = set(re.findall(r"--[a-z][a-z0-9-]*", done.stdout))
            self._known[word] = known if done.returncode == 0 else None
        return self._known[word]


def check(root, program):
    """One line for each command that the program does not know, and for each script that is not there."""
    options = Options(program)
    for page in markdown.pages(root):
        if page == "CHANGELOG.md":  # it describes the past
            continue
        for number, text in texts(root, page):
            for command in COMMAND.finditer(text):
                known = options.of(command[1])
                if known is None:
                    yield f"{page}:{number}: imago {command[1]} is no command"
                    continue
                own = command[2].split(" -- ")[0]
                for option in OPTION.findall(own):
                    if option not in known:
                        yield f"{page}:{number}: imago {command[1]} has no {option}"
            for script in SCRIPT.findall(text):
                if "NAME" not in script and not (root / script).exists():
                    yield f"{page}:{number}: there is no {script}"
