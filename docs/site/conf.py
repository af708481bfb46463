"""This file configures the site that tools/docs.sh builds; its sources are laid out as the repository is."""

import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ["IMAGO_ROOT"])
sys.path.insert(0, str(root / "python"))

project, author, copyright = "imago", "the authors of imago", "the authors of imago, Apache License 2.0"
release = re.search(r"project\(imago\s+VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())[1]
version = ".".join(release.split(".")[:2])

extensions = ["breathe", "myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/index"
exclude_patterns = ["docs/site"]
breathe_projects = {"imago": os.environ["DOXYGEN_OUTPUT"] + "/xml"}
breathe_default_project = "imago"
breathe_show_include = False
myst_heading_anchors = 4
myst_enable_extensions = ["deflist", "html_image"]  # html_image: <img> with a width, as GitHub shows it
suppress_warnings = ["myst.header"]

autodoc_mock_imports = ["imago._core", "scipy", "pyopencl", "mpi4py", "mpi4py_fft"]
autodoc_type_aliases = {name: name for name in ("ArrayLike", "DTypeLike", "Hook", "Norm")}
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}

html_theme = "furo"
html_title = f"imago {release}"
# The code of programs has lines of up to 100 columns, which fit so.
html_theme_options = {"light_css_variables": {"code-font-size": "73%"}}
html_extra_path = [os.environ["SITE_FRONT"]]  # index.html, which leads to the front page
html_show_sphinx = False


def prepare_docstring(app, what, name, obj, options, lines):
    """The package's docstrings are plain text with `code`, not reStructuredText.

    A public name without a text is a warning, and so an error of tools/docs.sh.
    """
    lines[:] = [re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", re.sub(r"([|*])", r"\\\1", line))
                if not line.lstrip().startswith(">>>") else line for line in lines]
    if not any(line.strip() for line in lines) and name.startswith("imago"):
        from sphinx.util import logging

        logging.getLogger(__name__).warning("%s has no docstring", name)


def shorten_signature(app, what, name, obj, options, signature, returned):
    """Sphinx writes unions out; the package has names for them."""
    for long, short in ((r"imago\.hooks\.\w+( \| imago\.hooks\.\w+)+", "Hook"), (r"~?collections\.abc\.", ""),
                        (r"~?imago\._\w+\.", ""), (r"<class '([\w.]+)'>", r"\1"), (r"Layout\([^)]*\(\)[^)]*\)", "Layout()"),
                        (r"ndarray\[Any, dtype\[Any\]\]", "ndarray")):
        signature, returned = (text and re.sub(long, short, text) for text in (signature, returned))
    return signature, returned


def setup(app):
    app.connect("autodoc-process-signature", shorten_signature)
    app.connect("autodoc-process-docstring", prepare_docstring)
