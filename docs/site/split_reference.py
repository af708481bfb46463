"""split_reference.py PAGE: gives each header of the C++ reference a page of its own.

The page of the repository has all headers, with a directive of Breathe for each. As one page it has
more than a megabyte of HTML. Here each directive becomes a page `cpp/NAME.md`, and a link to it.
"""
import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1])
text = page.read_text()
folder = page.with_suffix("")
folder.mkdir()
section, lines, names = "", [], []
for line in text.splitlines():
    if line.startswith("## "):
        section = line.removeprefix("## ")
    if not (found := re.fullmatch(r"```{doxygenfile} (\S+)", line)):
        lines.append(line)
        continue
    header = found[1]
    name = header.replace(".", "-")  # imago.hpp and imago.h
    anchor = re.sub(r"[^\w -]", "", section.lower()).replace(" ", "-")
    home = "mpi/include" if header == "mpi.hpp" else "include"
    (folder / f"{name}.md").write_text(
        f"# {header}\n\n[Reference: C++](../cpp.md#{anchor}), \"{section}\".\n"
        f"The header: [{header}](../../../{home}/imago/{header}).\n\n```{{doxygenfile}} {header}\n```\n")
    names.append(name)
    lines.append(f"- All names of [{header}](cpp/{name}.md)")
# The ends of the directives, and empty lines between two entries of a list.
text = re.sub(r"(- All names of .*)\n```\n", r"\1\n", "\n".join(lines) + "\n")
text = re.sub(r"(- All names of .*\n)\n(?=- All names)", r"\1", text)
tree = "\n".join(f"cpp/{name}" for name in sorted(names))
page.write_text(f"{text}\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n")
