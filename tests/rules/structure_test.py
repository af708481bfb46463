#!/usr/bin/env python3
"""Tests counts of tools/structure.py and tools/rings.py: each finds what it counts in a small tree,
and misses its bar there."""
import contextlib
import io
import pathlib
import shutil
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import rings  # noqa: E402
import structure  # noqa: E402


class Tree(unittest.TestCase):
    """Counts in files of a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def write(self, **files):
        """Writes headers: `room_name="text"` is room/name.hpp."""
        for name, text in files.items():
            path = self.root / (name.replace("_", "/", 1) + ".hpp")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    def tags(self):
        return structure.tags_of(structure.sources_of([self.root]))

    def places(self):
        places = structure.places_of_names(self.tags())
        return {name: sorted(pathlib.Path(path).stem for path in paths)
                for name, paths in places.items()}

    def missed(self, count, **bars):
        """Returns how many bars are missed by count(Report) with these bars."""
        report = structure.Report(5)
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            for name, bar in bars.items():
                stack.enter_context(mock.patch.object(structure, name, bar))
            count(report)
        return report.missed


def including(*headers):
    return "".join(f'#include "{header}.hpp"\n' for header in headers)


@unittest.skipUnless(shutil.which("ctags"), "ctags is not installed")
class Names(Tree):
    def test_definitions_of_each_sort(self):
        self.write(base_a="struct A {};\nclass B { enum C { c }; };\nenum class D {};\nunion E {};\n"
                          "struct Declared;\nusing Alias = A;\n")
        self.assertEqual(self.places(), {name: ["a"] for name in "ABCDE"})

    def test_variables_of_functions(self):
        self.write(base_a="inline int f() {\n  struct stat facts {};\n  return facts.st_mode;\n}\n")
        self.assertEqual(self.places(), {})

    def test_names_of_two_files(self):
        self.write(base_a="struct A {};\n", plan_b="namespace n { struct A {}; }\nstruct B {};\n")
        self.assertEqual(self.places(), {"A": ["a", "b"], "B": ["b"]})

    def test_a_name_twice_in_a_file(self):
        self.write(base_a="struct B { struct A {}; };\nstruct C { struct A {}; };\n")
        self.assertEqual(self.places()["A"], ["a"])

    def test_bars(self):
        self.write(base_a="struct A {};\nstruct C {};\n", plan_b="struct A {};\nstruct C {};\n")
        places, bar = structure.places_of_names(self.tags()), structure.Bar
        for names, shared, missed in ((2, 2, 0), (1, 2, 1), (2, 1, 1)):
            self.assertEqual(self.missed(lambda report: report.names(places), NAMES=bar(names, 0),
                                         SHARED_NAMES=bar(shared, 0)), missed)


class Includes(Tree):
    def chain(self, room):
        return rings.chain_of(rings.units_of(self.root), room)

    def test_the_longest_chain(self):
        self.write(plan_a=including("plan/b", "plan/c"), plan_b=including("plan/c"), plan_c="")
        self.assertEqual(self.chain("plan"), ["plan/a", "plan/b", "plan/c"])

    def test_other_rooms(self):
        self.write(plan_a=including("lines/b"), lines_b=including("plan/c"), plan_c="",
                   planner_d=including("planner/e"), planner_e="")
        self.assertEqual(len(self.chain("plan")), 1)
        self.assertEqual(self.chain("host"), [])

    def test_a_source_includes_for_its_header(self):
        self.write(plan_a=including("plan/b"), plan_b="", plan_c="")
        (self.root / "plan/b.cpp").write_text(including("plan/b", "plan/c"))
        self.assertEqual(self.chain("plan"), ["plan/a", "plan/b", "plan/c"])

    def test_a_ring_counts_with_its_units(self):
        self.write(plan_a=including("plan/b"), plan_b=including("plan/c"),
                   plan_c=including("plan/b", "plan/d"), plan_d="")
        self.assertEqual(self.chain("plan"), ["plan/a", "plan/b", "plan/c", "plan/d"])

    def test_bars(self):
        self.write(plan_a=including("plan/b"), plan_b=including("plan/a"))
        units, bar = rings.units_of(self.root), structure.Bar
        for floors, ring, missed in ((2, 2, 0), (1, 2, 1), (2, 1, 1)):
            self.assertEqual(self.missed(lambda report: report.includes(units),
                                         FLOORS={"plan": bar(floors, 0)}, RING=bar(ring, 0)), missed)


class Classes(Tree):
    @unittest.skipUnless(shutil.which("ctags"), "ctags is not installed")
    def test_bars_of_fields_and_methods(self):
        self.write(base_a="namespace imago {\nstruct A {\n  int x, y;\n  int f();\n"
                          "  int g() { return x; }\n};\n}\n")
        types, bar = structure.Types(self.tags()), structure.Bar
        for counts in (types.fields, types.methods):
            for most, missed in ((2, 0), (1, 1)):
                self.assertEqual(self.missed(lambda report: report.table(
                    "Rows", types.rows(counts), bar(most, 0))), missed)


if __name__ == "__main__":
    unittest.main()
