"""Tests tools/words.py: each check fails on a bad example and passes a good one."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import words  # noqa: E402


class Tree(unittest.TestCase):
    """Runs the checks on files of a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def found(self, name, text, kind):
        """Returns the lines of a file with a kind of finding."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        checker = words.Checker(words.Words(), self.root).check([path])
        return [finding.line for finding in checker.findings if finding.kind == kind]


class Comments(Tree):
    def in_c(self, text):
        return self.found("src/a.cpp", text, "comments")

    def test_each_first_word_of_the_list(self):
        for word in ("What", "Whether", "Of", "Where", "The same", "As", "From", "Those", "Who",
                     "By", "So", "That"):
            self.assertEqual(self.in_c(f"/// {word} it reads.\nint a;\n"), [1], word)

    def test_good_first_words(self):
        for start in ("Returns what it reads", "Whatever", "Offset", "As in FFTW, n",
                      "As long as n", "By default n", "Sorted", "Thatch"):
            self.assertEqual(self.in_c(f"// {start} is read.\nint a;\n"), [], start)

    def test_lower_case_and_members(self):
        self.assertEqual(self.in_c("int a;  ///< of the axis\nint b;  ///< Length.\n"), [1])
        self.assertEqual(self.in_c("int a;  ///< from the file\n"), [1])

    def test_a_comment_after_code_may_continue_it(self):
        text = "f();  // so that it ends\ng();  // from 0\nh();  // where it ends\n"
        self.assertEqual(self.in_c(text), [3])

    def test_only_the_first_line_of_a_block(self):
        text = "// Returns the input\n// of the step.\nint a;\n// Of it.\n"
        self.assertEqual(self.in_c(text), [4])
        self.assertEqual(self.in_c("int a;  // The length\n        // of the axis.\n"), [])

    def test_block_comments(self):
        text = "int a;\n/** Where it is.\n * Of it. */\n/* Of it. */\n"
        self.assertEqual(self.in_c(text), [2, 4])

    def test_literals_are_no_comments(self):
        text = 'auto a = "// Of it", b = R"(\n// Of it\n)"; int c = 1\'000;  // it\'s\n'
        self.assertEqual(self.in_c(text), [])

    def test_python(self):
        text = ('"""Of a module."""\n# Whether it is.\na = "# Of"  # so that\n\n\n'
                'def f():\n    """What."""\n')
        self.assertEqual(sorted(self.found("tools/a.py", text, "comments")), [1, 2, 7])

    def test_scripts(self):
        text = ("#!/bin/sh\n# What it does.\necho '# Of' \"${a#Of}\"\nls # Where\n"
                "# Lists\n# of files.\n")
        for name in ("tools/a.sh", "debian/tests/a", "cmake/a.cmake", "src/CMakeLists.txt"):
            self.assertEqual(self.found(name, text, "comments"), [2, 4], name)

    def test_clauses_of_later_sentences(self):
        text = "// Returns n. Where it is 0\n// all fail. Of these\n// one remains.\n"
        self.assertEqual(self.found("src/a.cpp", text, "clauses in comments"), [1, 2])


class Help(Tree):
    TEXT = ('#include <CLI/CLI.hpp>\n// "Of it all"\napp("--a", "Of "\n  "files");\n'
            'add("Write {} files", "of a");\n')

    def test_first_words(self):
        self.assertEqual(self.found("tools/imago/a.cpp", self.TEXT, "help"), [3])
        text = self.TEXT.replace("Of \"", "List \"")
        self.assertEqual(self.found("tools/imago/a.cpp", text, "help"), [])

    def test_private_words(self):
        text = self.TEXT.replace("Of \"", "List \"").replace("{} files", "reals")
        self.assertEqual(self.found("tools/imago/a.cpp", text, "help"), [5])

    def test_elsewhere(self):
        self.assertEqual(self.found("src/a.cpp", self.TEXT, "help"), [])

    def command(self, options):
        script = self.root / "imago"
        script.write_text("#!/bin/sh\ncase $1 in\n"
                          "--help) printf 'Subcommands:\\n  tune   Measure\\n' ;;\n"
                          f"tune) echo '{options}' ;;\nesac\n")
        script.chmod(0o755)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            return bool(words.help_of(script)), out.getvalue()

    def test_columns(self):
        self.assertFalse(self.command("x" * 80)[0])
        failed, text = self.command("x" * 81)
        self.assertTrue(failed)
        self.assertIn("imago tune --help: 81 columns", text)


class Kernels(Tree):
    def test_columns(self):
        text = f"{'x' * 100}\n{'x' * 101}\n/* {'x' * 95} */\n"
        self.assertEqual(self.found("kernels/a.cl", text, "columns"), [2, 3])
        self.assertEqual(self.found("src/a.cpp", text, "columns"), [])


class Pages(Tree):
    def private(self, text, name="docs/a.md"):
        return self.found(name, text, "private words")

    def test_each_private_word(self):
        for word in ("the wall", "peers", "train of calls", "reals", "there and back", "dealt",
                     "pieces", "is refused", "beside", "behind", "nobody", "same bits",
                     "let go of", "1, 2, .."):
            self.assertEqual(self.private(f"# Title\n\nIt says {word} here.\n"), [3], word)

    def test_lines_tables_and_lists(self):
        text = "A line there and\nback.\n\n- reals\n  and dealt\n\n| a | reals |\n"
        self.assertEqual(self.private(text), [1, 4, 5, 7])

    def test_code_and_urls(self):
        text = ("`reals` [page](reals.md#the-wall) <https://x/reals> ``a ` reals``\n\n"
                "    reals\n    # reals\n    + reals\n\n```sh\nreals\n```\n<!-- says: reals -->\n")
        self.assertEqual(self.private(text), [])

    def test_other_words(self):
        self.assertEqual(self.private("Wall clock time, in one piece; really... `..` dealer\n"), [])

    def test_pages_that_define_them(self):
        for name in ("docs/architecture.md", "docs/glossary.md", "docs/measured/a.md",
                     "CHANGELOG.md"):
            self.assertEqual(self.private("reals\n", name), [], name)
        self.assertEqual(self.private("reals\n", "README.md"), [1])

    def test_bad_examples(self):
        begin, end = words.BAD_EXAMPLES
        text = f"reals\n\n{begin}\n\n| reals |\n\n{end}\n\nreals\n"
        self.assertEqual(self.private(text), [1, 9])

    def test_columns(self):
        long = "word " * 20 + "x"
        self.assertEqual(self.found("README.md", f"{long}\n{long[:100]}\n", "columns"), [1])
        for line in ("x" * 101, "- " + "x" * 101, f"[{long}](a.md)", f"| {long} |",
                     f"![{long}](a.svg)", f"<!-- says: {long} -->", "[a]: https://" + "x" * 101):
            self.assertEqual(self.found("README.md", f"{line}\n", "columns"), [], line)
        self.assertEqual(self.found("README.md", f"a [{long}](a.md)\n", "columns"), [1])

    def test_columns_of_code(self):
        text = f"```\n{'x' * 81}\n{'x' * 80}\n```\n"
        self.assertEqual(self.found("docs/a.md", text, "code columns"), [2])
        self.assertEqual(self.found("docs/a.md", text, "columns"), [])
        printed = f"<!-- printed by hooks_scale -->\n{text}"
        self.assertEqual(self.found("docs/a.md", printed, "code columns"), [])

    def test_commits_and_dates(self):
        text = ("At 0c9b9ae.\n\n(`bd38cb4f`)\n\n"
                "1234567 deadbeef 0x1234abc ab12 [a](0c9b9ae.txt) #1f77b4a\n")
        self.assertEqual(self.found("docs/a.md", text, "commit ids"), [1, 3])
        text = "On 2026-11-24\n\n2026-13-24 12026-11-24 [a](2026-11-24.txt)\n"
        self.assertEqual(self.found("docs/a.md", text, "dates"), [1])
        for name in ("CHANGELOG.md", "docs/measured/a.md"):
            self.assertEqual(self.found(name, text, "dates"), [])

    def test_clauses(self):
        text = "# Where\n\nOne. Where it is\noff, all\nfails. Of two. What is it?\n\n- Who reads\n"
        self.assertEqual(self.found("docs/a.md", text, "clauses in pages"), [3, 5, 7])

    def test_long_sentences(self):
        text = "One. " + "Word " * 24 + "end. " + "Word " * 25 + "end.\n"
        self.assertEqual(len(self.found("docs/a.md", text, "long sentences")), 1)
        text = "Word " * 20 + "end.\nimago " + "word " * 20 + "end.\n"
        self.assertEqual(self.found("docs/a.md", text, "long sentences"), [])


class Ceilings(Tree):
    def setUp(self):
        super().setUp()
        (self.root / "README.md").write_text("Two reals and reals.\n")
        data = json.loads((ROOT / "tools/words.json").read_text())
        data["ceilings"] = dict.fromkeys(data["ceilings"], 0)
        self.lists, self.data = self.root / "words.json", data

    def held(self, ceiling):
        self.data["ceilings"]["private words"] = ceiling
        self.lists.write_text(json.dumps(self.data))
        self.checker = words.Checker(words.Words(self.lists), self.root).check([])
        with contextlib.redirect_stdout(io.StringIO()) as out:
            return words.held(self.checker), out.getvalue()

    def test_a_count_over_its_ceiling_fails(self):
        over, text = self.held(1)
        self.assertEqual(over, 1)
        self.assertIn('README.md:1: "reals": real numbers', text)
        self.assertIn("private words: 2, at most 1", text)

    def test_a_ceiling_can_only_fall(self):
        self.assertEqual(self.held(2), (0, ""))
        over, text = self.held(3)
        self.assertEqual(over, 0)
        self.assertIn("--lower", text)
        for ceiling, lowered in ((3, 2), (1, 1)):
            self.held(ceiling)
            words.lower(self.checker)
            ceilings = json.loads(self.lists.read_text())["ceilings"]
            self.assertEqual(ceilings["private words"], lowered)

    def test_every_kind_has_a_ceiling(self):
        self.assertEqual(set(self.data["ceilings"]), set(words.STRICT + words.COUNTED))


if __name__ == "__main__":
    unittest.main()
