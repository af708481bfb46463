#!/usr/bin/env python3
"""Compiles the kernels that imago plans for GPUs with three vendors' compilers, without a GPU.

    tools/gpu_compilers.py build/check/tests/compilers/imago_planned_kernels

prints registers, spilled bytes and instructions next to the model's registers. --record writes them to
tests/compilers/recorded.txt; --check compares them with that file. Each device of tuning/devices is planned for by
itself, and a compiler that is not installed is named and left out:

    NVIDIA   clang-19 with libclc-19 makes PTX; ptxas and nvdisasm compile it (PyPI: nvidia-cuda-nvcc and
             nvidia-cuda-nvdisasm). These are not the compiler of NVIDIA's OpenCL.
    Intel    ocloc (Debian: intel-opencl-icd) and iga64 (libigc-tools)
    AMD      clang-19 with libclc-19
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
RECORDED = ROOT / "tests/compilers/recorded.txt"
MORE = 1.05  # instructions, compared with the record
CLC = "/usr/lib/clc"

# Figures for a work-item: spilled bytes do not count private arrays. Local memory in bytes; 0: not known.
Found = collections.namedtuple("Found", "registers spilled instructions local_bytes", defaults=[0])


class Failed(Exception):
    """A compiler does not compile a kernel."""


def tool(name):
    """Returns the path of a tool, among the packages of this Python first; None if it is not installed."""
    packages = [str(each) for path in sys.path for each in pathlib.Path(path).glob("nvidia/*/bin")]
    return shutil.which(name, path=os.pathsep.join([*packages, os.environ["PATH"]]))


def run(command, folder):
    done = subprocess.run([tool(command[0]), *map(str, command[1:])], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed((done.stdout + done.stderr)[-600:])
    return done.stdout + done.stderr


def version(name):
    return f"{name} " + re.search(r"(?:version |V)(\d+(?:\.\d+)+)", run([name, "--version"], "/"))[1]


def clang(options, target, library, folder):
    """Compiles kernel.cl of the folder to assembly, with the functions of OpenCL C from libclc."""
    library = f"{CLC}/{library}.bc"
    run(["clang-19", "-x", "cl", *options, "-O3", "-w", "-nogpulib", *target, "-Xclang", "-finclude-default-header",
         "-Xclang", "-mlink-builtin-bitcode", "-Xclang", library, "-S", "kernel.cl", "-o", "kernel.s"], folder)
    return (folder / "kernel.s").read_text()


class Nvidia:
    needs = ["clang-19", "ptxas", "nvdisasm"]
    devices = {"nvidia-rtx-2080-ti": "sm_75", "nvidia-a100": "sm_80", "nvidia-h100": "sm_90", "nvidia-b200": "sm_100"}

    def version(self):
        return f"{version('clang-19')}, {version('ptxas')}"

    def compile(self, options, target, folder):
        march = "sm_90" if target == "sm_100" else target  # clang 19 does not know later ones
        text = clang(options, ["--target=nvptx64-nvidia-nvcl", f"-march={march}"], "nvptx64--nvidiacl", folder)
        # ptxas alone refuses more than 48 KiB; the driver does not (docs/measured/cuda.md).
        smaller = re.sub(r"(\.shared .*\[)(\d+)", lambda m: m[1] + str(min(int(m[2]), 49152)), text)
        (folder / "kernel.s").write_text(smaller)
        report = run(["ptxas", "-v", "-arch", target, "kernel.s", "-o", "kernel.cubin"], folder)
        code = run(["nvdisasm", "-c", "kernel.cubin"], folder)
        return Found(max(int(n) for n in re.findall(r"Used (\d+) registers", report)),
                     sum(int(n) for n in re.findall(r"(\d+) bytes spill stores", report)),
                     len(re.findall(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?!NOP)", code, re.M)),
                     sum(int(n) for n in re.findall(r"\.shared .*\[(\d+)", text)))


class Intel:
    needs = ["ocloc", "iga64"]
    devices = {"intel-iris-xe": "tgllp", "intel-arc-a770": "dg2", "intel-max-1550": "pvc"}
    platforms = {"tgllp": ("xe", 32), "dg2": ("xehpg", 32), "pvc": ("xehpc", 64)}  # bytes of a register

    def version(self):
        with tempfile.TemporaryDirectory() as folder:
            run(["ocloc", "query", "OCL_DRIVER_VERSION"], folder)
            return "ocloc " + re.search(r"[\d.]+", (pathlib.Path(folder) / "OCL_DRIVER_VERSION").read_text())[0]

    def compile(self, options, target, folder):
        run(["ocloc", "compile", "-file", "kernel.cl", "-device", target, "-options", " ".join(options),
             "-out_dir", "binary"], folder)
        binary = next((folder / "binary").glob("*.bin"))
        run(["ocloc", "disasm", "-file", binary, "-device", target, "-dump", "parts"], folder)
        tokens = (folder / "parts/PTM.txt").read_text()
        platform, size = self.platforms[target]
        # Tokens of the binary's format (patch_list.h): 23 describes the execution, with the lanes as its fourth number;
        # 18 holds the scratch bytes of a thread.
        lanes = [int(text.split()[12], 16) for text in re.findall(r"Token 23\n.*\n\s+Hex (.*)", tokens)]
        scratch = [number(text.split()[4:8]) for text in re.findall(r"Token 18\n.*\n\s+Hex (.*)", tokens)]
        count = 0
        for heap in (folder / "parts").glob("*_KernelHeap.dat"):
            code = run(["iga64", "-d", f"-p={platform}", heap], folder)
            count += len(re.findall(r"^(?!L\d+:)(?!\s*(?:nop|illegal))\s*\S", code, re.M))
        return Found(128 * size // 4 // min(lanes), sum(scratch) // min(lanes), count)


def number(words):
    return int.from_bytes(bytes(int(word, 16) for word in words), "little")


class Amd:
    needs = ["clang-19"]
    devices = {"amd-radeon-vii": "gfx906", "amd-mi210": "gfx90a", "amd-mi300x": "gfx942", "amd-rx-6800": "gfx1030",
               "amd-rx-7900-xtx": "gfx1100"}

    def version(self):
        return version("clang-19")

    def compile(self, options, target, folder):
        text = clang(options, ["--target=amdgcn-amd-amdhsa", f"-mcpu={target}"], "amdgcn--amdhsa", folder)
        numbers = lambda name: [int(n) for n in re.findall(rf"^\s+\.{name}:\s+(\d+)", text, re.M)]
        code = text[:text.index(".amdgpu_metadata")]
        return Found(max(numbers("vgpr_count")), 4 * sum(numbers("vgpr_spill_count")),
                     len(re.findall(r"^\t[a-z]\w+(?=\s)", code, re.M)), sum(numbers("group_segment_fixed_size")))


CHAINS = {"nvidia": Nvidia(), "intel": Intel(), "amd": Amd()}


def planned(given, device):
    """Returns the problems of a device: name and kernels."""
    part = ["all"] * given.all or ["sample"] * given.sample or ["pairs"] * given.pairs
    command = [given.program, ROOT / f"tuning/devices/{device}.json", *part]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def compiled(chain, target, kernel):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "kernel.cl").write_text(kernel["source"])
        return chain.compile(kernel["options"].split(), target, folder)


def a_point(kernel, found):
    """Returns the instructions for a point; those of the kernel if launches determine the points."""
    return found.instructions * kernel["items"] / kernel["points"] if kernel["points"] else found.instructions


def results(given, chain, target, device, pool):
    """Returns for each problem its kernels and what the compiler makes of them: Found, or Failed."""
    problems = planned(given, device)
    futures = {}
    for problem in problems:
        for kernel in problem["kernels"]:
            key = kernel["source"], kernel["options"]
            if key not in futures:
                futures[key] = pool.submit(compiled, chain, target, kernel)
    for problem in problems:
        found = [futures[kernel["source"], kernel["options"]] for kernel in problem["kernels"]]
        yield problem, list(zip(problem["kernels"], [each.exception() or each.result() for each in found]))


def read_record():
    versions, record = {}, {}
    for line in RECORDED.read_text().splitlines() if RECORDED.exists() else []:
        if line.startswith("# "):
            chain, is_version = line[2:].split(": ", 1)
            versions[chain] = is_version
        else:
            device, registers, spilled, instructions, name = line.split(" ", 4)
            record[device, name] = Found(int(registers), int(spilled), float(instructions))
    return versions, record


def write_record(versions, record):
    with RECORDED.open("w") as out:
        for chain, each in sorted(versions.items()):
            print(f"# {chain}: {each}", file=out)
        for (device, name), found in sorted(record.items()):
            print(device, found.registers, found.spilled, f"{found.instructions:.1f}", name, file=out)


def quartiles(ratios):
    cuts = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else [*ratios, 0][:1] * 3
    return " | ".join(f"{each:.2f}" for each in [*cuts, max(ratios, default=0)])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", help="imago_planned_kernels")
    parser.add_argument("--devices", help="names with commas between them [all]")
    parser.add_argument("--all", action="store_true", help="compile every problem instead of a third")
    parser.add_argument("--sample", action="store_true", help="compile few problems of the suites only")
    parser.add_argument("--pairs", action="store_true", help="compile four lengths of f64 in pairs of f32 only")
    parser.add_argument("--check", action="store_true", help="fail on a new spill and 5 %% more instructions")
    parser.add_argument("--record", action="store_true", help="write tests/compilers/recorded.txt")
    given = parser.parse_args()
    versions, record = read_record()
    now, new, wrong, summary = {}, {}, [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, chain in CHAINS.items():
            missing = [each for each in chain.needs if tool(each) is None]
            if "clang-19" in chain.needs and not pathlib.Path(CLC).exists():
                missing.append("libclc-19")
            if missing:
                print(f"{name}: left out, because {', '.join(missing)} is not installed", flush=True)
                continue
            now[name] = chain.version()
            same = versions.get(name) == now[name] and not given.record
            print(f"{name}: {now[name]}{'' if same else ', not compared with the record'}", flush=True)
            for device, target in chain.devices.items():
                if given.devices and device not in given.devices.split(","):
                    continue
                ratios, kernels, spilling = [], 0, 0
                for problem, each in results(given, chain, target, device, pool):
                    where = f"{device} {problem['name']}"
                    for kernel, found in each:
                        if isinstance(found, Exception):
                            wrong.append(f"{where}: {kernel['name']} does not compile: {found}")
                            continue
                        if kernel["registers"]:
                            ratios.append(found.registers / kernel["registers"])
                        if found.local_bytes and kernel["local_bytes"] not in (0, found.local_bytes):
                            wrong.append(f"{where}: {kernel['name']} has {found.local_bytes} bytes of local memory, "
                                         f"and {kernel['local_bytes']} are planned")
                    each = [(kernel, found) for kernel, found in each if isinstance(found, Found)]
                    if not each:
                        continue
                    total = Found(max(found.registers for _, found in each), sum(found.spilled for _, found in each),
                                  sum(a_point(*pair) for pair in each))
                    new[device, problem["name"]] = total
                    kernels, spilling = kernels + len(each), spilling + sum(found.spilled > 0 for _, found in each)
                    for kernel, found in each:
                        if not given.check:
                            print(f"{where} | {kernel['name']} | {kernel['registers']} | {found.registers} | "
                                  f"{found.spilled} | {a_point(kernel, found):.1f}", flush=True)
                    before = record.get((device, problem["name"]))
                    if same and before and total.spilled > before.spilled:
                        wrong.append(f"{where}: spills {total.spilled} bytes, recorded are {before.spilled}")
                    if same and before and total.instructions > MORE * before.instructions + 0.1:
                        wrong.append(f"{where}: {total.instructions:.1f} instructions a point, recorded are "
                                     f"{before.instructions:.1f}")
                summary.append(f"| {device} | {target} | {kernels} | {spilling} | {quartiles(ratios)} |")
    if not now:
        return 77  # ctest: skipped
    print("\n| device | target | kernels | that spill | registers over the model's: lower quartile | median | upper | "
          "most |")
    print("|---" * 8 + "|", *summary, sep="\n")
    print(*wrong, sep="\n", file=sys.stderr)
    if given.record:
        devices = {device for device, _ in new}
        kept = {key: found for key, found in record.items() if key[0] not in devices}
        write_record(versions | now, kept | new)
    return 1 if wrong and (given.check or given.record) else 0


if __name__ == "__main__":
    sys.exit(main())
