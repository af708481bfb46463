"""This file puts into pages what they show.

Code, from the line after "// Shown in <page>:" to "// Until here." of the file that a page names in
`<!-- from FILE -->`; and what a program prints, in `<!-- printed by NAME ARGUMENTS -->`. After
`<!-- printed by NAME ARGUMENTS; numbers vary -->` the block stays as it is where it differs in its
numbers alone: times were measured once, as the page says.
"""
import os
import re
import subprocess
import tempfile

import markdown

NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")


def masked(text):
    return re.sub(r" +", " ", NUMBER.sub("N", text))


def shown(root, page, file):
    text = (root / file).read_text()
    parts = re.findall(rf"^// Shown in {re.escape(page)}:\n(.*?)^// Until here\.$", text,
                       re.MULTILINE | re.DOTALL)
    if not parts:
        raise SystemExit(f"{file} has nothing that is shown in {page}")
    return "".join(parts)


def printed(programs, command):
    with tempfile.TemporaryDirectory() as folder:
        name, *words = command.split()
        done = subprocess.run([programs / name, *words], cwd=folder, text=True, check=False,
                              stdout=subprocess.PIPE)
    if done.returncode:
        raise SystemExit(f"{command} failed")
    return done.stdout


def renewed(root, programs, page):
    """The page as it should be."""
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


def run(root, programs, only_check):
    """Renews the pages, or says which are not as they should be."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["IMAGO_CACHE_DIR"] = cache
        for page in markdown.pages(root):
            if not any(b.mark.startswith(("from ", "printed by ")) for b in markdown.read(root, page)[0]):
                continue
            text = renewed(root, programs, page)
            if text == (root / page).read_text():
                continue
            if only_check:
                yield f"{page} does not show what is there: tools/pages.sh show {programs} renews it"
            else:
                (root / page).write_text(text)
                print(f"{page} is renewed")
