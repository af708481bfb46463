"""This file checks that the code of README.md and docs is compiled or run.

A block of cpp, python or sh is used unchanged, unless a comment in the line before it specifies
otherwise:

    <!-- from FILE -->           it is a part of a program that is built and run (show.py)
    <!-- given: PARAMETERS -->   cpp: statements, compiled as the body of a function with these
                                 parameters in addition to `context`, `device` and `queue`
    <!-- not run: REASON -->     it is neither compiled nor run

Whole programs (with `int main`), python (in one namespace for each page) and sh are also run. The
@code examples of the public headers are compiled with them, after SETTING.
"""
import os
import re
import subprocess
import tempfile

import markdown

LANGUAGES = ("cpp", "python", "sh")
INCLUDE = re.compile(r"^#include .*\n", re.MULTILINE)
MAIN = re.compile(r"\bint main\(\)")
HANDLES = ("[[maybe_unused]] const cl::Context& context, [[maybe_unused]] const cl::Device& device, "
           "[[maybe_unused]] const cl::CommandQueue& queue")
# Variables that the examples of the headers use and do not define.
SETTING = """[[maybe_unused]] cl::Buffer signal, spectrum, kernel, result, x, y, strengths, modes, values;
[[maybe_unused]] const imago::Plan plan(context, device, {.lengths = {1}});
[[maybe_unused]] cl::Event uploaded;
[[maybe_unused]] const std::vector<cl::Device> gpus{device};
[[maybe_unused]] const auto make = [](const cl::Context& c, std::size_t bytes) {
  return cl::Buffer(c, CL_MEM_READ_WRITE, bytes);
};
struct Interrupted {};
[[maybe_unused]] const bool interrupted = false;
[[maybe_unused]] const auto show = [](std::size_t, std::size_t) {};
"""


def of_headers(root):
    for folder in ("include/imago", "mpi/include/imago"):
        for path in sorted((root / folder).glob("*.hpp")):
            text = path.read_text()
            for code in re.finditer(r"@code\n(.*?) *///? *@endcode", text, re.DOTALL):
                if path.name == "heffte.hpp":  # heFFTe's own tests compile it if heFFTe is
                                               # installed (tests/heffte)
                    continue
                body = re.sub(r"^ */// ?", "", code[1], flags=re.MULTILINE)
                apart = path.name in ("cuda.hpp", "mpi.hpp", "tune.hpp")  # not in imago.hpp
                includes = f"#include <imago/{path.name}>\n" if apart else ""
                line = text.count("\n", 0, code.start()) + 1
                yield markdown.Block(path.relative_to(root).as_posix(), line, "cpp", "given:",
                                     f"{includes}{SETTING}{{\n#line {line + 1}\n{body}}}\n")


def all_blocks(root):
    for page in markdown.pages(root):
        if page == "README.md" or page.startswith("docs/"):
            yield from (b for b in markdown.read(root, page)[0] if b.language in LANGUAGES)


def taken(root, language):
    return [b for b in all_blocks(root)
            if b.language == language and not b.mark.startswith(("from ", "not run: "))]


def check(root):
    """Yields one line for each block that is neither compiled nor run."""
    for block in all_blocks(root):
        kind, _, rest = block.mark.partition(":")
        if block.mark.startswith("from "):
            if not (root / block.mark[5:]).is_file():
                yield f"{block.place}: there is no {block.mark[5:]}"
        elif kind == "not run":
            if len(rest) < 11:
                yield f"{block.place}: why is it not run?"
        elif block.language == "cpp" and kind != "given" and not MAIN.search(block.text):
            yield f"{block.place}: statements need <!-- given: PARAMETERS --> before them"
        elif block.language == "python" and ">>>" in block.text and not block.page.startswith("docs/"):
            yield f"{block.place}: examples with >>> run in docs alone"


def compiled(root):
    """One source of all C++ blocks; `main` runs the whole programs."""
    text, mains = ["// Made by tools/pages.sh: the code of the pages.\n#include <imago/imago.hpp>\n"], []
    for number, block in enumerate([*taken(root, "cpp"), *of_headers(root)]):
        includes = INCLUDE.findall(block.text)
        body = INCLUDE.sub("", block.text)
        guards = [f"__has_include({i.split()[1]})" for i in includes if "/imago.hpp" not in i]
        text.append(f"\n#if {' && '.join(guards) or 1}\n")
        text += includes
        text.append(f"namespace block_{number} {{\n")
        where = f'#line {block.line + 1 + len(includes)} "{block.page}"\n'
        if block.mark.startswith("given"):
            given = block.mark.partition(":")[2].strip()
            text.append(f"void run({HANDLES}{', ' if given else ''}{given}) {{\n{where}{body}}}\n")
        else:
            ended = re.sub(r"\n}\s*\Z", "\n  return 0;\n}\n", body)  # only main may end without
                                                                     # return
            text.append(where + MAIN.sub("int program()", ended))
            mains.append(f"block_{number}::program()")
        text.append(f"}}  // namespace block_{number}\n#endif\n")
    calls = "".join(f"  if ({call} != 0) return 1;\n" for call in mains)
    return "".join(text) + f"\nint main() {{\n{calls}  return 0;\n}}\n"


def run_python(root):
    """Runs the blocks without >>>; doctest runs the others."""
    spaces = {}
    for block in taken(root, "python"):
        if ">>>" not in block.text:
            print(block.place, flush=True)
            code = compile("\n" * block.line + block.text, block.page, "exec")
            exec(code, spaces.setdefault(block.page, {}))


def run_sh(root, programs):
    """Runs each page's sh blocks as one script, with imago's programs, in a folder of its own."""
    scripts = {}
    for block in taken(root, "sh"):
        scripts.setdefault(block.page, []).append(block.text)
    for page, texts in scripts.items():
        with tempfile.TemporaryDirectory() as folder:
            print(page, flush=True)
            environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}",
                           "IMAGO_PROFILE_DIR": folder, "ROOT": str(root)}
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", "".join(texts)], cwd=folder,
                                  env=environment, check=False)
            if done.returncode:
                raise SystemExit(f"{page}: a command failed with status {done.returncode}")
