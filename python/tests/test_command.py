"""The imago command, which the package contains."""

import os
import signal
import subprocess
import sys
import time

import pytest

import imago
from imago import _command, _loader


@pytest.fixture(autouse=True)
def program():
    try:
        return _command.path()
    except _command.Missing as missing:
        pytest.skip(str(missing))


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "imago", *words], capture_output=True, text=True, timeout=300
    )


def test_it_runs_and_its_status_is_the_commands():
    listed = run("devices")
    assert listed.returncode == 0
    assert imago.devices()[0].name[:20] in listed.stdout
    misused = run("devices", "--no-such-option")
    assert misused.returncode == 2
    assert misused.stderr.startswith("imago: ")


def test_signals_are_the_commands(program):
    process = subprocess.Popen(
        [sys.executable, "-m", "imago", "selftest", "--full"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        end = time.monotonic() + 60
        while os.readlink(f"/proc/{process.pid}/exe") != str(program.resolve()):
            assert time.monotonic() < end, "it was not executed"
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert "interrupted" in process.communicate(timeout=60)[1]
        assert process.returncode == -signal.SIGINT
    finally:
        process.kill()


def test_what_python_ignores_the_command_does_not():
    show = (
        "import sys, imago._command as command\n"
        "command.path = lambda: '/bin/sh'\n"
        "sys.argv = ['imago', '-c', 'grep SigIgn /proc/self/status']\n"
        "command.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, timeout=60)
    ignored = int(done.stdout.split()[1], 16)
    for name in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
        assert not ignored >> (name - 1) & 1, name


def test_it_finds_the_libraries_of_the_package(monkeypatch):
    monkeypatch.setattr(_loader, "folders", ["/one", "/two"])
    monkeypatch.setenv("LD_LIBRARY_PATH", "/given")
    assert _command.environment()["LD_LIBRARY_PATH"] == "/given:/one:/two"
    monkeypatch.delenv("LD_LIBRARY_PATH")
    assert _command.environment()["LD_LIBRARY_PATH"] == "/one:/two"


def test_a_package_without_it_says_so(monkeypatch, capsys):
    def missing():
        raise _command.Missing("built without")

    monkeypatch.setattr(_command, "path", missing)
    with pytest.raises(SystemExit) as left:
        _command.main()
    assert left.value.code == 1
    assert "built without" in capsys.readouterr().err
    with pytest.raises(imago.Error, match="built without"):
        imago.tune([64])
