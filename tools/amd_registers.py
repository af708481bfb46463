#!/usr/bin/env python3
"""Compiles the kernels of plans for AMD's GPUs with clang, without any of them, and prints what they take of registers
and local memory beside what imago predicts.

    tools/amd_registers.py build/release/tools/imago

Needs a clang with the target amdgcn (Debian: clang-14). The compiler inside ROCm is a later one of the same project.
"""
import argparse
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Functions that kernels call, as in ROCm's device library; otherwise each call is one of an unknown
# function.
PRELUDE = """
#define INLINE __attribute__((overloadable, always_inline))
size_t INLINE get_local_id(uint axis) { return __builtin_amdgcn_workitem_id_x(); }
size_t INLINE get_group_id(uint axis) { return __builtin_amdgcn_workgroup_id_x(); }
float INLINE fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
float INLINE fmax(float a, float b) { return __builtin_fmaxf(a, b); }
float INLINE rint(float a) { return __builtin_rintf(a); }
#ifdef cl_khr_fp64
double INLINE fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
double INLINE rint(double a) { return __builtin_rint(a); }
#endif
int INLINE min(int a, int b) { return a < b ? a : b; }
long INLINE min(long a, long b) { return a < b ? a : b; }
void INLINE barrier(cl_mem_fence_flags flags) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
"""
DEVICES = {"mi210": "gfx90a", "radeon-vii": "gfx906", "rx-6800": "gfx1030"}  # devices that clang 14
                                                                             # knows
LENGTHS = "64,256,1000,1024,2187,4096,16384,65536,1009,100003,1048576"
TAKEN = {"registers": r"\.vgpr_count:\s+(\d+)", "spilled": r"\.vgpr_spill_count:\s+(\d+)",
         "scratch": r"\.private_segment_fixed_size:\s+(\d+)", "local": r"\.group_segment_fixed_size:\s+(\d+)",
         "waves": r"; Occupancy: (\d+)"}


def compiler(wish):
    for name in [wish] if wish else ["clang-14", "clang"]:
        path = shutil.which(name)
        if path and "amdgcn" in subprocess.run([path, "--print-targets"], capture_output=True, text=True).stdout:
            return path
    return None


def planned(imago, shape, device, more):
    """Returns the kernels of a plan and the predictions for them, in the same order."""
    command = [imago, "explain", shape, "--device-file", device, "--source", "--json", "--no-profiles", *more]
    plan = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    # A kernel that several launches share appears once, with the properties of the first launch.
    names = [re.search(r"kernel (\w+)", line)[1] for line in plan["plan"] if re.match(r"\s*\d+\. ", line)]
    predicted = dict(reversed(list(zip(names, plan["predicted"]["kernels"]))))
    return [(kernel, predicted[kernel["name"]]) for kernel in plan["kernels"] if kernel["name"] in predicted]


def taken(clang, kernel, target):
    with tempfile.TemporaryDirectory() as folder:
        source, output = pathlib.Path(folder) / "kernel.cl", pathlib.Path(folder) / "kernel.s"
        source.write_text(PRELUDE + kernel["source"])
        command = [clang, "-x", "cl", "-cl-std=CL2.0", "-O3", "--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-nogpulib",
                   "-w", "-Xclang", "-finclude-default-header", "-S", source, "-o", output]
        subprocess.run(command, check=True)
        text = output.read_text()
    return {name: int(re.search(pattern, text)[1]) for name, pattern in TAKEN.items()}


def row(shape, device, kernel, predicted, found):
    work_items = re.search(r"reqd_work_group_size\((\d+)", kernel["source"])[1]
    return [device, shape, re.sub(r"_[0-9a-f]{16}$", "", kernel["name"]), work_items, predicted["registers"], found["registers"],
            found["spilled"], predicted["local_bytes"], found["local"], found["waves"]]


def mistakes(shape, device, kernel, predicted, found):
    """Yields the differences from the plan that no compiler may cause."""
    where = f"{kernel['name']} of {shape} on {device}"
    if found["local"] != predicted["local_bytes"]:
        yield f"{where} takes {found['local']} bytes of local memory, and {predicted['local_bytes']} are planned"
    if found["spilled"] or found["scratch"]:
        yield f"{where} spills {found['spilled']} registers into {found['scratch']} bytes"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("imago", help="the command")
    parser.add_argument("--lengths", default=LENGTHS, help="shapes, with commas between them")
    parser.add_argument("--devices", default=",".join(DEVICES), help=f"of {', '.join(DEVICES)}")
    parser.add_argument("--clang", help="the compiler; else clang-14 or clang")
    parser.add_argument("--check", action="store_true", help="fail where kernels spill, or take other local memory than planned")
    given, more = parser.parse_known_args()
    clang = compiler(given.clang)
    if clang is None:
        print("no clang with the target amdgcn was found", file=sys.stderr)
        return 77  # ctest: skipped
    print("| device | length | kernel | work-items | registers predicted | taken | spilled | local bytes planned | taken | waves a SIMD |")
    print("|---" * 10 + "|")
    wrong, ratios = [], {}
    for device in given.devices.split(","):
        for shape in given.lengths.split(","):
            for kernel, predicted in planned(given.imago, shape, device, more):
                found = taken(clang, kernel, DEVICES[device])
                print("|", " | ".join(map(str, row(shape, device, kernel, predicted, found))), "|", flush=True)
                ratios.setdefault(device, []).append(found["registers"] / predicted["registers"])
                wrong += mistakes(shape, device, kernel, predicted, found)
    for device, each in ratios.items():
        print(f"\n{device}: {len(each)} kernels take {math.exp(sum(map(math.log, each)) / len(each)):.2f} times the registers "
              f"that are predicted ({min(each):.2f} to {max(each):.2f})")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if given.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
