"""Whose is what in an archive: hand-in zips of the kit, a folder a learner, a Moodle download."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime

from attnkit.handin import ASSIGNMENT, MANIFEST

from grader.collecting.archives import Entry, entries
from grader.collecting.contents import (
    MOST_BYTES,
    NO_NOTEBOOK,
    HandIn,
    IsNotebook,
    Left,
    attempt,
)
from grader.collecting.statements import is_to_come, stated_in
from grader.intake.plainfiles import Refused
from grader.room.learners import Learner

PUT = "in no learner's folder; use one named by the learner's id"
MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<participant>[0-9]+)_assignsubmission_(?:file|onlinetext)_?(?P<rest>.*)",
    re.DOTALL,
)


def hand_ins(
    found: Sequence[Entry],
    is_notebook: IsNotebook,
    origin: str,
    *,
    assignments: Collection[str] = (ASSIGNMENT,),
    nested: bool = False,
) -> Iterator[HandIn | Left]:
    """Yield each attempt in `found`, and each thing that is no part of one.

    Folders named like one of `assignments` stand inside a learner's folder. What breaks on the
    work of one learner is told of this one; the others go on.
    """
    name, wrapped = origin.rpartition("/")[-1], found
    found = _without_wrapper(found, assignments)
    around = (name,) if found is wrapped else (name, wrapped[0].parts[0])
    learner = stated_in([one for one in found if one.parts == (MANIFEST,)]).learner
    is_a_zip_of_ours = nested or name.startswith(ASSIGNMENT)
    if learner and (is_a_zip_of_ours or not _are_several(found, is_notebook)):
        whole = attempt(Learner(learner), found, is_notebook, origin, around)
        yield from _guarded(whole, origin, learner)
        return
    groups: dict[Learner | None, list[Entry]] = {}
    for entry in found:
        groups.setdefault(_owner(entry, assignments), []).append(_inside(entry))
    nobodys = groups.pop(None, [])
    loose = [entry for entry in nobodys if is_notebook(entry.name) and not _is_zip(entry)]
    if len(loose) > 1:  # a learner's own folder, perhaps with the kit in it
        groups.pop(Learner("attnkit"), None)
        nobodys = [entry for entry in nobodys if _is_zip(entry)]
        yield Left(origin, f"{len(loose)} notebooks lie {PUT}")
    for entry in nobodys:
        inside = f"{origin}/{entry.name}"
        opened = _of_nobody(entry, is_notebook, inside, assignments, nested)
        yield from _guarded(opened, inside)
    for owner, group in groups.items():
        if owner:
            inside = f"{origin}/{owner.name or owner.id}"
            ours = _of_one(owner, group, is_notebook, inside)
            if not owner.participant:
                ours = _by_folder(ours, origin, around if nested else ())
            yield from _guarded(ours, inside, owner.id)


def _are_several(found: Sequence[Entry], is_notebook: IsNotebook) -> bool:
    """Return whether these are folders of several learners: no manifest speaks for all of them."""
    folders = {one.parts[0] for one in found if len(one.parts) > 1 and is_notebook(one.name)}
    return len(folders) > 1 or any(map(MOODLE.fullmatch, folders))


def _by_folder(
    found: Iterator[HandIn | Left], container: str, around: tuple[str, ...]
) -> Iterator[HandIn | Left]:
    """Yield what is `found`; note that a folder's name alone says whose it is."""
    for one in found:
        if isinstance(one, Left):
            yield one
        else:
            yield one._replace(around=(*one.around, *around), container=container)


def _guarded(found: Iterator[HandIn | Left], origin: str, who: str = "") -> Iterator[HandIn | Left]:
    """Yield what is `found`; an error that nobody foresaw is a line about `origin`."""
    try:
        yield from found
    except Exception as fault:
        yield Left(origin, f"the grader failed with {fault!r}; look at it by hand", None, who)


def _without_wrapper(found: Sequence[Entry], assignments: Collection[str]) -> Sequence[Entry]:
    """Return `found` without a folder that only stands around all of it."""
    tops = {entry.parts[0] for entry in found}
    inner = [entry._replace(parts=entry.parts[1:]) for entry in found if len(entry.parts) > 1]
    if len(tops) > 1 or len(inner) < len(found) or MOODLE.fullmatch(min(tops, default="")):
        return found
    return inner if _are_learners([entry.parts for entry in inner], assignments) else found


