"""This file is tools/pages.sh. It lists the subcommands."""
import argparse
import pathlib
import sys

import blocks
import claims
import commands
import links
import messages
import show

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="pages.sh", description="Holds the pages to what is there.")
    words = parser.add_subparsers(dest="word", required=True)
    word = words.add_parser("show", help="put code and output of programs into the pages")
    word.add_argument("--check", action="store_true", help="change nothing; fail where something would be")
    word.add_argument("programs", type=pathlib.Path, help="folder of the built programs")
    word = words.add_parser("links", help="check where links lead, and that each page and header is listed")
    word.add_argument("--http", action="store_true", help="ask servers, too")
    words.add_parser("blocks", help="check that each block of code is compiled, run or marked")
    words.add_parser("claims", help="check that pages do not contradict each other")
    words.add_parser("messages", help="check that docs/troubleshooting.md explains each message")
    word = words.add_parser("cpp", help="write the C++ blocks as one source")
    word.add_argument("output", type=pathlib.Path)
    words.add_parser("python", help="run the python blocks")
    word = words.add_parser("sh", help="run the sh blocks")
    word.add_argument("programs", type=pathlib.Path, help="folder of the imago command")
    word = words.add_parser("commands", help="check commands and scripts that the pages name")
    word.add_argument("programs", type=pathlib.Path, help="folder of the imago command")
    return parser.parse_args()


def main():
    given = arguments()
    found = []
    if given.word == "show":
        found = list(show.run(ROOT, given.programs.resolve(), given.check))
    elif given.word == "links":
        found = [*links.check(ROOT, given.http), *links.unnamed(ROOT)]
    elif given.word == "blocks":
        found = list(blocks.check(ROOT))
    elif given.word == "claims":
        found = list(claims.check(ROOT))
    elif given.word == "messages":
        found = list(messages.check(ROOT))
    elif given.word == "commands":
        found = list(commands.check(ROOT, given.programs.resolve() / "imago"))
    elif given.word == "cpp":
        given.output.write_text(blocks.compiled(ROOT))
    elif given.word == "python":
        blocks.run_python(ROOT)
    else:
        blocks.run_sh(ROOT, given.programs.resolve())
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
