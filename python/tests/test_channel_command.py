"""`imago channel` beside SciPy's filters, on short recordings. It is the command of the build tree
($IMAGO_TEST_COMMAND), or that of the package."""

import json
import os
import subprocess

import numpy as np
import pytest
import scipy.io.wavfile
import scipy.signal

from imago import _command

RNG = np.random.default_rng(7)
RATE = 2.4e6


def taps_of(rate, width, output_rate, attenuation=80):
    """The filter that docs/recordings.md describes."""
    low, stop = width / 2, max(output_rate / 2, 1.1 * width / 2)
    count, beta = scipy.signal.kaiserord(attenuation, (stop - low) / (rate / 2))
    return scipy.signal.firwin(count | 1, (low + stop) / 2, window=("kaiser", beta), fs=rate)


def shifted(x, rate, shift):
    turns = np.arange(len(x), dtype=np.longdouble) * shift / rate
    return x * np.exp(-2j * np.pi * (turns % 1).astype(float))


def channel_of(x, rate, shift, width, output_rate):
    """The channel by SciPy in double precision."""
    step = round(rate / output_rate)
    taps = taps_of(rate, width, output_rate)
    return scipy.signal.resample_poly(shifted(x, rate, shift), 1, step, window=taps)


def resampled_of(x, rate, shift, width, output_rate, step, up, down):
    """The channel by SciPy at a rate that no whole number divides: docs/recordings.md."""
    stop, between = max(output_rate / 2, 1.1 * width / 2), rate / step
    y = shifted(x, rate, shift)

    def taps(rate, stop):
        count, beta = scipy.signal.kaiserord(80, (stop - width / 2) / (rate / 2))
        return scipy.signal.firwin(count | 1, (width / 2 + stop) / 2, window=("kaiser", beta), fs=rate)

    if step > 1:
        y = scipy.signal.resample_poly(y, 1, step, window=taps(rate, between - stop))
    return scipy.signal.resample_poly(y, up, down, window=taps(between * up, stop))


def program():
    try:
        return os.environ.get("IMAGO_TEST_COMMAND") or _command.path()
    except _command.Missing as missing:
        pytest.skip(str(missing))


def run(*arguments, input=None):
    command = [program(), "channel", *map(str, arguments)]
    # Generic kernels would change the last bits once.
    environment = {**_command.environment(), "IMAGO_FIRST_CALL": "compile"}
    return subprocess.run(command, input=input, capture_output=True, check=True, env=environment)


def relative(found, wanted):
    assert found.shape == wanted.shape
    return np.abs(found - wanted).max() / np.abs(wanted).max()


def noise(n):
    """Noise and a tone in the channel at 312 kHz."""
    x = RNG.normal(size=n, scale=0.1) + 1j * RNG.normal(size=n, scale=0.1)
    return x + 0.3 * np.exp(2j * np.pi * 313000 / RATE * np.arange(n))


BAND = "--shift", "312345.6", "--width", "16kHz", "--output-rate", "48k"


