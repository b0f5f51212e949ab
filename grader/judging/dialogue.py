"""The trusted end of the pipes: asks a learner's process and waits no longer than allowed."""

from __future__ import annotations

import math
import os
import re
import secrets
import select
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.checks import words
from grader.sandbox import walls
from grader.sandbox.inside import wire
from grader.sandbox.inside.pieces import Plain, Reply
from grader.sandbox.walls import Limits, Wall

GRACE, PARTING = 5.0, 1.0  # seconds to begin a lesson and to end it
LATE = "it took too long"
HOW = {
    "ended": "it was left, as by os._exit",
    "left": "it was left, as by os._exit",
    "signal 11": "it crashed, as by a recursion without end (signal 11)",
    "signal 24": "it used up its processor time (signal 24)",
    "its files took too much room": "its files took too much room",
}


class Breach(Exception):  # noqa: N818
    """The learner's process ended, was late, or said something that is no reply."""

    def __init__(self, state: str, message: str) -> None:
        super().__init__(message)
        self.state = state


class Infrastructure(Exception):  # noqa: N818
    """A process could not be started or ended; no learner's fault."""


class LearnerError(Exception):
    """The learner's code raised; `kind` names the exception's type, `piece` what was called.

    `given` tells the shapes of what it was called with, in our words.
    """

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind, self.piece, self.given = kind, "", ""


