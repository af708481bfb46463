"""`python -m imago` is the imago command."""

from ._command import main

main()
