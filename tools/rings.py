"""rings.py [--most N] [FOLDER]: prints rings of units that include each other, in src or another folder.

A unit is a header with its source. Rings that single files do not show are made by headers and sources together: a
source that includes a header whose own source leads back. With --most, fails where a ring has more units than that.
"""
import argparse
import pathlib
import re
import sys


def units_of(folder):
    """The units that each unit includes, by the paths that includes have."""
    paths = [path for path in folder.rglob("*") if path.suffix in (".hpp", ".cpp")]
    units = {str(path.relative_to(folder).with_suffix("")): set() for path in paths}
    for path in paths:
        unit = str(path.relative_to(folder).with_suffix(""))
        for included in re.findall(r'^#include "([^"]+)\.hpp"', path.read_text(), re.MULTILINE):
            if included in units and included != unit:
                units[unit].add(included)
    return units


def rings_of(units):
    """The strongly connected sets of more than one unit, largest first (Tarjan, SIAM J. Comput. 1, 1972)."""
    number, lowest, waiting, rings = {}, {}, [], []

    def visit(unit):
        number[unit] = lowest[unit] = len(number)
        waiting.append(unit)
        for other in sorted(units[unit]):
            if other not in number:
                visit(other)
            if other in waiting:
                lowest[unit] = min(lowest[unit], lowest[other])
        if lowest[unit] == number[unit]:
            at = waiting.index(unit)
            if len(waiting) - at > 1:
                rings.append(sorted(waiting[at:]))
            del waiting[at:]

    sys.setrecursionlimit(10000)
    for unit in sorted(units):
        if unit not in number:
            visit(unit)
    return sorted(rings, key=lambda ring: (-len(ring), ring))


def chain_of(units, room):
    """The longest chain of units inside a room, each of which includes the next.

    The units of a ring, which include each other, are all in it.
    """
    inside = {unit: {other for other in others if other.startswith(f"{room}/")}
              for unit, others in units.items() if unit.startswith(f"{room}/")}
    ring_of = {unit: (unit,) for unit in inside}
    for ring in rings_of(inside):
        ring_of.update({unit: tuple(ring) for unit in ring})
    longest = {}

    def chain(ring):
        if ring not in longest:
            below = {ring_of[other] for unit in ring for other in inside[unit]} - {ring}
            longest[ring] = [*ring, *max(map(chain, sorted(below)), key=len, default=[])]
        return longest[ring]

    return max(map(chain, sorted(set(ring_of.values()))), key=len, default=[])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=pathlib.Path(__file__).parent.parent / "src")
    parser.add_argument("--most", type=int, metavar="N")
    arguments = parser.parse_args()
    rings = rings_of(units_of(arguments.folder))
    for ring in rings:
        print(f"{len(ring):3}  {' '.join(ring)}")
    if not rings:
        print("no rings")
    if arguments.most and any(len(ring) > arguments.most for ring in rings):
        sys.exit(f"A ring has at most {arguments.most} units: let one of them include less, or split it.")


if __name__ == "__main__":
    main()