class Process:
    """One learner's process, from its start to its certain end."""

    def __init__(self, wall: Wall, limits: Limits) -> None:
        self.breach: Breach | None = None
        self._buffer = bytearray()
        self._news = b""  # what the process that forks said and nobody has read
        self._started = walls.start(wall, limits)
        self._requests, self._replies, self._status = self._started.pipes
        os.set_blocking(self._requests, False)
        try:
            self._expect(b"ready\n", limits.start)
        except Infrastructure:
            self.close()
            raise

    def begin(self) -> None:
        """Have the process fork for a new lesson; `Infrastructure` where it does not."""
        self._tell(b"L")
        self._expect(b"begun\n", GRACE)

    def end(self) -> None:
        """End the lesson; `Infrastructure` where its process does not vanish without a word."""
        self._tell(wire.pack({"do": "end"}))
        self._expect(b"ended\n", PARTING)
        if self._has_spoken():
            raise Infrastructure("the lesson left a reply behind")

    def close(self) -> None:
        """Kill the process with everything that it started."""
        self._started.close()

    def ask(self, message: wire.Message, deadline: float) -> wire.Message:
        """Return the reply to `message`; raise `Breach` where none comes in time."""
        if self.breach:
            raise self.breach
        try:
            reply = self._asked(message, deadline)
        except wire.Malformed as error:
            self.breach = Breach("died", f"the process gave no proper reply: {error}")
        except Breach as breach:
            self.breach = breach
        if self.breach:
            raise self.breach
        if "error" in reply:
            raise LearnerError(clean(reply["error"], 80), clean(reply.get("text"), 300))
        return reply

    def _asked(self, message: wire.Message, deadline: float) -> wire.Message:
        if self._has_spoken():
            raise wire.Malformed("it spoke without being asked")
        token = secrets.token_hex(8)
        self._write(wire.pack({**message, "token": token}), deadline)
        line = self._line(deadline)
        reply = wire.unpack(line, lambda n: self._exactly(n, deadline))
        said = reply.get("token")
        if self._buffer or not isinstance(said, str) or said != token:
            raise wire.Malformed("it answered something else than what was asked")
        return reply

    def _has_spoken(self) -> bool:
        return bool(self._buffer or select.select([self._replies], [], [], 0)[0])

    def _line(self, deadline: float) -> bytes:
        while (end := self._buffer.find(b"\n", 0, wire.LONGEST_LINE)) < 0:
            if len(self._buffer) >= wire.LONGEST_LINE:
                raise wire.Malformed("its line does not end")
            self._fill(deadline)
        return bytes(self._exactly(end + 1, deadline))

    def _exactly(self, n: int, deadline: float) -> bytearray:
        while len(self._buffer) < n:
            self._fill(deadline)
        data = self._buffer[:n]
        del self._buffer[:n]
        return data

    def _fill(self, deadline: float) -> None:
        self._wait(self._replies, select.POLLIN, deadline)
        data = os.read(self._replies, 65_536)
        if not data:
            raise Breach("died", "the process ended")
        self._buffer += data

    def _tell(self, data: bytes) -> None:
        try:
            self._write(data, time.monotonic() + GRACE)
        except Breach as breach:
            raise Infrastructure(str(breach)) from breach

    def _write(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            self._wait(self._requests, select.POLLOUT, deadline)
            try:
                view = view[os.write(self._requests, view) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise Breach("died", "the process ended") from None

    def _wait(self, pipe: int, event: int, deadline: float) -> None:
        """Return when `pipe` is ready; `Breach` at the deadline or where the process ends."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise Breach("timed out", LATE)
        poll = select.poll()
        poll.register(pipe, event)
        poll.register(self._status, select.POLLIN)
        ready = [one for one, _ in poll.poll(0 if self._news else math.ceil(left * 1000))]
        if pipe not in ready:
            raise self._ended() if ready or self._news else Breach("timed out", LATE)

    def _ended(self) -> Breach:
        news = self._news or os.read(self._status, 200)
        how = news.decode("ascii", "replace").strip()
        plain = how if re.fullmatch(r"signal \d{1,3}", how) else "no reason known"
        return Breach("died", f"the process ended: {HOW.get(how, plain)}")

    def _expect(self, word: bytes, seconds: float) -> None:
        """Wait for `word` from the process that forks, which no learner's code can speak for."""
        said, deadline = self._news, time.monotonic() + seconds
        while word not in said:
            left = max(0.0, deadline - time.monotonic())
            ready = select.select([self._status], [], [], left)[0]
            data = os.read(self._status, 4096) if ready else b""
            if not data or len(said) > 65_536:
                why = said.decode("ascii", "replace").strip().rpartition("\n")[2]
                raise Infrastructure(clean(why, 400) or "no answer")
            said += data
        self._news = said.partition(word)[2]


class RemotePiece:
    """A piece in a learner's process, called like one in this process."""

    def __init__(
        self, process: Process, name: str, seconds: float, deadline: float, built: int = 0
    ) -> None:
        self._process, self._name, self._built = process, name, built
        self._seconds, self._deadline = seconds, deadline

    def __call__(self, *arguments: Any, upstream: np.ndarray | None = None, **options: Any) -> Any:
        """Return the `Reply` of the function, or for a class the piece that was built."""
        try:
            return self._called(arguments, upstream, options)
        except LearnerError as error:
            error.piece, error.given = self._name, " and ".join(map(_told, arguments))
            raise

    def _called(self, arguments: Any, upstream: np.ndarray | None, options: Any) -> Any:
        handle = secrets.randbits(48) + 1
        message = {
            "do": "call", "name": self._name, "built": self._built, "handle": handle,
            "arguments": [_outward(one) for one in arguments], "options": options,
            "upstream": upstream,
        }  # fmt: skip
        deadline = min(time.monotonic() + self._seconds, self._deadline)
        reply = self._process.ask(message, deadline)
        if reply.get("built") is True:
            return RemotePiece(self._process, self._name, self._seconds, self._deadline, handle)
        return _reply(reply)


def clean(text: Any, most: int) -> str:
    """Return `text` as printable characters and line ends, at most `most` of them."""
    if not isinstance(text, str):
        return ""
    return "".join(one if one.isprintable() or one in "\n\t" else "�" for one in text[:most])


def _outward(argument: Any) -> Any:
    return {"plain": argument.array} if isinstance(argument, Plain) else argument


def _told(argument: Any) -> str:
    array = argument.array if isinstance(argument, Plain) else argument
    return f"an array {array.shape}" if isinstance(array, np.ndarray) else str(array)


def _reply(reply: Mapping[str, Any]) -> Reply:
    """Return the reply with every part of the kind it must be; `LearnerError` otherwise."""
    output, grads, arguments = reply.get("output"), reply.get("grads"), reply.get("arguments")
    output = tuple(output) if isinstance(output, list) else output
    parts = output if isinstance(output, tuple) else (output,)
    if not all(isinstance(one, np.ndarray | str) for one in parts):
        raise LearnerError("TypeError", "the result is neither numbers nor text")
    if not (isinstance(grads, list) and isinstance(arguments, list)):
        raise LearnerError("TypeError", "the reply has no gradients or no arguments")
    if not all(isinstance(one, np.ndarray | None) for one in grads + arguments):
        raise LearnerError("TypeError", "a gradient or an argument is no array")
    return Reply(
        output, tuple(grads), tuple(arguments), words.type_name(clean(reply.get("type_name"), 80))
    )
