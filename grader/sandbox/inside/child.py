"""The learner's side of the pipes: runs cells, answers calls. Nothing that it says is believed.

The judge has it started once a learner. It imports what lessons need, then forks for each
lesson: the fork takes the inner wall before the first line of the learner's text runs.
It holds no check, no reference and no other lesson.
"""

from __future__ import annotations

import gc
import io
import json
import os
import select
import sys
import types
from collections.abc import Callable
from typing import Any

import attnkit
import numpy as np
from attnkit import Linear, Value

from . import confine, folder, idle, pieces, stage, wire
from .running import Runner
from .surroundings import Surroundings

Message = dict[str, Any]
MOST_SLIPS = 5  # that a reply tells of


def main() -> None:
    """Serve one lesson after the other until the judge closes the pipe."""
    settings = json.loads(sys.argv[1])
    requests, replies, status = os.dup(0), os.dup(1), os.dup(2)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nowhere, standard)
    folder.empty(settings["folder"])
    inner = confine.prepare(settings) if settings["inner"] else None
    shell = stage.shell(settings["folder"])
    os.dup2(nowhere, 2)  # until here the judge hears what went wrong
    gc.freeze()  # what is here stays, and is not copied for each lesson by being counted
    os.write(status, b"ready\n")
    while os.read(requests, 1) == b"L":
        folder.empty(settings["folder"])
        process = os.fork() if settings["forks"] else 0
        if process == 0:
            gc.enable()
            confine.take(settings, inner)
            os.write(status, b"begun\n")
            if settings["forks"]:
                os.close(status)  # what comes on it is never a learner's word
            os._exit(_lesson(settings, shell, requests, replies))
        ended = folder.watch(process, settings["folder"], settings["size"])
        _cleared(requests, replies)
        os.write(status, ended)
    os._exit(0)  # nothing is left to be tidied


def _cleared(requests: int, replies: int) -> None:
    """Leave the pipes to the next lesson as they were: waiting, and with nothing unread."""
    os.set_blocking(requests, True)
    os.set_blocking(replies, True)
    while select.select([requests], [], [], 0)[0] and os.read(requests, 65_536):
        pass


def _lesson(settings: Message, shell: Any, requests: int, replies: int) -> int:
    """Answer the judge's requests for one lesson; return the exit code."""
    out = Capped(settings["output"])
    sys.stdout = sys.stderr = out
    lesson = LessonProcess(shell, out)
    with os.fdopen(requests, "rb", buffering=0, closefd=False) as pipe:
        while True:
            request = wire.unpack(_line(pipe), lambda n: _exactly(pipe, n))
            if request["do"] == "end":
                return 0
            _send(replies, {"token": request["token"], **lesson.answer(request)})


class Capped(io.TextIOBase):
    """A text file that keeps the first `most` characters."""

    def __init__(self, most: int) -> None:
        self._most, self._kept = most, 0
        self._parts: list[str] = []

    def write(self, text: str) -> int:
        """Keep what still fits of `text`."""
        fits = text[: self._most - self._kept]
        if fits:
            self._parts.append(fits)
            self._kept += len(fits)
        return len(text)

    def take(self) -> str:
        """Return what was written since the last time."""
        text = "".join(self._parts)
        self._parts, self._kept = [], 0
        return text


class LessonProcess:
    """What the judge may ask of one lesson: run a cell, build an object, call a piece."""

    def __init__(self, shell: Any, out: Capped) -> None:
        self._out = out
        self._runner, self._surroundings = Runner(shell), Surroundings(out)
        self._built: dict[int, tuple[Any, tuple[Any, ...]]] = {}

    def answer(self, request: Message) -> Message:
        """Return the reply to one request; whatever the learner's code raises becomes a reply."""
        do: Callable[[Message], Message] = getattr(self, f"_{request['do']}")
        try:
            return do(request)
        except BaseException as error:
            return {"error": type(error).__name__[:80], "text": _text_of(error)}
        finally:
            self._out.take()

    def _offer(self, request: Message) -> Message:
        """Make `attnkit.mine` offer known-good versions."""
        mine = types.ModuleType("attnkit.mine")
        vars(mine).update(np=np, Value=Value, Linear=Linear)
        exec(_text(request["source"]), vars(mine))
        sys.modules["attnkit.mine"] = attnkit.mine = mine
        return {}

    def _run(self, request: Message) -> Message:
        source, seconds, whole = _text(request["source"]), request["seconds"], request["whole"]
        ran = self._runner.run(source, seconds, whole)
        self._surroundings.mend()
        slips = [list(one) for one in ran.slips[:MOST_SLIPS]]
        return {"slips": slips, "cut": ran.cut, "output": _bytes(self._out.take())}

    def _call(self, request: Message) -> Message:
        """Call the function, or build the class with parameters injected.

        Where it wants a package that is missing it is asked again with that package's name.
        """
        with self._surroundings.restored(), self._runner.names.as_written(request["name"]):
            try:
                return self._called(request)
            except ModuleNotFoundError:
                with idle.missing_packages():
                    return self._called(request)

    def _called(self, request: Message) -> Message:
        options = request["options"]
        built = self._built.get(request["built"])
        function, parameters = built or (self._named(request["name"]), ())
        if not callable(function):
            raise NoFunction
        if isinstance(function, type):
            made = pieces.inject(function, _arguments(request), options)
            injected = tuple(getattr(made, name).W for name in options)
            self._built[request["handle"]] = made.forward, injected
            return {"built": True}
        arguments, upstream = _arguments(request), request["upstream"]
        reply = pieces.call(function, arguments, options, upstream, parameters)
        return dict(reply._asdict())

    def _named(self, name: str) -> Any:
        try:
            return self._runner.names.definition(name)
        except KeyError:
            raise Missing from None


class Missing(Exception):  # noqa: N818
    """The learner's cells do not define the piece."""


class NoFunction(Exception):  # noqa: N818
    """The piece is something that cannot be called."""


def _arguments(request: Message) -> list[Any]:
    return [_argument(one) for one in request["arguments"]]


def _argument(one: Any) -> Any:
    if isinstance(one, dict):
        return pieces.Plain(one["plain"])
    return tuple(map(_argument, one)) if isinstance(one, list) else one


def _text_of(error: BaseException) -> str:
    try:
        return str(error)[:400]
    except BaseException:
        return ""


def _text(array: np.ndarray) -> str:
    return array.tobytes().decode()


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8", "replace"), np.uint8)


def _line(pipe: io.RawIOBase) -> bytes:
    line = pipe.readline(wire.LONGEST_LINE)
    if not line:
        os._exit(0)
    return line


def _exactly(pipe: io.RawIOBase, n: int) -> bytearray:
    data = bytearray(n)
    view = memoryview(data)
    while view:
        view = view[pipe.readinto(view) or os._exit(0) :]
    return data


def _send(replies: int, reply: Message) -> None:
    try:
        data = wire.pack(reply)
    except (TypeError, ValueError) as error:
        data = wire.pack({"token": reply["token"], "error": "TypeError", "text": str(error)[:400]})
    view = memoryview(data)
    while view:
        view = view[os.write(replies, view) :]
