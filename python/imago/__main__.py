"""Runs the imago command: `python -m imago`."""

from ._command import main

main()
