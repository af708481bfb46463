"""Runs finufft's own tests on imago: `pytest -p finufft_plugin FOLDER`.

FOLDER is python/finufft/test of finufft's repository; its files are not changed. The plugin
replaces the module finufft by imago.nufft. Tests of errors check the types of exceptions and
warnings, but not finufft's words. The last lines print how many transforms imago computed. With
IMAGO_LEAST_COMPUTED=N in the environment the run fails below N.
"""

import sys

import pytest
from scipy_counts import (
    pytest_sessionfinish,
    pytest_terminal_summary,
    pytest_testnodedown,
)

import imago.nufft

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_testnodedown"]

sys.modules["finufft"] = imago.nufft


def without_words(check):
    """Returns pytest.raises or pytest.warns without the argument `match`."""

    def checked(expected, *args, match=None, **kwargs):
        return check(expected, *args, **kwargs)

    return checked


pytest.raises, pytest.warns = without_words(pytest.raises), without_words(pytest.warns)
