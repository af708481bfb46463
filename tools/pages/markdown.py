"""This file reads Markdown as far as the checks of pages need it: fences, comments, headings, links."""
import dataclasses
import re

FENCE = re.compile(r"^( *)(```+|~~~+)(.*)$")
COMMENT = re.compile(r"^<!-- (.*) -->$")
HEADING = re.compile(r"^#{1,6} +(.*?)#* *$")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\]|\\.)*\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*)>?[^()]*\)")
IMAGE = re.compile(r'<img [^>]*\bsrc="([^"]+)"')
CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")


@dataclasses.dataclass
class Block:
    page: str  # relative to the root of the repository
    line: int  # line of its fence, counted from 1
    language: str
    mark: str  # the comment in the line before it, or ""
    text: str

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def pages(root):
    """All pages, as paths from the root."""
    found = [path for folder in ("docs", "bench", "python") for path in (root / folder).rglob("*.md")]
    found += [*root.glob("*.md"), *(root / ".github").rglob("*.md")]
    return sorted(path.relative_to(root).as_posix() for path in found)


def read(root, page):
    """The fenced blocks of a page, and its other lines with their numbers."""
    blocks, prose, opened, mark = [], [], None, ""
    for number, line in enumerate((root / page).read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if opened and fence and fence[2] == opened[0] and not fence[3].strip():
            blocks.append(Block(page, opened[1], opened[2], opened[3], "".join(opened[4])))
            opened, mark = None, ""
        elif opened:
            opened[4].append(f"{line}\n")
        elif fence:
            opened = fence[2], number, fence[3].strip(), mark, []
        else:
            comment = COMMENT.match(line)
            mark = comment[1] if comment else ""
            prose.append((number, line))
    if opened:
        raise SystemExit(f"{page}:{opened[1]}: a fence that is not closed")
    return blocks, prose


def slug(heading):
    """The anchor that GitHub and the site give a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def anchors(prose):
    found, counts = set(), {}
    for _, line in prose:
        heading = HEADING.match(line)
        if heading:
            name = slug(heading[1])
            count = counts.get(name, 0)
            counts[name] = count + 1
            found.add(f"{name}-{count}" if count else name)
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return found


def links(prose):
    """The targets of links and pictures, with their lines; indented code and code spans are text."""
    for number, line in prose:
        if not line.startswith("    "):
            text = CODE_SPAN.sub("code", line)
            for link in [*LINK.finditer(text), *IMAGE.finditer(text)]:
                yield number, link[1]
