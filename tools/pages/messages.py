"""This file checks that docs/troubleshooting.md explains the library's messages.

A paragraph names its messages in a comment, `<!-- says: REGEX -->`. The expression is matched
against the exception's name and the message in the sources, with "…" for computed parts.
"""
import re

import markdown
import sites

PAGE = "docs/troubleshooting.md"
LEAST_LETTERS = 5  # minimum of an expression, so that it does not match everything


def families(root):
    """Each expression with its line."""
    for number, line in markdown.read(root, PAGE)[1]:
        comment = markdown.COMMENT.match(line)
        if comment and comment[1].startswith("says: "):
            yield number, comment[1][6:]


def check(root):
    """One line for each message without a paragraph, and for each expression without a message."""
    found = {(line, text): 0 for line, text in families(root)}
    for line, text in found:
        if len(re.findall(r"[A-Za-z]", re.sub(r"\\.", "", text))) < LEAST_LETTERS:
            yield f"{PAGE}:{line}: {text} says too little"
    for site in sites.sites(root):
        matches = [key for key in found if re.search(key[1], site.text)]
        for key in matches:
            found[key] += 1
        if not matches:
            yield f"{site.place}: no paragraph of {PAGE} is for: {site.text}"
    for (line, text), count in found.items():
        if not count:
            yield f"{PAGE}:{line}: no message is: {text}"
