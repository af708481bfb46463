"""Compiles the kernels of this folder, NAME.cl, to SPIR-V for Vulkan, NAME.spv.

By clspv, if it is in the path, else by PyPI's pyclspv in this Python. Exit status 1 if neither is
there, or if it refuses a kernel.
"""
import importlib.util
import pathlib
import shutil
import subprocess
import sys

ONE = """import pathlib, sys, pyclspv
pathlib.Path(sys.argv[2]).write_bytes(pyclspv.compile(pathlib.Path(sys.argv[1]).read_text()))"""


def command(source, target):
    """Returns the command that compiles a kernel; None if no compiler is here."""
    if shutil.which("clspv"):
        return ["clspv", "--cl-std=CL1.2", str(source), "-o", str(target)]
    if importlib.util.find_spec("pyclspv"):
        return [sys.executable, "-c", ONE, str(source), str(target)]
    return None


def main():
    """Compiles all kernels that are newer than their SPIR-V."""
    for source in sorted(pathlib.Path(__file__).resolve().parent.glob("*.cl")):
        target = source.with_suffix(".spv")
        if target.exists() and target.stat().st_mtime > source.stat().st_mtime:
            continue
        words = command(source, target)
        if words is None:
            print("clspv is not in the path, and this Python has no pyclspv: install one of them, "
                  "for example by pip install pyclspv", file=sys.stderr)
            return 1
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0 or not target.exists() or target.stat().st_size == 0:
            target.unlink(missing_ok=True)
            print(f"clspv refuses {source.name}: {(done.stderr or done.stdout)[-800:]}",
                  file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
