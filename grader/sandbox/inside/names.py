"""What each name of a notebook has stood for: names are used again, and a function keeps its own.

`causal_mask = causal_mask(5)` in a later cell leaves the function what it was, and so does
`T = 7` where the function reads a `T` that was 3 when it was written.
"""

from __future__ import annotations

import builtins
import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any

from .idle import Absent, Idle

GONE: Any = object()
Bound = tuple[int, Any]  # the step at which a name was given a value, and the value


class Names:
    """The history of a notebook's names, told in steps: one for each statement."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._names, self._seen = namespace, dict(namespace)
        self._step = 0
        self._past: dict[str, list[Bound]] = {name: [(0, one)] for name, one in self._seen.items()}
        self.written_inside: set[str] = set()  # names that functions change by `global`

    def note(self) -> None:
        """Write down what changed since the last time."""
        self._step += 1
        now = dict(self._names)
        changed = {name: one for name, one in now.items() if self._seen.get(name, GONE) is not one}
        changed |= dict.fromkeys(self._seen.keys() - now.keys(), GONE)
        for name, one in changed.items():
            self._past.setdefault(name, []).append((self._step, one))
        self._seen = now

    @contextlib.contextmanager
    def not_lost_to(self, is_nothing: Callable[[Any], bool]) -> Iterator[None]:
        """Keep what a name stands for where it would be bound to nothing of use meanwhile."""
        kept = dict(self._names)
        try:
            yield
        finally:
            lost = {name for name, one in self._names.items() if is_nothing(one)}
            _bind(self._names, {name: kept[name] for name in lost & kept.keys()})

    def definition(self, name: str) -> Any:
        """Return the last function or class of this name, else its value; `KeyError` if none."""
        found = _last_definition(self._past.get(name, []))
        if found is not None:
            return found[1]
        return self._names[name]

    @contextlib.contextmanager
    def as_written(self, name: str) -> Iterator[None]:
        """Give all names meanwhile what they stood for where the function `name` was written."""
        changes = self._changes(name)
        kept = {one: self._names.get(one, GONE) for one in changes}
        _bind(self._names, changes)
        try:
            yield
        finally:
            _bind(self._names, kept)

    def _changes(self, name: str) -> dict[str, Any]:
        found = _last_definition(self._past.get(name, []))
        if found is None:
            return {}
        wanted = {
            one: _meant(one, past, found[0])
            for one, past in self._past.items()
            if past[-1][0] > found[0] and one not in self.written_inside
        }
        return {one: v for one, v in wanted.items() if v is not self._past[one][-1][1]}


def _bind(names: dict[str, Any], values: dict[str, Any]) -> None:
    for name, value in values.items():
        if value is GONE:
            names.pop(name, None)
        else:
            names[name] = value


def _meant(name: str, past: list[Bound], step: int) -> Any:
    """Return what a function that was written at `step` means by `name`.

    A function or class of the learner's own may be mended, or follow, further down. Anything else
    is what it was; what was not there yet is what it was first.
    """
    before = [one for at, one in past if at <= step]
    own = _last_definition([bound for bound in past if _is_own(bound[1])])
    later = own[1] if own and own[0] > step else GONE
    if before and before[-1] is not GONE:
        return later if later is not GONE and _is_own(before[-1]) else before[-1]
    if later is not GONE or hasattr(builtins, name):
        return later
    found = _last_definition(past)
    return found[1] if found else next(one for at, one in past if at > step and one is not GONE)


def _last_definition(past: list[Bound]) -> Bound | None:
    """Return the last function, class or module; a layer is what its class before it makes."""
    found: Bound | None = None
    for step, one in past:
        is_layer = found is not None and type(one) is found[1] and hasattr(one, "forward")
        if _defines(one) and not is_layer:
            found = step, one
    return found


def _defines(one: Any) -> bool:
    if isinstance(one, Idle | Absent) or one is GONE:
        return False
    return isinstance(one, types.ModuleType) or callable(one)


def _is_own(one: Any) -> bool:
    is_written = isinstance(one, types.FunctionType | type)
    return is_written and getattr(one, "__module__", None) == "__main__"
