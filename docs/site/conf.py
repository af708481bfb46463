"""This file configures the site of tools/docs.sh. Its sources have the repository's layout."""

import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ["IMAGO_ROOT"])
sys.path.insert(0, str(root / "python"))

project, author = "imago", "the authors of imago"
copyright = "the authors of imago, Apache License 2.0"
release = re.search(r"project\(imago\s+VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())[1]
version = ".".join(release.split(".")[:2])

extensions = ["breathe", "myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/index"
exclude_patterns = ["docs/site"]
breathe_projects = {"imago": os.environ["DOXYGEN_OUTPUT"] + "/xml"}
breathe_default_project = "imago"
breathe_show_include = False
myst_heading_anchors = 4
# html_image: <img> with a width, as GitHub shows it.
myst_enable_extensions = ["deflist", "html_image"]
suppress_warnings = ["myst.header"]

autodoc_mock_imports = ["imago._core", "scipy", "pyopencl", "mpi4py", "mpi4py_fft"]
autodoc_type_aliases = {name: name for name in ("ArrayLike", "DTypeLike", "Hook", "Norm")}
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}

html_theme = "furo"
pygments_style = "default"  # the theme's own style has pale names in BibTeX
html_domain_indices = False  # one module, which the reference names
html_title = f"imago {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/icon.svg"
html_extra_path = [os.environ["SITE_FRONT"]]  # index.html, which leads to the front page
html_show_sphinx = False


def prepare_docstring(app, what, name, obj, options, lines):
    """Converts the package's docstrings, plain text with `code`, to reStructuredText.

    A public name without a text is a warning, so tools/docs.sh fails.
    """
    lines[:] = [re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", re.sub(r"([|*])", r"\\\1", line))
                if not line.lstrip().startswith(">>>") else line for line in lines]
    if not any(line.strip() for line in lines) and name.startswith("imago"):
        from sphinx.util import logging

        logging.getLogger(__name__).warning("%s has no docstring", name)


def shorten_signature(app, what, name, obj, options, signature, returned):
    """Replaces the unions that Sphinx writes out by the package's names for them."""
    for long, short in ((r"imago\.hooks\.\w+( \| imago\.hooks\.\w+)+", "Hook"),
                        (r"~?collections\.abc\.", ""), (r"~?imago\._\w+\.", ""),
                        (r"<class '([\w.]+)'>", r"\1"),
                        (r"Layout\([^)]*\(\)[^)]*\)", "Layout()"),
                        (r"ndarray\[Any, dtype\[Any\]\]", "ndarray")):
        signature, returned = (text and re.sub(long, short, text) for text in (signature, returned))
    return signature, returned


def setup(app):
    app.connect("autodoc-process-signature", shorten_signature)
    app.connect("autodoc-process-docstring", prepare_docstring)
