"""Tests run with kernels kept on disk, in the user's own cache: compiling is most of their time."""

import pytest

import imago


@pytest.fixture
def computed():
    """How many transforms a device has computed since the test began."""
    before = imago.fft.statistics()["computed"]
    return lambda: imago.fft.statistics()["computed"] - before
