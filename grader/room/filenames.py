"""A file name for every learner's id, of any script and length, and the way back.

It is the kit's scheme (`attnkit.handin.file_name`): an odd character becomes ~ and its bytes in
UTF-8. Beyond `MOST` characters the name ends in a hash, which cannot be read back: whoever makes
such a name records the id beside it, as `collect` does in `.grader/learners.json`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from attnkit import handin

MOST = 150  # of 255: there must be room for an ending, a number, or a scratch file's dots
HEAD = 120
# What Windows takes for a device, or strips: a class folder may lie on a shared drive.
ODD = re.compile(rf"{handin.ODD.pattern}|\.$|^(?i:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)")


def folder_name(student: str) -> str:
    """Return a name of 1 to 150 ASCII characters for a file or folder; no two ids share one.

    >>> folder_name("Zoë")
    'Zo~C3~AB'
    """
    name = ODD.sub(lambda odd: "".join(map("~{:02X}".format, _bytes(odd[0]))), student)
    if 0 < len(name) <= MOST:
        return name
    whole_characters = re.sub("~[0-9A-F]?$", "", name[:HEAD])
    # no id that is written out has an h after a ~, so none shares a name with a hashed one
    return f"{whole_characters}~h{hashlib.sha256(_bytes(student)).hexdigest()[:16]}"


def student_of(name: str, recorded: Mapping[str, str]) -> str:
    """Return the id that `folder_name` made `name` of; `name` itself where it made it of none.

    `recorded` has ids by their file names, at least those that were hashed.
    """
    return recorded.get(name) or handin.learner_of(name)


def fitted(file: str, most: int = 180) -> str:
    """Return a file's own name in at most `most` bytes: a hash stands for what is cut in front."""
    whole = file.encode("utf-8", "replace")
    if len(whole) <= most:
        return file
    end = whole[17 - most :].decode("utf-8", "ignore")
    return f"{hashlib.sha256(whole).hexdigest()[:16]}~{end}"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
