"""Tests tuning/devices: each file has the form of tuning/device.schema.json, and a source for every figure."""
import json
import pathlib
import unittest

import jsonschema

TUNING = pathlib.Path(__file__).resolve().parents[2] / "tuning"
WORDS = {"name", "vendor", "architecture", "type", "sources", "estimates", "vector_f64", "f64"}
FOLLOWS = {"simd", "max_work_group", "vector_f32"}  # follow from the type; older files omit them


def figures(device):
    for name, value in device.items():
        if name not in WORDS:
            yield from (f"{name}.{part}" for part in value) if isinstance(value, dict) else [name]


class Devices(unittest.TestCase):
    def each(self):
        files = sorted((TUNING / "devices").glob("*.json"))
        self.assertGreaterEqual(len(files), 20)
        for path in files:
            yield path.name, json.loads(path.read_text())

    def test_the_form(self):
        schema = json.loads((TUNING / "device.schema.json").read_text())
        validator = jsonschema.validators.validator_for(schema)(schema)
        for file, device in self.each():
            for mistake in validator.iter_errors(device):
                self.fail(f"{file}: {mistake.message}")

    def test_every_figure_has_a_source(self):
        for file, device in self.each():
            sources = device["sources"]
            for figure in figures(device):
                known = figure in sources or figure.split(".")[0] in sources
                self.assertTrue(known or figure in FOLLOWS, f"{file}: {figure}")

    def test_sources_and_estimates_are_of_figures(self):
        for file, device in self.each():
            known = set(figures(device)) | set(device)
            for name in [*device["sources"], *device["estimates"]]:
                self.assertIn(name, known, file)

    def test_what_is_assumed_is_an_estimate(self):
        for file, device in self.each():
            for name, said in device["sources"].items():
                if "assumed" in said and "." in name:
                    self.assertIn(name, device["estimates"], file)


if __name__ == "__main__":
    unittest.main()