def _are_learners(paths: Sequence[tuple[str, ...]], assignments: Collection[str]) -> bool:
    """Return whether these paths begin with learners, rather than being the work of one."""
    if any(MOODLE.fullmatch(path[0]) or path == (MANIFEST,) for path in paths):
        return True
    files = [path[0] for path in paths if len(path) == 1]
    if files:
        return len(files) == len(paths) and all(name.startswith(ASSIGNMENT) for name in files)
    folders = {path[0] for path in paths}
    if folders & set(assignments):
        return False
    return len(folders) > 1 or any(path[1] in assignments for path in paths)


def _owner(entry: Entry, assignments: Collection[str]) -> Learner | None:
    """Return whose `entry` is by the folder it stands in, None where it stands in none."""
    top = entry.parts[0]
    if moodle := MOODLE.fullmatch(top):
        name, participant = moodle["name"], moodle["participant"]
        return Learner(f"{name.replace(' ', '-')}_{participant}", name, participant)
    is_learners = len(entry.parts) > 1 and _plain(top) not in {ASSIGNMENT, *assignments}
    return Learner(top) if is_learners else None


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.lower())


def _inside(entry: Entry) -> Entry:
    """Return `entry` with its path inside the learner's folder."""
    moodle = MOODLE.fullmatch(entry.parts[0])
    first = (moodle["rest"],) if moodle and moodle["rest"] else ()
    return entry._replace(parts=(*first, *entry.parts[1:]) or entry.parts)


def _of_nobody(
    entry: Entry,
    is_notebook: IsNotebook,
    origin: str,
    assignments: Collection[str],
    nested: bool,
) -> Iterator[HandIn | Left]:
    """Look into a zip; any other file that stands in no folder has no owner."""
    content: bytes | None = None
    try:
        content = entry.read()
        if not _is_zip(entry):
            raise Refused(f"is {PUT}")
        if nested:
            raise Refused("is a zip in a zip without a learner's folder; unpack the outer one")
        inner = _unpacked(content, MOST_BYTES)
    except Refused as refusal:
        yield Left(origin, str(refusal), content)
        return
    yield from hand_ins(inner, is_notebook, origin, assignments=assignments, nested=True)


def _is_zip(entry: Entry) -> bool:
    return entry.name.lower().endswith(".zip")


def _of_one(
    owner: Learner, group: Sequence[Entry], is_notebook: IsNotebook, origin: str
) -> Iterator[HandIn | Left]:
    """Yield the attempts in one learner's folder, the latest last; all loose files are one."""
    found = [*_in_folder(owner, group, is_notebook, origin)]
    attempts = sorted((one for one in found if isinstance(one, HandIn)), key=_made)
    left = [one for one in found if isinstance(one, Left)]
    beside = [one for one in left if attempts and one.reason == NO_NOTEBOOK]
    yield from (one for one in left if one not in beside)
    if attempts:
        names = (one.origin.rpartition("/")[-1] for one in beside)
        attempts[-1] = attempts[-1]._replace(left_out=(*attempts[-1].left_out, *names))
    yield from attempts


def _made(one: HandIn) -> tuple[bool, float]:
    """Return what attempts are ordered by: a time that is still to come proves nothing."""
    time = one.when or one.saved
    stamp = time.timestamp() if time else 0.0
    is_ahead = stamp > datetime.now(UTC).timestamp()
    return is_to_come(one.when), 0.0 if is_ahead else stamp


def _in_folder(
    owner: Learner, group: Sequence[Entry], is_notebook: IsNotebook, origin: str
) -> Iterator[HandIn | Left]:
    """Yield what one learner's folder holds: each zip is an attempt, all loose files are one."""
    around: tuple[str, ...] = ()
    stated = stated_in([one for one in group if one.parts == (MANIFEST,)]).learner
    if stated and owner.id.startswith(ASSIGNMENT):
        owner, around = Learner(stated), (owner.id,)
    loose = [entry for entry in group if not _is_zip(entry)]
    if loose:
        yield from attempt(owner, loose, is_notebook, origin, around)
    room = MOST_BYTES
    for packed in (entry for entry in group if _is_zip(entry)):
        content: bytes | None = None
        try:
            content = packed.read()
            inner = _unpacked(content, room)
        except Refused as refusal:
            yield Left(f"{origin}/{packed.name}", str(refusal), content, owner.id)
        else:
            room -= sum(entry.size for entry in inner)
            yield from attempt(
                owner, inner, is_notebook, f"{origin}/{packed.name}", (*around, packed.name)
            )


def _unpacked(content: bytes, room: int) -> list[Entry]:
    """Return what a learner's zip holds; all of it together must fit into `room` bytes."""
    found = list(entries(content))
    size = sum(entry.size for entry in found)
    if size > room:
        raise Refused(
            f"would unpack to {size / 2**20:.0f} MB; a learner's zips may hold "
            f"{MOST_BYTES / 2**20:.0f} MB together: look at it by hand"
        )
    return found
