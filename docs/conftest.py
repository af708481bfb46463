"""The examples of the pages run in a temporary folder, or in $IMAGO_FIGURES if it is set."""

import os
import pathlib

import pytest

collect_ignore = ["site"]  # Sphinx's


@pytest.fixture(autouse=True)
def figures(tmp_path, monkeypatch):
    wish = os.environ.get("IMAGO_FIGURES")
    monkeypatch.setenv("IMAGO_PROFILE_DIR", str(tmp_path))
    monkeypatch.chdir(pathlib.Path(wish) if wish else tmp_path)
