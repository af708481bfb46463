"""Tests use the user's own kernel cache on disk, because most of their time is compilation.

The device computes small arrays, too, except in test_small.py.
"""

import os

import pytest

os.environ["IMAGO_SMALL"] = "0"  # for the processes that tests start, too

import imago  # noqa: E402


def pytest_addoption(parser):
    parser.addoption("--sample", action="store_true",
                     help="run one case of each test, and none of the tests with the mark long")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--sample"):
        return
    seen, left_out = set(), []
    for item in list(items):
        function = item.nodeid.split("[")[0]
        if function in seen or item.get_closest_marker("long"):
            left_out.append(item)
            items.remove(item)
        seen.add(function)
    config.hook.pytest_deselected(items=left_out)


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
