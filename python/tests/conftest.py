"""Tests use the user's own kernel cache on disk, because most of their time is compilation."""

import pytest

import imago


@pytest.fixture
def computed():
    """Returns the number of transforms that a device has computed since the test began."""
    before = imago.fft.statistics()["computed"]
    return lambda: imago.fft.statistics()["computed"] - before
