"""This file holds the claims that stand on more than one page: all of them give the same figures.

A claim is a name, and for each page a pattern that must match there. The groups of its patterns are
the figures, in the same order on each page. Patterns match over ends of lines. The second table has
sentences that were right once, which no page may contain any more.
"""
import decimal
import re

import markdown

NUMBER = re.compile(r"\d+(?:\.\d+)?")
COMPILING = r"([\d.]+) to ([\d.]+) s"
CLAIMS = (
    ("time to compile a plan, H200", {
        "README.md": rf"{COMPILING} on an H200",
        "docs/limits.md": rf"{COMPILING} on an H200",
        "docs/start.md": rf"On an H200, compiling takes {COMPILING}"}),
    ("time to compile a plan, two cores of a CPU", {
        "README.md": rf"{COMPILING} on two CPU cores",
        "docs/limits.md": rf"{COMPILING} on two CPU cores",
        "docs/start.md": rf"On two CPU cores with PoCL, they take {COMPILING}"}),
    ("first use of a device", {
        "README.md": rf"The first use of a device adds {COMPILING}",
        "docs/start.md": rf"The first use of a device adds {COMPILING}"}),
    ("speed compared with FFTW, EPYC", {
        "README.md": r"On two cores of an EPYC, ([\d.]+) times the speed of FFTW",
        "docs/measured/cpu.md": r"AVX-512, f32, 16 rows \| ([\d.]+),"}),
    ("suite h200, the faster of two libraries", {
        "docs/performance.md": r"complex f32 \(34\) \|[^*]*\*\*([\d.]+)\*\*",
        "docs/measured/h200.md": r"Batches that load the device are ([\d.]+) times as fast"}),
    ("rows of 3 to 63 points, H200", {
        "docs/performance.md": r"3 to 63 points \((\d+)\)[^*]*\*\*([\d.]+)\*\*",
        "docs/measured/h200.md": r"\| f32 \| (61) \| ([\d.]+) \|"}),
    ("single transforms, H200", {
        "docs/performance.md": r"one transform a call \((\d+)\)[^*]*\*\*([\d.]+)\*\*",
        "docs/measured/calls.md": r"over the (\d+) rows, back-to-back calls: [^;:]*, ([\d.]+) of the faster"}),
    ("single transforms on CUDA's memory, H200", {
        "docs/performance.md": r"on CUDA's memory[^*]*\*\*([\d.]+)\*\*",
        "docs/measured/cuda.md": r"\| by CUDA \| ([\d.]+) \|"}),
    ("STFT, H200", {
        "docs/performance.md": r"STFT of 2\^27 samples[^*]*\*\*([\d.]+)\*\*",
        "docs/measured/hooks.md": r"STFT of 2\^27 samples[^|]*\|[^|]*\| ([\d.]+) "}),
    ("fused convolution of rows, H200", {
        "docs/performance.md": r"rows of 2000 convolved with a kernel of 1000[^|]*\| (\d+) us \|[^*]*\*\*([\d.]+)\*\*",
        "docs/measured/hooks.md": r"convolved with a kernel of 1000 \| (\d+) us \| \*\*([\d.]+)\*\*"}),
    ("launch of a kernel, H200", {
        "docs/limits.md": r"OpenCL needs ([\d.]+) to (\d+) us to launch .*? cuFFT takes ([\d.]+) to ([\d.]+) us",
        "docs/measured/calls.md": r"OpenCL launch takes ([\d.]+) to (\d+) us .*? cuFFT ([\d.]+) to ([\d.]+) us"}),
    ("generic kernels, H200", {
        "docs/limits.md": r"([\d.]+) times the speed of its own kernels",
        "docs/measured/first-calls.md": r"speed of generic kernels, geometric mean \| ([\d.]+) \|"}),
    ("SciPy's tests", {
        "docs/limits.md": r"take \[(\d+) s on two cores\][^|]*SciPy itself ([\d.]+) s",
        "docs/measured/first-calls.md": r"\| imago \| (\d+) s \|.*?\| SciPy itself \| ([\d.]+) s"}),
    ("long kernels", {
        "docs/limits.md": r"(\d+) s with PoCL for 2245 x 2245",
        "docs/troubleshooting.md": r"2245x2245 and a DCT-I of 675x675 need (\d+) s"}),
    ("short contiguous axes", {
        "docs/limits.md": r"4096 x 2: ([\d.]+) times FFTW, 65536 x 2: ([\d.]+) times",
        "docs/measured/cpu.md": r"was ([\d.]+) for 4096x2, ([\d.]+) for 65536x2"}),
    ("one real line", {
        "docs/limits.md": r"2\^20 points: ([\d.]+) times FFTW",
        "docs/measured/cpu.md": r"46 rows \| 2\.30, ([\d.]+) at real 2\^20"}),
    ("convolutions of lengths", {
        "docs/limits.md": r"([\d.]+) to (\d) times as long on an H200",
        "docs/questions.md": r"takes ([\d.]+) to (\d) times as long on an H200",
        "docs/performance.md": r"need a convolution and take ([\d.]+) to (\d) times as long"}),
    ("largest radix", {
        "docs/limits.md": r"a prime factor above (\d+) \(on GPUs above 97\), or two above 31",
        "docs/questions.md": r"from 37 to (\d+) is a radix, too; on GPUs up to 97",
        "docs/performance.md": r"from 37 to (\d+) is a radix, too; on GPUs up to 97",
        "docs/algorithms.md": r"one up to (\d+), on GPUs up to 97 \|"}),
    ("cases of the standard self-test", {
        "docs/platforms.md": r"all (\d+) cases of the sample",
        "docs/implementations.md": r"`imago selftest --standard`: (\d+)"}),
    ("time of the standard self-test", {
        "docs/command.md": r"takes (\d+) minutes on two cores with PoCL",
        "README.md": r"more than a thousand in (\d+) minutes"}),
    ("spectrogram of the recording", {
        "README.md": r"loudest +(\S+) dBFS at (\S+) Hz, (\S+) s",
        "docs/start.md": r"loudest +(\S+) dBFS at (\S+) Hz, (\S+) s",
        "docs/command.md": r"loudest +(\S+) dBFS at (\S+) Hz, (\S+) s"}),
    ("small transforms, complex f32", {
        "docs/small.md": r"\| complex f32 \| ([\d.]+) \| ([\d.]+) \|",
        "docs/measured/calls.md": r"of c32 ([\d.]+) of FFTW and ([\d.]+) of oneMKL"}),
    ("single transforms on a core of a Xeon", {
        "docs/performance.md": r"one transform a call, f32 and real \(31\), f64 \(5\)[^*]*\*\*([\d.]+)\*\*, \*\*([\d.]+)\*\*",
        "docs/small.md": r"of this suite were ([\d.]+) of it, [^.]*[\d.]+ \(64x64\), and those of f64 (\d+\.\d+)",
        "docs/measured/cpu.md": r"at a time, f32 and real \(31\); f64 \(5\) \| ([\d.]+); ([\d.]+) "}),
    ("two cores of a Xeon", {
        "docs/performance.md": r"complex f32 \(16\), f64 \(16\)[^*]*\*\*([\d.]+)\*\*, \*\*([\d.]+)\*\*",
        "docs/measured/cpu.md": r"two cores, f32 \(16\); f64 \(16\) \| ([\d.]+); ([\d.]+) "}),
    ("answers to reports of flaws", {
        "SECURITY.md": r"an answer within (\d+) days",
        "docs/support.md": r"an answer within (\d+) days"}),
)

