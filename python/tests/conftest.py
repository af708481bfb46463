"""Tests use the user's own kernel cache on disk, because most of their time is compilation.

The device computes small arrays, too, except in test_small.py.
"""

import os

import pytest

os.environ["IMAGO_FALLBACK"] = "failure"  # for the processes that tests start, too

import imago  # noqa: E402


@pytest.fixture
def computed():
    """Returns the number of transforms that a device has computed since the test began."""
    before = imago.fft.statistics()["computed"]
    return lambda: imago.fft.statistics()["computed"] - before


@pytest.fixture(scope="module", params=["in order", "out of order"])
def queue(request):
    cl = pytest.importorskip("pyopencl")
    context = cl.create_some_context(interactive=False)
    order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    return cl.CommandQueue(context, properties=order if request.param == "out of order" else 0)
