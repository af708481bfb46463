"""Tests tools/merge_benchmarks.py: good files become a page, others a line with the reason."""
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/benchmarks"))

import page  # noqa: E402
import submission  # noqa: E402

PAGE = f"before\n{page.START}\nold\n{page.END}\nafter\n"


def result(engine, seconds, row):
    n = row["lengths"][0] * row["batch"]
    gbps = 16 * n / seconds * 1e-9
    return {"engine": engine, "seconds": seconds, "spread": 0.1, "gflops": 5 * n * 10 / seconds * 1e-9,
            "gbps": gbps, "wall_share": gbps / row["wall_gbps"], "plan_cold_seconds": None,
            "error": 1e-7, "calls": 3, "rounds": 7}


def good():
    """Returns a valid report of 1024 points, in which FFTW needs twice the time."""
    row = {"lengths": [1024], "kind": "complex", "family": "powers of two", "batch": 64, "precision": "f32",
           "placement": "in_place", "wall_gbps": 20.0, "wall_by": "copy kernel", "results": [],
           "ratios": [{"peer": "fftw", "value": 2.0, "low": 1.9, "high": 2.1}]}
    row["results"] = [result("imago", 1e-4, row), result("fftw", 2e-4, row),
                      {"engine": "clfft", "skipped": "refused"}]
    facts = {"device": "Some GPU", "driver": "1.2", "platform": "P", "build": "imago 0.1.0", "date": "2026-11-24",
             "suite": "quick", "clock": "host: the device is a CPU", "imago": "0.1.0"}
    return {"format": 2, "interrupted": False, "facts": facts, "rows": [row]}


