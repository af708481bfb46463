"""This file parses submitted files: the result is a submission, or one line with the reason."""
import hashlib
import json
import math
import os
import pathlib
import re
import stat

import jsonschema

import arithmetic

MOST_BYTES = 1 << 20  # limit of a file; the largest suites with all libraries need a third of it
MOST_DIGITS = 20  # limit of an integer
MOST_SAID = 160  # characters of a file that a message quotes
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.json")
SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "bench/submission.schema.json"
# Control characters, and characters that change the text direction or are invisible.
UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


class Refused(Exception):
    """A file that is no submission, or that has contradictory figures."""


def quoted(value):
    """A part of a file, for a message on a terminal."""
    text = ascii(value)
    return text if len(text) <= MOST_SAID else text[:MOST_SAID] + ".."


def bytes_of(path):
    try:
        # Does not follow links, and does not wait for the other end of a pipe.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Refused(f"cannot be opened as a file of its own: {error.strerror}") from None
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise Refused("is no regular file")
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise Refused(f"has more than {MOST_BYTES} bytes, and no submission has")
    return content


def whole(digits):
    if len(digits) > MOST_DIGITS:
        raise Refused(f"has a number of {len(digits)} digits")
    return int(digits)


def fraction(digits):
    value = float(digits)
    if not math.isfinite(value):
        raise Refused(f"has the number {quoted(digits)}, which is not finite")
    return value


def constant(word):
    raise Refused(f"has {word} for a number")


def members(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Refused(f"has the member {quoted(twice)} twice in one object")
    for name, value in pairs:
        if isinstance(value, str) and UNSEEN.search(value):
            raise Refused(f"has a character in {quoted(name)} that cannot be seen: {quoted(value)}")
    return found


def parsed(content):
    try:
        return json.loads(content.decode("utf-8"), parse_int=whole, parse_float=fraction,
                          parse_constant=constant, object_pairs_hook=members)
    except UnicodeDecodeError as error:
        raise Refused(f"is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Refused(f"is damaged: {error.msg} in line {error.lineno}") from None
    except RecursionError:
        raise Refused("is nested too deeply") from None


def place(error):
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)[1:]


def require_schema(document):
    schema = json.loads(SCHEMA.read_text())
    validator = jsonschema.validators.validator_for(schema)(schema)
    # Reports only the first error, because there may be as many as bytes in the file.
    error = next(validator.iter_errors(document), None)
    if error is not None:
        error = jsonschema.exceptions.best_match([error])
        raise Refused(f"is no submission: {place(error) or 'the document'}: {error.message[:MOST_SAID]!a}")


def read(path):
    """The submission in a file; throws Refused with the reason."""
    content = bytes_of(path)
    document = parsed(content)
    require_schema(document)
    wrong = next(arithmetic.complaints(document), None)
    if wrong:
        raise Refused(f"does not add up: {wrong}")
    return document


def digest(document):
    """Returns a hash of the figures that does not depend on a file's line ends and order."""
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def read_folder(folder):
    """Returns the submissions by file name, and a line for each file that is none."""
    found, wrong, known = {}, [], {}
    for path in sorted(folder.iterdir()):
        if path.suffix != ".json":
            continue
        name = path.name
        try:
            if not NAME.fullmatch(name):
                raise Refused("has a name of more than letters, digits, dots and hyphens")
            document = read(path)
            twin = known.setdefault(digest(document), name)
            if twin != name:
                raise Refused(f"holds the same as {twin}")
            found[name] = document
        except Refused as reason:
            wrong.append(f"{quoted(name)[1:-1]} {reason}")
    return found, wrong