# A pattern, and what is true now.
DENIED = (
    (r"small transform[^.|]*(?:is|are) faster in FFTW", "functions of the processor compute small host arrays"),
    (r"lets SciPy compute (?:it|them|small)|SciPy computes (?:the )?small", "functions compute small arrays"),
    (r"All of them need an OpenCL driver", "small transforms of host arrays need none"),
    (r"`imago.Filter` and `imago.Convolution` compile when", "they begin on generic kernels"),
    (r"Linux only", "builds for Windows have run under Wine"),
    (r"prime factors above 31 (?:are|is|need) (?:a )?convolutions?\b(?! of fixed)", "one prime factor up to 61 is a radix"),
    (r"`imago selftest` compares more than a thousand|FFTW on more than a thousand",
     "that is imago selftest --standard"),
)


def flat(text):
    """Returns the text in one line, as sentences run over ends of lines."""
    return re.sub(r"\s*\n\s*", " ", text)


def agrees(left, right):
    """True for equal texts, and for numbers of which one is the other one rounded."""
    if left == right:
        return True
    if not (NUMBER.fullmatch(left) and NUMBER.fullmatch(right)):
        return False
    digits = min(len(text.partition(".")[2]) for text in (left, right))
    unit = decimal.Decimal(1).scaleb(-digits)
    return len({decimal.Decimal(text).quantize(unit, decimal.ROUND_HALF_UP) for text in (left, right)}) == 1


def check(root):
    """One line for each claim whose pages differ, and each sentence that is no longer true."""
    texts = {page: flat((root / page).read_text()) for page in markdown.pages(root)}
    for name, pages in CLAIMS:
        found = {}
        for page, pattern in pages.items():
            match = re.search(pattern, texts[page])
            if match is None:
                yield f"{page}: nothing like {pattern} ({name}); change tools/pages/claims.py with the page"
            else:
                found[page] = match.groups()
        if not all(agrees(left, right) for one in found.values() for other in found.values()
                   for left, right in zip(one, other)):
            yield f"{name}: " + "; ".join(f"{page} has {', '.join(groups)}" for page, groups in found.items())
    for page, text in texts.items():
        if page.startswith("docs/measured/") or page == "CHANGELOG.md":
            continue
        for pattern, truth in DENIED:
            if match := re.search(pattern, text):
                yield f'{page}: "{match[0]}": {truth}'
