"""The line that reports a wait, without waiting."""

import contextlib
import io

import pytest

from imago import _progress


class Stream(io.StringIO):
    """Standard error of calls that wait."""

    def __init__(self, terminal=False):
        super().__init__()
        self.isatty = lambda: terminal

    def wait(self, *seconds, stage="compiling kernels"):
        with contextlib.redirect_stderr(self):
            for each in seconds:
                _progress.show(stage, 1, 2, each)
            _progress.clear()


@pytest.fixture
def log(monkeypatch):
    monkeypatch.delenv("IMAGO_LOG", raising=False)
    return Stream()


def test_a_log_gets_a_line_after_three_seconds(log):
    log.wait(1, 2, 2.9)
    assert log.getvalue() == ""
    log.wait(1, 3.01, 4, 20)
    line = "imago: compiling kernels: 1 of 2 (3 s); IMAGO_LOG=error hides this line\n"
    assert log.getvalue() == line
    log.wait(3.01)
    assert log.getvalue() == 2 * line


def test_calls_of_one_wait_have_one_line(log):
    with _progress.one_wait():
        log.wait(4)
        log.wait(5)
    assert log.getvalue().count("\n") == 1
    log.wait(4)
    assert log.getvalue().count("\n") == 2


def test_a_computation_is_no_wait(log):
    log.wait(4, 5, stage=_progress.COMPUTING)
    assert log.getvalue() == ""
    log.wait(4, 5, stage="compiling and computing")
    assert "compiling" in log.getvalue()


@pytest.mark.parametrize("level, lines", [("error", 0), ("warning", 1), ("", 1)])
def test_the_level_error_hides_it(log, monkeypatch, level, lines):
    monkeypatch.setenv("IMAGO_LOG", level)
    log.wait(4)
    assert log.getvalue().count("\n") == lines


def test_a_terminal_shows_a_line_and_removes_it():
    terminal = Stream(True)
    terminal.wait(1.2, 2.3)
    shown = [f"\r\x1b[Kimago: compiling kernels: 1 of 2 ({s} s)" for s in (1, 2)]
    assert terminal.getvalue() == "".join(shown) + "\r\x1b[K"
