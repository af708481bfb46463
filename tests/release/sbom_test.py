"""sbom_test.py SOURCES: checks tools/release/sbom.py: what CMake, pip and SPDX need is listed."""
import json
import pathlib
import re
import sys
import tomllib

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tools/release"))
import sbom  # noqa: E402

LOOKED_FOR = re.compile(r"\b(?:find_package|find_path|find_library)\(\s*(?:\w+_(?:DIR|DIRS|LIBRARY|FILTER)\s+)?([\w./+-]+)")
# Parts of the compiler or of imago, and names that are lists.
OURS = {"Threads", "imago"}
# pyproject.toml: drivers and tests that no part of imago uses at run time.
TOOLS = {"pocl-binary-distribution", "pytest", "hypothesis"}


def looked_for():
    for path in [*root.rglob("CMakeLists.txt"), *root.rglob("cmake/*.cmake")]:
        parts = path.relative_to(root).parts
        if parts[0] not in ("build", "shared") and parts[:2] not in (("tests", "consumer"), ("tools", "recipes")):
            for name in LOOKED_FOR.findall(path.read_text()):
                yield name, "/".join(parts)


def main():
    document = json.loads(json.dumps(sbom.document("0" * 40, 0, "1.0")))
    found = {word for entry in sbom.DEPENDENCIES for word in entry[5]} | OURS
    faults = [f"{path} looks for {name}, which tools/release/sbom.py does not list"
              for name, path in looked_for() if name not in found]
    names = {entry["name"] for entry in document["packages"]}
    project = tomllib.loads((root / "pyproject.toml").read_text())
    python = project["build-system"]["requires"] + project["project"]["dependencies"]
    python = [re.match(r"[\w-]+", text)[0] for text in python + sum(project["project"]["optional-dependencies"].values(), [])]
    faults += [f"pyproject.toml requires {name}, which tools/release/sbom.py does not list"
               for name in python if name not in names | TOOLS]
    identifiers = [entry["SPDXID"] for entry in document["packages"]] + ["SPDXRef-DOCUMENT"]
    if len(set(identifiers)) != len(identifiers):
        faults.append("two packages have one identifier")
    for relation in document["relationships"]:
        for end in (relation["spdxElementId"], relation["relatedSpdxElement"]):
            if end not in identifiers:
                faults.append(f"a relationship names {end}, which is no package")
    print(*faults, f"{len(names)} packages, {len(faults)} faults", sep="\n")
    return bool(faults)


sys.exit(main())
