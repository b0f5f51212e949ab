"""Whose is it? Where the names around a hand-in disagree, nothing is replaced: a person is asked.

A learning management system knows who handed in; a manifest and the name of a zip are what a
learner typed, and anybody can type another's id.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePosixPath

from attnkit.handin import ASSIGNMENT

from grader.collecting.contents import HandIn
from grader.intake.plainfiles import shown
from grader.room.filenames import folder_name
from grader.room.learners import Learner

# What the kit adds to the name of a second zip, a browser to that of a second download.
AGAIN = r"(_[0-9]+|_cop(y|ie|ia)|_kopie)*_?"
ASK = "ask who made it, and put the notebooks alone into a folder named by that learner's id"


def containers(claims: Iterable[tuple[Learner, str]]) -> dict[str, set[str]]:
    """Return by id the archives in which a folder of that name stands.

    `claims` are the learner and the container of each hand-in.
    """
    found: dict[str, set[str]] = {}
    for learner, container in claims:
        found.setdefault(learner.id, set()).update({container} - {""})
    return found


def doubt(attempt: HandIn, places: Mapping[str, set[str]], known: Collection[str]) -> str:
    """Return why a person must say whose `attempt` is, "" where all names agree.

    `places` are the `containers` of all that came in the same archive, `known` the ids of the
    class's learners, each as `plain` gives it.
    """
    who = attempt.learner
    if who.participant:
        return ""
    said = [f'its hand-in.json says "{shown(one)}"' for one in sorted(attempt.stated)
            if plain(one) != plain(who.id)]  # fmt: skip
    said += [f'it came as "{shown(name)}"' for name in attempt.around
             if _names_another(name, who.id, known)]  # fmt: skip
    if said:
        return f'this may be of "{shown(who.id)}", but {" and ".join(said)}: {ASK}'
    if attempt.container and len(places[who.id]) > 1:
        found = " and ".join(map(shown, sorted(places[who.id])[:2]))
        return f'{found} each have a folder "{shown(who.id)}", perhaps of different people: {ASK}'
    return ""


def _names_another(name: str, learner: str, known: Collection[str]) -> bool:
    """Return whether a zip's or folder's name says that it is of somebody else than `learner`."""
    stem = plain(PurePosixPath(name).stem if name.lower().endswith(".zip") else name)
    wanted = {plain(learner), plain(folder_name(learner))}
    claimed = stem.removeprefix(f"{plain(ASSIGNMENT)}_")
    is_ours = any(re.fullmatch(re.escape(one) + AGAIN, claimed) for one in wanted)
    return not is_ours and (claimed != stem or stem in known)


def plain(name: str) -> str:
    """Return `name` in letters and digits: what is typed as "Ada B" may be the id ada-b."""
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")
