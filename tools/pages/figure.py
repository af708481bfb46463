"""This file draws a plan from `imago explain --json` as an SVG picture.

Each kernel has a row. On the left, its transforms are side by side, with their points downwards;
the part of one work-group (or one vector) is coloured. On the right are its passes.
"""
import re

KERNEL = re.compile(r"(\d+)\. (\w+): length (\d+) of (\d+), radices ([\d ]+), (.*)")
GROUP = re.compile(r"(\d+) work-items? x (\d+) transforms? per group.* (\d+) groups?, (\w+) -> (\w+)")
VECTOR = re.compile(r"(columns|points) in vectors of (\d+), (\d+) tiles? per work-item, (\d+) groups?, (\w+) -> (\w+)")
ROW, LEFT, SIDE, RIGHT = 150, 20, 110, 190
MATRIX, TILE, PASS, LINE = "#e8edf3", "#d9822b", "#3d6b99", "#444"


def text(x, y, said, size=12, **more):
    extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    said = said.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}"{extra}>{said}</text>'


def box(x, y, width, height, colour):
    return (f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}" '
            f'stroke="{LINE}" stroke-width="0.7"/>')


def arrow(x, y, length):
    return (f'<path d="M{x:g} {y:g}h{length - 5:g}m-4 -4l5 4l-5 4" fill="none" stroke="{LINE}"/>')


def who(said):
    """Returns the transforms of one work-group or vector, of all of them, and descriptions."""
    group = GROUP.search(said)
    if group:
        items, columns, groups, source, target = group.groups()
        each = f"each of {groups} work-groups: {items} work-items x {columns}"
        return int(columns), int(columns) * int(groups), each, source, target, "local memory"
    vector = VECTOR.search(said)
    axis, lanes, tiles, groups, source, target = vector.groups()
    columns = int(lanes) if axis == "columns" else 1
    each = f"{groups} work-items, vectors of {lanes} {axis}, {tiles} tiles each"
    return columns, columns * int(tiles) * int(groups), each, source, target, "private memory"


def kernel(match, y):
    number, algorithm, length, line, radices, said = match.groups()
    columns, transforms, each, source, target, between = who(said)
    share = min(1, columns / transforms)
    parts = [text(LEFT, y, f"{number}. {algorithm}: {transforms} transforms of {length} points"
                  + (f" of lines of {line}" if line != length else ""), 13, font_weight="bold")]
    top = y + 12
    parts += [box(LEFT, top, SIDE, 70, MATRIX), box(LEFT, top, max(SIDE * share, 2), 70, TILE)]
    parts.append(text(LEFT, top + 86, f"{columns} of {transforms} transforms →", 11))
    parts.append(text(LEFT - 4, top + 66, "points ↓", 11, transform=f"rotate(-90 {LEFT - 4} {top + 66})"))
    x = RIGHT
    parts.append(text(x, top + 38, source))
    x += 46
    for i, radix in enumerate(radices.split()):
        parts.append(arrow(x, top + 34, 28))
        parts += [box(x + 28, top + 12, 62, 44, PASS),
                  text(x + 59, top + 38, f"radix {radix}", 12, fill="#fff", text_anchor="middle")]
        if i:
            parts.append(text(x + 14, top + 76, "⇅", 13, text_anchor="middle"))
        x += 90
    parts += [arrow(x, top + 34, 28), text(x + 32, top + 38, target)]
    what = f"⇅ through {between}; {each}" if " " in radices.strip() else each
    parts.append(text(RIGHT, top + 100, what, 11))
    return parts, x + 90


def drawn(explained):
    """The picture of a plan, from the object that `imago explain --json` writes."""
    problem = explained["problem"]
    shape = "x".join(map(str, problem["lengths"]))
    head = f"{shape} points x {problem['batch']}, {problem['kind']}, {problem['precision']}, {explained['device']['name']}"
    parts, width, y = [text(LEFT, 24, head, 14, font_weight="bold")], 640, 56
    for match in filter(None, (KERNEL.match(line.strip()) for line in explained["plan"])):
        row, reach = kernel(match, y)
        parts += row
        width, y = max(width, reach), y + ROW
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{y - 16:g}" '
            f'viewBox="0 0 {width:g} {y - 16:g}" font-family="sans-serif">\n'
            f'<rect width="100%" height="100%" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")