def test_samples_are_those_of_scipy(tmp_path):
    x = noise(700_001).astype(np.complex64)  # several blocks
    x.tofile(tmp_path / "x.cf32")
    out = tmp_path / "y.cf32"
    report = json.loads(run(tmp_path / "x.cf32", "--rate", "2.4MHz", *BAND, "-o", out, "--json").stdout)
    wanted = channel_of(x, RATE, 312345.6, 16e3, 48e3)
    assert relative(np.fromfile(out, np.complex64), wanted) < 1e-6
    assert report["filter"]["taps"] == len(taps_of(RATE, 16e3, 48e3))
    assert report["samples"] == {"read": 700001, "written": 14001}
    assert report["decimation"] == 50 and report["rate"] == 48000
    # The samples of upfirdn, without the filter's delay.
    taps = taps_of(RATE, 16e3, 48e3)
    late = np.concatenate([np.zeros(-(len(taps) // 2) % 50), shifted(x, RATE, 312345.6)])
    whole = scipy.signal.upfirdn(taps, late, 1, 50)
    first = -(-(len(taps) // 2) // 50)
    assert relative(whole[first : first + len(wanted)], wanted) < 1e-12


def test_pipes_have_the_samples_of_files(tmp_path):
    x = np.clip(np.round(127.5 + 127.5 * noise(600_000).view(float)), 0, 255).astype(np.uint8)
    x.tofile(tmp_path / "x.cu8")
    out = tmp_path / "y.cf32"
    run(tmp_path / "x.cu8", "--rate", "2.4M", *BAND, "-o", out)
    wanted = channel_of((x / 127.5 - 1).view(complex), RATE, 312345.6, 16e3, 48e3)
    found = np.fromfile(out, np.complex64)
    assert relative(found, wanted) < 1e-6
    pipe = run("-", "--format", "cu8", "--rate", "2.4M", *BAND, "-o", "-", input=x.tobytes())
    assert np.array_equal(np.frombuffer(pipe.stdout, np.complex64), found)
    # A part of both.
    part = "--start", "100ms", "--duration", "50ms"
    run(tmp_path / "x.cu8", "--rate", "2.4M", *BAND, *part, "-o", out)
    cut = (x / 127.5 - 1).view(complex)[240_000:360_000]
    assert relative(np.fromfile(out, np.complex64), channel_of(cut, RATE, 312345.6, 16e3, 48e3)) < 1e-6
    pipe = run("-", "--format", "cu8", "--rate", "2.4M", *BAND, *part, "-o", "-", input=x.tobytes())
    assert np.array_equal(np.frombuffer(pipe.stdout, np.complex64), np.fromfile(out, np.complex64))


@pytest.mark.parametrize("channels", [1, 2])
def test_real_sound_and_wav_files(tmp_path, channels):
    x = np.round(8000 * RNG.normal(size=(60_000, channels))).clip(-32768, 32767).astype(np.int16)
    scipy.io.wavfile.write(tmp_path / "x.wav", 48000, x)
    out = tmp_path / "y.wav"
    options = ("--channel", 2) if channels == 2 else ()
    run(tmp_path / "x.wav", "--shift", "7k", "--width", "3k", "--output-rate", "6k", *options, "-o", out)
    rate, y = scipy.io.wavfile.read(out)
    assert rate == 6000 and y.dtype == np.float32 and y.shape[1] == 2
    wanted = channel_of(x[:, -1] / 32768, 48e3, 7e3, 3e3, 6e3)
    assert relative(y[:, 0] + 1j * y[:, 1].astype(float), wanted) < 1e-6


def test_sigmf_and_double_precision(tmp_path):
    x = noise(100_000)
    x.tofile(tmp_path / "x.cf64")
    out = tmp_path / "y.sigmf-meta"
    given = "--rate", "2.4M", "--centre", "100M"
    run(tmp_path / "x.cf64", *given, *BAND, "--output-format", "cf64", "-o", out)
    meta = json.loads(out.read_text())
    assert meta["global"]["core:datatype"] == "cf64_le"
    assert meta["global"]["core:sample_rate"] == 48000
    assert meta["captures"][0]["core:frequency"] == 100312345.6
    found = np.fromfile(tmp_path / "y.sigmf-data", np.complex128)
    assert relative(found, channel_of(x, RATE, 312345.6, 16e3, 48e3)) < 1e-12


@pytest.mark.parametrize("kind", ["cf32", "f64"])
def test_rates_that_no_whole_number_divides(tmp_path, kind):
    x = noise(60_011).astype("c8") if kind == "cf32" else noise(60_011).real
    x.tofile(tmp_path / f"x.{kind}")
    out = tmp_path / "y.cf64"
    band = "--shift", "312345.6", "--width", "16kHz", "--output-rate", "44.1k"
    for rate, step, up, down in ((2.4e6, 25, 147, 320), (1e6, 10, 441, 1000)):
        arguments = tmp_path / f"x.{kind}", "--rate", rate, *band, "-o", out, "--json"
        report = json.loads(run(*arguments).stdout)
        assert report["resampling"]["up"] == up and report["resampling"]["down"] == down
        assert report["decimation"] == step and report["rate"] == 44100
        wanted = resampled_of(x, rate, 312345.6, 16e3, 44.1e3, step, up, down)
        found = np.fromfile(out, np.complex128)
        assert report["samples"]["written"] == len(found)
        assert relative(found, wanted) < (1e-6 if kind == "cf32" else 1e-12)


def test_sound_at_another_rate(tmp_path):
    x = RNG.normal(size=9000, scale=0.1)
    x.astype("f4").tofile(tmp_path / "x.f32")
    out = tmp_path / "y.cf32"
    for rate, output_rate, up, down in ((48000, 44100, 147, 160), (8000, 7999, 7999, 8000)):
        run(
            tmp_path / "x.f32", "--rate", rate, "--at", "2k", "--width", "3k", "--output-rate",
            output_rate, "-o", out,
        )  # fmt: skip
        wanted = resampled_of(x.astype("f4"), rate, 2e3, 3e3, output_rate, 1, up, down)
        assert relative(np.fromfile(out, np.complex64), wanted) < 1e-6
