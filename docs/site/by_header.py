"""by_header.py FOLDER: makes Doxygen's XML what Breathe shows well: public members, header by header.

Breathe shows a header with its namespaces, which it then declares anew for each header; without
them it misses functions, enumerations and types. So they become members of the header itself.
"""
import pathlib
import sys
import xml.etree.ElementTree as xml

folder = pathlib.Path(sys.argv[1])
headers = {}
for path in [*folder.glob("*_8hpp.xml"), *folder.glob("*_8h.xml")]:
    tree = xml.parse(path)
    compound = tree.find("compounddef")
    headers[compound.find("location").get("file")] = path, tree, compound
    for inner in compound.findall("innernamespace"):
        compound.remove(inner)
for path in folder.glob("namespace*.xml"):
    for section in xml.parse(path).iter("sectiondef"):
        for member in section.findall("memberdef"):
            at = headers[member.find("location").get("file")][2]
            kind = section.get("kind")
            home = next((s for s in at.findall("sectiondef") if s.get("kind") == kind), None)
            if home is None:
                home = xml.Element("sectiondef", kind=kind)
                at.insert(list(at).index(at.find("briefdescription")), home)
            member.find("name").text = member.findtext("qualifiedname")
            home.append(member)
for path in [*folder.glob("class*.xml"), *folder.glob("struct*.xml")]:
    tree = xml.parse(path)
    compound = tree.find("compounddef")
    for section in compound.findall("sectiondef"):
        if section.get("kind").startswith("private") or section.get("kind") == "friend":
            compound.remove(section)
    tree.write(path, encoding="unicode")
for path, tree, _ in headers.values():
    tree.write(path, encoding="unicode")