class Reading(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def refused(self, content, *words):
        path = self.folder / "s.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with self.assertRaises(submission.Refused) as caught:
            submission.read(path)
        for word in words:
            self.assertIn(word, str(caught.exception))
        self.assertLess(len(str(caught.exception)), 400)
        self.assertTrue(str(caught.exception).isprintable())

    def changed(self, change, *words):
        document = good()
        change(document)
        self.refused(json.dumps(document), *words)

    def test_a_good_file_is_read(self):
        path = self.folder / "s.json"
        path.write_text(json.dumps(good()))
        self.assertEqual(submission.read(path), good())

    def test_all_engines_may_be_in_a_file(self):
        listed = re.findall(r'^    {"([a-z-]+)", (?:true|false)', (ROOT / "bench/engines.cpp").read_text(), re.M)
        self.assertIn("imago-graph", listed)
        document = good()
        row = document["rows"][0]
        row["results"] = [result("imago", 1e-4, row)] + [
            {"engine": name, "skipped": "refused"} for name in listed if name != "imago"]
        row["ratios"] = []
        document["facts"].update({name: "not measured" for name in listed if name != "imago"})
        path = self.folder / "s.json"
        path.write_text(json.dumps(document))
        self.assertEqual(submission.read(path), document)

    def test_damaged_files_are_refused(self):
        whole = json.dumps(good())
        self.refused(whole[:-40], "damaged", "line 1")
        self.refused("", "damaged")
        self.refused(b"\xff" + whole.encode(), "not UTF-8 at byte 0")
        self.refused("[" * 200000, "nested too deeply")
        self.refused(whole + " " * submission.MOST_BYTES, "more than")
        self.refused(whole.replace("0.0001", "1e999", 1), "not finite")
        self.refused(whole.replace("0.0001", "NaN", 1), "NaN")
        self.refused(whole.replace("64", "9" * 5000, 1), "5000 digits")
        self.refused(whole.replace('"format": 2', '"format": 2, "format": 2'), "'format' twice")

    def test_what_no_submission_has_is_refused(self):
        self.refused("[]", "the document")
        self.changed(lambda d: d.update(more=1), "more")
        self.changed(lambda d: d["facts"].update(user="ada"), "facts", "user")
        self.changed(lambda d: d["facts"].update(date="yesterday"), "facts.date")
        self.changed(lambda d: d["facts"].update(date="2026-11-24\n"), "cannot be seen")
        self.changed(lambda d: d["facts"].update(device="a\u202eb"), "cannot be seen")
        self.changed(lambda d: d["facts"].update(device="x" * 100000), "facts.device")
        self.changed(lambda d: d["facts"].update(environment="HOME=/home/ada"), "facts.environment")
        self.changed(lambda d: d["facts"].update(suite="../x"), "facts.suite")
        self.changed(lambda d: d.update(rows=[]), "rows")
        self.changed(lambda d: d["rows"][0].update(batch=True), "rows[0].batch")
        self.changed(lambda d: d["rows"][0].update(lengths=["1024"]), "rows[0].lengths[0]")
        self.changed(lambda d: d["rows"][0]["results"][2].update(skipped="/home/ada"), "rows[0].results[2]")

    def test_figures_that_do_not_add_up_are_refused(self):
        own = lambda d: d["rows"][0]["results"][0]
        self.changed(lambda d: own(d).update(seconds=5e-5), "rows[0].results[0].gflops is 32.768", "65.536")
        self.changed(lambda d: own(d).update(gbps=99), "gbps is 99")
        self.changed(lambda d: own(d).update(wall_share=1), "wall_share is 1")
        self.changed(lambda d: own(d).update(error=1e-3), "error is 0.001", "wrong result")
        self.changed(lambda d: own(d).update(error=None), "error is None")
        self.changed(lambda d: d["rows"][0]["ratios"][0].update(value=3), "outside of its own interval")
        self.changed(lambda d: d["rows"][0]["ratios"][0].update(value=9, low=8.9, high=9.1), "from the times follows 2")
        self.changed(lambda d: d["rows"][0]["ratios"][0].update(peer="mkl"), "not measured")
        self.changed(lambda d: d["rows"].append(copy.deepcopy(d["rows"][0])), "rows[1] is the case of rows[0]")
        self.changed(lambda d: d["rows"][0].update(lengths=[1 << 40]), "points")
        self.changed(lambda d: d["rows"][0]["results"].reverse(), "imago first")
        self.changed(lambda d: d.update(timing="single calls"), "not timed so")

    def test_what_is_no_file_is_refused(self):
        path = self.folder / "s.json"
        os.mkfifo(path)
        with self.assertRaisesRegex(submission.Refused, "no regular file"):
            submission.read(path)
        path.unlink()
        path.symlink_to("/etc/passwd")
        with self.assertRaisesRegex(submission.Refused, "of its own"):
            submission.read(path)

    def test_a_folder_has_each_submission_once(self):
        text = json.dumps(good())
        for name in ("a.json", "b.json", "b c.json", "notes.txt"):
            (self.folder / name).write_text(text)
        found, wrong = submission.read_folder(self.folder)
        self.assertEqual(list(found), ["a.json"])
        self.assertEqual(len(wrong), 2)
        self.assertIn("b c.json has a name", wrong[0])
        self.assertIn("b.json holds the same as a.json", wrong[1])


class Pages(unittest.TestCase):
    def test_the_tables_have_every_submission(self):
        other = good()
        other["facts"]["device"] = "Another"
        text = page.merged(PAGE, {"a.json": good(), "b.json": other})
        self.assertTrue(text.startswith("before\n") and text.endswith("after\n"))
        self.assertNotIn("old", text)
        self.assertLess(text.index("Another"), text.index("Some GPU"))
        self.assertIn("| fraction of copy bandwidth | speedup over fftw |", text)
        self.assertIn("| [1](measured/submissions/b.json) |", text)
        self.assertIn("| 2 (2 to 2) |", text)
        self.assertIn("| 1024 x 64 f32 | 32.8 ± 5 % | 32.8 ± 5 % |", text)
        self.assertEqual(page.merged(text, {"a.json": good(), "b.json": other}), text)

    def test_facts_of_one_build_stay_in_the_file(self):
        built = good()
        for build in ("imago 0.1.0 01d60f51bd61, Release", "imago 0.1.0 01d60f51bd61-dirty, Release"):
            built["facts"]["build"] = build
            text = page.merged(PAGE, {"a.json": built})
            self.assertIn("| imago 0&#46;1&#46;0&#44; Release |", text)
            self.assertNotIn("2026", text)

    def test_what_strangers_write_is_only_characters(self):
        bad = good()
        bad["facts"]["device"] = "<script>|[x](javascript:y)`{eval-rst}`*"
        bad["facts"]["driver"] = "&lt;--> www.x.org"
        text = page.merged(PAGE, {"a.json": bad})
        self.assertEqual(text.count("<"), 2)
        for markup in ("|[", "](java", "www.", "`", "{", "*", "-->\n|", "&lt"):
            self.assertNotIn(markup, text)
        self.assertIn("&#60;script&#62;&#124;", text)

    def test_a_page_without_a_place_is_left_alone(self):
        with self.assertRaisesRegex(ValueError, "lacks"):
            page.merged("nothing", {})


class Command(unittest.TestCase):
    def test_one_bad_file_and_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            target = folder / "page.md"
            target.write_text(PAGE)
            (folder / "a.json").write_text(json.dumps(good()))
            command = [sys.executable, ROOT / "tools/merge_benchmarks.py", folder, "--page", target]
            (folder / "b.json").write_text("{}")
            run = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual((run.returncode, target.read_text()), (1, PAGE))
            self.assertIn("b.json is no submission", run.stderr)
            (folder / "b.json").unlink()
            subprocess.run(command, check=True)
            self.assertIn("Some GPU", target.read_text())


if __name__ == "__main__":
    unittest.main()
