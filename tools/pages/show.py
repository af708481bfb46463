"""This file inserts generated text into pages.

`<!-- from FILE -->` shows code of a file, from the line after "// Shown in <page>:" to "// Until
here.", or "#" instead of "//". `<!-- printed by NAME ARGUMENTS -->` shows the output of a program. With
`<!-- printed by NAME ARGUMENTS; numbers vary -->` a block stays unchanged if only its numbers
differ, because times were measured once. The picture after
`<!-- drawn by imago explain ARGUMENTS -->` shows that plan (figure.py). Files are from the tree.
"""
import json
import os
import re
import subprocess
import tempfile

import figure
import markdown

DRAWN = re.compile(r"^<!-- drawn by (imago explain .*) -->\n!\[.*\]\((.*\.svg)\)$", re.MULTILINE)
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")


def masked(text):
    return re.sub(r" +", " ", NUMBER.sub("N", text))


def shown(root, page, file):
    text = (root / file).read_text()
    parts = re.findall(rf"^(?://|#|!) Shown in {re.escape(page)}:\n(.*?)^ *(?://|#|!) Until here\.$", text,
                       re.MULTILINE | re.DOTALL)
    if not parts:
        raise SystemExit(f"{file} has nothing that is shown in {page}")
    return "".join(parts)


def printed(programs, command, where=None):
    with tempfile.TemporaryDirectory() as folder:
        name, *words = command.split()
        done = subprocess.run([programs / name, *words], cwd=where or folder, text=True, check=False,
                              stdout=subprocess.PIPE)
    if done.returncode:
        raise SystemExit(f"{command} failed")
    return done.stdout


def renewed(root, programs, page):
    """Returns the correct text of a page."""
    lines = (root / page).read_text().splitlines(keepends=True)
    for block in reversed(markdown.read(root, page)[0]):
        if block.mark.startswith("from "):
            text = shown(root, page, block.mark[5:])
        elif block.mark.startswith("printed by "):
            command, _, vary = block.mark[11:].partition("; ")
            text = printed(programs, command)
            if vary == "numbers vary" and masked(text) == masked(block.text):
                continue
        else:
            continue
        lines[block.line : block.line + block.text.count("\n")] = [text]
    return "".join(lines)


def wanted(root, programs):
    """Yields each file with generated parts, and its correct text."""
    for page in markdown.pages(root):
        if any(b.mark.startswith(("from ", "printed by ")) for b in markdown.read(root, page)[0]):
            yield root / page, renewed(root, programs, page)
        for command, picture in DRAWN.findall((root / page).read_text()):
            explained = printed(programs, f"{command} --json", root)
            yield (root / page).parent / picture, figure.drawn(json.loads(explained))


def run(root, programs, only_check):
    """Renews the files, or yields a line for each file that is not up to date."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["IMAGO_CACHE_DIR"] = cache
        for path, text in wanted(root, programs):
            name = path.relative_to(root)
            if path.exists() and path.read_text() == text:
                continue
            if only_check:
                yield f"{name} does not show what is there: tools/pages.sh show {programs} renews it"
            else:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
                print(f"{name} is renewed")
