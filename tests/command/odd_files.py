"""Makes recordings and arrays with unusual headers. Checks that `imago transform` reads each
correctly, or rejects it with a reason in one line.

Usage: odd_files.py <imago>
"""
import concurrent.futures
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

RATE, COUNT, TONE = 8000, 2048, 1000  # a tone at half of full scale, on a bin: -6.02 dBFS
WAVE = [0.5 * math.sin(2 * math.pi * TONE * i / RATE) for i in range(COUNT)]


def pcm(bits=16, big=False, channels=1):
    """Whole samples of the tone, the same in each channel."""
    order = "big" if big else "little"
    full = 1 << bits - 1
    return b"".join(
        round(x * full).to_bytes(bits // 8, order, signed=True) * channels for x in WAVE)


def chunk(name, data, size=None, order="<"):
    size = len(data) if size is None else size
    return name + struct.pack(order + "I", size) + data + b"\0" * (len(data) % 2)


def fmt(bits=16, tag=1, channels=1, order="<", extension=b""):
    block = channels * bits // 8
    return chunk(b"fmt ", struct.pack(order + "HHIIHH", tag, channels, RATE, RATE * block, block,
                                      bits) + extension, order=order)


def riff(chunks, size=None, kind=b"RIFF", order="<"):
    size = 4 + len(chunks) if size is None else size
    return kind + struct.pack(order + "I", size) + b"WAVE" + chunks


def wav(size=None, riff_size=None, before=b"", after=b"", **form):
    """Returns a .wav file of 16 bits with lengths that may be wrong."""
    return riff(fmt(**form) + before + chunk(b"data", pcm(form.get("bits", 16),
                channels=form.get("channels", 1)), size) + after, riff_size)


def ds64(riff_size, data_size, samples=0):
    return chunk(b"ds64", struct.pack("<QQQI", riff_size, data_size, samples, 0))


def rf64(sizes, kind=b"RF64", size=0xFFFFFFFF):
    return riff(sizes + fmt() + chunk(b"data", pcm(), size), 0xFFFFFFFF, kind)


def aiff(size=None, frames=COUNT, form_size=None, kind=b"AIFF", little=False, bits=16):
    rate = struct.pack(">HQ", 16383 + 12, RATE << 51)  # 80 bits
    common = struct.pack(">hIh", 1, frames, bits) + rate
    if kind == b"AIFC":
        common += (b"sowt" if little else b"NONE") + b"\0\0"
    data = b"\0" * 8 + pcm(bits, not little)
    chunks = chunk(b"COMM", common, order=">") + chunk(b"SSND", data, size, order=">")
    return b"FORM" + struct.pack(">I", 4 + len(chunks) if form_size is None else form_size) + kind + chunks


def au(size, little=False):
    order = "<" if little else ">"
    return (b"dns." if little else b".snd") + struct.pack(order + "5I", 28, size, 3, RATE, 1) + \
        b"\0" * 4 + pcm(16, not little)


def caf(size):
    """`size` is of the samples and of four bytes before them."""
    described = struct.pack(">d4s5I", RATE, b"lpcm", 0, 2, 1, 1, 16)
    return b"caff\0\1\0\0desc" + struct.pack(">q", len(described)) + described + \
        b"data" + struct.pack(">q", size) + b"\0" * 4 + pcm(16, True)


def w64(size=None):
    """`size` is of the samples and of their chunk's head."""
    rest = bytes.fromhex("f3acd3118cd100c04f8edb8a")
    chunks = b"wave" + rest + b"fmt " + rest + struct.pack("<Q", 40) + \
        struct.pack("<HHIIHH", 1, 1, RATE, 2 * RATE, 2, 16) + b"data" + rest + \
        struct.pack("<Q", 24 + len(pcm()) if size is None else size) + pcm()
    return b"riff" + bytes.fromhex("2e91cf11a5d628db04c10000") + struct.pack("<Q", 24 + len(chunks)) + chunks


def npy(shape, data, descr="<f4", version=1, order="False", text=None):
    text = text or "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, order, shape)
    text = text.encode() + b"\n"
    width = "<H" if version == 1 else "<I"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack(width, len(text)) + text + data


def floats(kind="<f", scale=1):
    return b"".join(struct.pack(kind, scale * x) for x in WAVE)


UNFINISHED = "its header was never finished: read to its end"
CUT = "cut short: its header says more"
S = len(pcm())
ONES = "(" + "1, " * 31 + "%d)"

# name, bytes, then the report's text about the file; if "refused" comes first, the message.
CASES = [
    ("plain.wav", wav(), ""),
    ("zero-0.wav", wav(0, 0), UNFINISHED),
    ("zero-36.wav", wav(0, 36), UNFINISHED),
    ("zero-8.wav", wav(0, 8), UNFINISHED),
    ("zero-list.wav", wav(0, 36 + 20, before=chunk(b"LIST", b"INFOISFTabcd")), UNFINISHED),
    ("zero-stream.wav", wav(0, 0xFFFFFFFF), UNFINISHED),
    ("stream.wav", wav(0xFFFFFFFF, 0xFFFFFFFF), ""),
    ("stream-36.wav", wav(0xFFFFFFFF, 36), ""),
    ("sox.wav", wav(0x7FFFF000, 0x7FFFF024), ""),
    ("most.wav", wav(0x7FFFFFFF, 0x7FFFFFFF), ""),
    ("cut.wav", wav(2 * S), CUT),
    ("cut-3g.wav", wav(3 << 30), CUT),
    ("second.wav", wav(after=chunk(b"data", pcm())), f"a second data chunk of {S} bytes is not read"),
    ("second-later.wav", wav(after=chunk(b"LIST", b"INFO") + chunk(b"data", b"abcd")),
     "a second data chunk of 4 bytes is not read"),
    ("list-after.wav", wav(after=chunk(b"LIST", b"INFO")), ""),
    ("junk-after.wav", wav(after=b"TAG" + b"x" * 125), ""),
    ("riff-0.wav", wav(riff_size=0), ""),
    ("riff-huge.wav", wav(riff_size=0xFFFFFFF0), ""),
    ("list-damaged.wav", riff(chunk(b"LIST", b"INFOISFT\3\0\0\0abc") + fmt() + chunk(b"data", pcm())), ""),
    ("list-endless.wav", riff(chunk(b"LIST", b"INFO", 0xFFFFFFFF) + fmt() + chunk(b"data", pcm())),
     "refused", "is a damaged recording"),
    ("id3.wav", b"ID3\3\0\0\0\0\1\2" + b"t" * 130 + wav(), ""),
    ("fmt-twice.wav", riff(fmt() + fmt(8) + chunk(b"data", pcm())), ""),
    ("bits-24.wav", wav(bits=24), ""),
    ("bits-32.wav", wav(bits=32), ""),
    ("stereo.wav", wav(channels=2), ""),
    ("stereo-zero.wav", wav(0, 36, channels=2), UNFINISHED),
    ("float.wav", riff(fmt(32, 3) + chunk(b"data", floats())), ""),
    ("float-zero.wav", riff(fmt(32, 3) + chunk(b"data", floats(), 0), 36), UNFINISHED),
    ("double.wav", riff(fmt(64, 3) + chunk(b"data", floats("<d"))), ""),
    ("rifx.wav", riff(fmt(order=">") + chunk(b"data", pcm(16, True), order=">"), None, b"RIFX", ">"), ""),
    ("rifx-zero.wav", riff(fmt(order=">") + chunk(b"data", pcm(16, True), 0, ">"), 0, b"RIFX", ">"),
     UNFINISHED),
    ("rf64.wav", rf64(ds64(S + 80, S, COUNT)), ""),
    ("rf64-size.wav", rf64(ds64(S + 80, S, COUNT), size=S), ""),
    ("rf64-zeros.wav", rf64(ds64(0, 0)), UNFINISHED),
    ("rf64-zeros-0.wav", rf64(ds64(0, 0), size=0), UNFINISHED),
    ("rf64-unknown.wav", rf64(ds64(2 ** 64 - 1, 2 ** 64 - 1)), ""),
    ("rf64-none.wav", rf64(b""), ""),
    ("rf64-none-0.wav", rf64(b"", size=0), UNFINISHED),
    ("rf64-cut.wav", rf64(ds64(1 << 40, 1 << 40)), CUT),
    ("bw64.wav", rf64(ds64(S + 80, S, COUNT), b"BW64"), ""),
    ("bw64-zeros.wav", rf64(ds64(0, 0), b"BW64"), UNFINISHED),
    ("plain.aiff", aiff(), ""),
    ("ssnd-8.aiff", aiff(8, 0, 46), UNFINISHED),
    ("ssnd-0.aiff", aiff(0, 0, 0), UNFINISHED),
    ("ssnd-unknown.aiff", aiff(0xFFFFFFFF, 0, 0xFFFFFFFF), UNFINISHED),
    ("ssnd-8-24.aiff", aiff(8, 0, 46, bits=24), UNFINISHED),
    ("plain.aifc", aiff(kind=b"AIFC", little=True), ""),
    ("ssnd-8.aifc", aiff(8, 0, 46, b"AIFC", True), UNFINISHED),
    ("plain.au", au(S), ""),
    ("unknown.au", au(0xFFFFFFFF), ""),
    ("zero.au", au(0), UNFINISHED),
    ("zero-little.au", au(0, True), UNFINISHED),
    ("plain.caf", caf(S + 4), ""),
    ("open.caf", caf(-1), ""),
    ("zero.caf", caf(0), UNFINISHED),
    ("plain.w64", w64(), ""),
    ("zero.w64", w64(0), ""),
    ("empty.wav", riff(fmt() + chunk(b"data", b"")), "refused", "has no samples"),
    ("empty-list.wav", riff(fmt() + chunk(b"data", b"") + chunk(b"LIST", b"INFO")), "refused",
     "has no samples"),
    ("no-data.wav", riff(fmt()), "refused", "is a damaged recording"),
    ("no-fmt.wav", riff(chunk(b"data", pcm())), "refused", "is a damaged recording"),
    ("channels-0.wav", riff(fmt(channels=0) + chunk(b"data", pcm())), "refused",
     "is a damaged recording"),
    ("head.wav", riff(b""), "refused", "is a damaged recording"),
    ("avi.wav", b"RIFF\4\0\0\0AVI ", "refused", "is not a .npy file, and"),
    ("arrays.npz", b"PK\3\4" + b"\0" * 60, "refused", "save one array of a .npz archive"),
    ("raw.iq", pcm(), "refused", "name the format of raw samples"),
    ("nothing.wav", b"", "refused", "it is empty"),
    ("plain.npy", npy("(%d,)" % COUNT, floats()), "float32 of shape (2048,)"),
    ("version-2.npy", npy("(%d,)" % COUNT, floats(), version=2), "float32 of shape (2048,)"),
    ("big.npy", npy("(%d,)" % COUNT, floats(">d"), ">f8"), "big-endian float64 of shape (2048,)"),
    ("long.npy", npy("(%dL,)" % COUNT, floats()), "float32 of shape (2048,)"),
    ("longs.npy", npy("(1L, %dL)" % COUNT, floats()), "float32 of shape (1, 2048)"),
    ("axes-32.npy", npy(ONES % COUNT, floats()), "1, 2048)"),
    ("axes-64.npy", npy("(" + "1, " * 63 + "%d)" % COUNT, floats()), "1, 2048)"),
    ("axes-65.npy", npy("(" + "1, " * 64 + "%d)" % COUNT, floats()), "refused",
     "more than 64 dimensions"),
    ("two.npy", npy("(%d,)" % COUNT, floats()) + npy("(2,)", b"\0" * 8),
     "float32 of shape (2048,); %d bytes after it are not read" % len(npy("(2,)", b"\0" * 8))),
    ("after.npy", npy("(%d,)" % COUNT, floats()) + b"x", "; 1 bytes after it are not read"),
    ("scalar.npy", npy("()", struct.pack("<f", 1)), "refused", "holds one number without an axis"),
    ("empty.npy", npy("(4, 0)", b""), "refused", "has no elements: its shape is (4, 0)"),
    ("cut.npy", npy("(%d,)" % COUNT, floats()[:-1]), "refused", "is truncated"),
    ("shape.npy", npy("(x,)", b""), "refused", "holds something that is not a number"),
    ("objects.npy", npy("(1,)", b"", "|O"), "refused", "has dtype '|O'"),
    ("names.npy", npy("(1,)", b"", text="{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
     "refused", "the dtype is a structure"),
]


def call(imago, folder, *arguments):
    return subprocess.run([imago, *arguments], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=120)


def fault_of_refused(done, text):
    if done.returncode != 1:
        return f"status {done.returncode}, expected 1: {done.stdout[-300:]}"
    if text not in done.stderr or done.stderr.count("\n") != 1 or len(done.stderr) > 300:
        return f"expected one line with '{text}': {done.stderr}"
    return None


def fault_of(imago, folder, case):
    """Returns the fault that a file shows, or None."""
    name, content, about = case[:3]
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)
    arguments = ["transform", name, "--json"] + (["--rate", str(RATE)] if name.endswith(".npy") else [])
    done = call(imago, folder, *arguments)
    if about == "refused":
        return fault_of_refused(done, case[3])
    if done.returncode != 0:
        return f"status {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    text = report["input"]
    if not name.endswith(".npy"):
        found = re.search(r"(\d+) samples \([\d.]+ s\)(?:, (.*))?$", text)
        if not found or int(found[1]) != COUNT or (found[2] or "") != about:
            return f"expected {COUNT} samples and '{about}': {text}"
    elif not text.endswith(about):
        return f"expected '{about}': {text}"
    for tone in report["strongest"]:
        near = abs(tone["hertz"] - TONE) < 0.01 and abs(tone["decibels"] + 6.0206) < 0.01
        if tone["decibels"] > -60 and not near:
            return f"the tone is {tone}"
    return None if report["strongest"] else "no tone was found"


def main():
    imago = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        faults = list(pool.map(lambda case: fault_of(imago, folder, case), CASES))
    for case, fault in zip(CASES, faults):
        if fault:
            print(f"{case[0]}: {fault}")
    if any(faults):
        sys.exit(1)
    print(f"{len(CASES)} files")


main()
