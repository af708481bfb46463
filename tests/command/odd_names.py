"""Calls the commands with names of files and words that contain control characters. Checks that
none of them reaches the terminal, that no name adds a line, and that JSON is not wrapped.

Usage: odd_names.py <imago>
"""
import fcntl
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import termios

import terminal

RED = "\x1b[31mred\n\x7f\u009b1m"  # colours by two kinds of sequences, and a new line
PLAIN = "plain"
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
failures = []


def wav():
    samples = struct.pack("<2000h", *(8000 * (i % 8 < 4) for i in range(2000)))
    form = struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16)
    chunks = b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", 4000) + samples
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


def npy():
    text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (64,), }"
    return b"\x93NUMPY\x01\0" + struct.pack("<H", len(text)) + text + struct.pack("<64f", *range(64))


def make_files(name):
    """Makes files whose names, and some of whose contents, have the name."""
    def spill(ending, data):
        with open(name + ending, "wb") as file:
            file.write(data)
    spill(".wav", wav())
    spill(".npy", npy())
    spill(".raw", b"\x80" * 64)
    spill(".words", (name.replace("\n", "") + " 8\n").encode())
    spill(".json", b"{}")
    document = {"global": {"core:datatype": "cu8", "core:dataset": name + ".raw"}}
    spill(".sigmf-meta", json.dumps(document).encode())
    document["global"]["core:datatype"] = name
    spill(".bad.sigmf-meta", json.dumps(document).encode())
    os.mkdir(name + ".profiles")
    with open(os.path.join(name + ".profiles", name + ".json"), "w") as file:
        file.write("{}")


COMMANDS = [  # N stands for the name
    (1, ["sparse", "Nnone.raw"]),
    (0, ["sparse", "N.npy", "--output", "N.csv", "--picture", "N.svg"]),
    (0, ["transform", "N.npy", "--output", "Nout.npy", "--picture", "N.svg", "--time"]),
    (0, ["spectrum", "N.wav", "--output", "N.svg"]),
    (0, ["spectrum", "N.wav", "--output", "N.svg"]),  # replaces the file
    (1, ["spectrum", "N.npy"]),
    (2, ["transform", "N.sigmf-meta", "--device", "Ndevice"]),
    (0, ["transform", "N.sigmf-meta"]),
    (1, ["transform", "N.bad.sigmf-meta"]),
    (2, ["transform", "N.wav", "--output", "N.bad"]),
    (2, ["transform", "N.wav", "--output", "N.wav"]),
    (2, ["transform", "N.wav", "--format", "N"]),
    (2, ["transform", "N.wav", "--rate", "N"]),
    (2, ["explain", "N"]),
    (2, ["explain", "64", "N"]),
    (2, ["explain", "64", "--N"]),
    (2, ["explain", "64", "--profiles", "Nnone"]),
    (1, ["explain", "64", "--recipe", "Nnone"]),
    (2, ["explain", "64", "--device-file", "Nnone"]),
    (1, ["explain", "64", "--device-file", "N.json"]),
    (0, ["explain", "64", "--profiles", "N.profiles"]),
    (1, ["prewarm", "--file", "N.words"]),
    (1, ["doctor", "Nnone"]),
    (1, ["tune", "--show", "--profiles", "N.none"]),
    (1, ["tune", "--from-program", "N.words"]),
    (2, ["selftest", "--filter", "8*1", "--resume", "N.words"]),
    (1, ["run", "--as", "clfft", "--", "Nnone"]),
    (2, ["N"]),
]


def call(imago, name, arguments, **variables):
    words = [argument.replace("N", name) for argument in arguments]
    values = {variable: value.replace("N", name) for variable, value in variables.items()}
    done = subprocess.run([imago, *words], capture_output=True, stdin=subprocess.DEVNULL,
                          timeout=120, env={**os.environ, "IMAGO_LOG": "warning", **values})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def check(imago, wanted, arguments, **variables):
    plain = call(imago, PLAIN, arguments, **variables)
    red = call(imago, RED, arguments, **variables)
    if plain[0] != wanted:
        failures.append(f"{arguments}: status {plain[0]}, expected {wanted}: {plain[2]}")
    if red[0] != plain[0]:
        failures.append(f"{arguments}: status {red[0]} for the odd name: {red[2]!r}")
    for text, same in zip(red[1:], plain[1:]):
        if CONTROL.search(text):
            failures.append(f"{arguments}: prints {text!r}")
        if text.count("\n") != same.count("\n"):
            failures.append(f"{arguments}: other lines than for a plain name: {text!r}, {same!r}")


def narrow():
    """Makes the terminal narrower than the lines of JSON, which must not be wrapped."""
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("4H", 24, 40, 0, 0))


def main():
    imago = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in PLAIN, RED:
            make_files(name)
        for wanted, arguments in COMMANDS:
            check(imago, wanted, arguments)
        check(imago, 2, ["explain", "64"], IMAGO_DEVICE="N")
        check(imago, 0, ["explain", "64"], IMAGO_LOG="N")
        check(imago, 0, ["explain", "64"], IMAGO_CACHE_DIR="/dev/null/N")
        for command in ["transform", "N.npy"], ["spectrum", "N.wav"]:  # JSON has the name itself
            text = call(imago, RED, [*command, "--json"])[1]
            if CONTROL.search(text) or json.loads(text)["file"] != command[1].replace("N", RED):
                failures.append(f"{command} --json prints {text[:300]!r}")
            words = [word.replace("N", PLAIN) for word in command]
            text = terminal.shown(narrow, imago, *words, "--json")[1]
            try:
                json.JSONDecoder().raw_decode(text, text.index("{"))
            except ValueError as error:
                failures.append(f"{command} --json is no JSON on a narrow terminal: {error}")
        if not any("\\x1b[31mred\\n\\x7f\\xc2\\x9b1m" in text
                   for text in call(imago, RED, ["sparse", "Nnone.raw"])[1:]):
            failures.append("the name is not shown with escapes")
    print("\n".join(failures) or f"{len(COMMANDS)} commands control no terminal")
    sys.exit(bool(failures))


main()
