"""Visible checks: line by line, what already holds for a piece and what does not yet.

A check goes from type to shape to values to gradient and stops at the first red line.
It never raises for a mistake in the piece.
"""

from __future__ import annotations

import contextlib
import io
import logging
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from attnkit import answers, known
from attnkit.checklist import entries
from attnkit.examples import PROBES
from attnkit.judges import Trial, has_places, has_values, is_exact, raised
from attnkit.lines import LINES, Line, complaint, feature
from attnkit.probes import Seen, asker, observe
from attnkit.requirement import left_to_hidden_tests, refuse_open

Function = Callable[..., Any]
GREEN, RED, GREY = 32, 31, 90


def softmax(softmax: Function) -> None:
    """Print what holds for `softmax` on the worked example and on other tables."""
    _check("softmax", softmax)


def attention_scores(attention_scores: Function) -> None:
    """Print what holds for `attention_scores` on the worked example and on other tables."""
    _check("attention_scores", attention_scores)


def causal_mask(causal_mask: Function) -> None:
    """Print what holds for `causal_mask` for 3, 1, 2, 4 and 12 tokens."""
    _check("causal_mask", causal_mask)


def apply_attention(apply_attention: Function) -> None:
    """Print what holds for `apply_attention` on the worked example and on other tables."""
    _check("apply_attention", apply_attention)


def self_attention(SelfAttention: type) -> None:
    """Print what holds for `SelfAttention` with the parameters of the worked example."""
    _check("SelfAttention", SelfAttention)


def centre_rows(centre_rows: Function) -> None:
    """Print what holds for `centre_rows` on a square table and on other sizes."""
    _check("centre_rows", centre_rows)


def paper(answer: Callable[[], Any]) -> None:
    """Print whether a function without arguments returns the right answer.

    Fractions may be written as 2/3 or to ten digits.
    """
    name = getattr(answer, "__name__", str(answer))
    if not callable(answer):
        return _print(RED, "✗", name, "hand over the function, not its result: checks.paper(name)")
    try:
        with _quiet():
            remark = answers.remark(name, answer())
    except NotImplementedError:
        return _print(RED, "✗", name, "not written yet")
    except KeyError:
        return _print(RED, "✗", name, "no answer to a question of this name is known here")
    except Exception as problem:
        return _print(RED, "✗", name, raised(problem))
    _print(RED if remark else GREEN, "✗" if remark else "✓", name, remark or "right")


def checklist(
    softmax: Function,
    attention_scores: Function,
    causal_mask: Function,
    apply_attention: Function,
    SelfAttention: type,
    T: int = 5,
    D: int = 4,
) -> None:
    """Print the five lines of the debugging checklist for T tokens of width D, and what was seen.

    They look at shapes, row sums and the sign of the mask, so many mistakes pass all five.
    """
    pieces = {
        "softmax": softmax,
        "attention_scores": attention_scores,
        "causal_mask": causal_mask,
        "apply_attention": apply_attention,
        "SelfAttention": SelfAttention,
    }
    with _quiet():
        found = list(entries(pieces, T, D))
    for claim, holds, seen in found:
        _say(GREEN if holds else RED, f"{'✓' if holds else '✗'} {claim}: {seen}")


def met() -> None:
    """Print the known mistakes that the visible checks have named in this folder so far."""
    sentences = [known.sentence(name) for name in known.met()]
    print("\n".join(f"- {one}" for one in sentences) or "No mistake has been named here so far.")


def kit(wanted: str) -> None:
    """Print one sentence where this kit is not of the version a notebook was made for."""
    import attnkit

    if attnkit.__version__ != wanted:
        where = attnkit.__path__[0]
        print(f"This notebook was made for attnkit {wanted}; {where} is {attnkit.__version__}.")


def require(**exercises: Callable[..., Any]) -> None:
    """Do nothing where each exercise is written and its visible check is green.

    Raises `OpenExerciseError` for the first that is not, except while nbgrader grades: then the
    hidden tests decide. `require(softmax=softmax)` is what a graded cell shows.
    """
    if left_to_hidden_tests():
        return
    for name, answer in exercises.items():
        with _quiet(), contextlib.redirect_stderr(io.StringIO()):
            refuse_open(name, answer)


def _check(piece: str, target: Any) -> None:
    with _quiet():
        try:
            trial = Trial(piece, target, observe(piece, asker(target)))
        except Exception as problem:
            trial = Trial(piece, target, dict.fromkeys(PROBES[piece], problem))
    first = next(iter(trial.observation.values()))
    if isinstance(first, NotImplementedError):
        return _print(RED, "✗", piece, "not written yet")
    lines = LINES[piece]
    for place, line in enumerate(lines):
        with _quiet():
            wrong = complaint(line, trial)
        if wrong:
            _print(RED, "✗", line.label, wrong[1])
            _explain(trial, line, wrong[0])
            _say_rest([later.label for later in lines[place + 1 :]])
            return _draw(trial, *wrong)
        _print(GREEN, "✓", line.label, line.holds)


def _explain(trial: Trial, line: Line, probe: str) -> None:
    """Print the name of the mistake where the numbers match one, else what a red line means."""
    seen = trial.observation[probe]
    names = known.names(trial.piece, trial.observation, feature(line, trial, probe))
    if not names:
        if isinstance(seen, Exception) and line.label == "type":
            return _note("Call it in a cell of its own: the trace shows the line that raises.")
        if isinstance(seen, Seen) and seen.type_name == "NoneType":
            return None  # the red line has said it all
        if line.label == "again":
            return _note(line.hint)
        return _note(f"We do not recognise this mistake. {line.hint}")
    numbers = line.judge in (has_values, has_places, is_exact) and isinstance(seen, Seen)
    entries = [known.entry(trial.piece, name) for name in names]
    opening = "These are the numbers you get when" if numbers else "This is what happens when"
    _note(f"{opening} {', or when '.join(e['when'] for e in entries)}.")
    if trial.piece == "SelfAttention":
        _note("This holds if the four pieces that it calls are green; check them first.")
    for told in dict.fromkeys(e["tell"] for e in entries):
        _note(told)
    if _in_notebook() and getattr(trial.target, "__name__", "") == trial.piece:
        known.remember(names)


def _draw(trial: Trial, name: str, saw: str) -> None:
    """Show yours beside the expected result, where there is a notebook to show it in."""
    seen, wanted = trial.observation[name], PROBES[trial.piece][name].wanted
    if not isinstance(seen, Seen) or seen.output is None or not _in_notebook():
        return
    if seen.output.shape == np.shape(wanted) and np.allclose(seen.output, wanted):
        return
    text = f"Yours on the left, expected on the right, cells that differ framed: {saw}."
    keys = trial.piece in ("softmax", "attention_scores", "causal_mask")
    with contextlib.suppress(Exception):  # a picture is no reason to stop
        from attnkit import plot

        names = {"row_name": "query", "column_name": "key" if keys else "column"}
        plot.show(plot.compare(seen.output, wanted, **names), text)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Hold back what the piece prints and warns of: a check calls it many times."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(action="ignore"),
        np.errstate(all="ignore"),
        _without_logging(),
    ):
        yield


@contextlib.contextmanager
def _without_logging() -> Iterator[None]:
    """Hold back logs: a handler writes to the stderr of the time when it was made."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


def _print(colour: int, sign: str, label: str, text: str) -> None:
    _say(colour, f"{sign} {label:<14} {text}")


def _note(text: str) -> None:
    print(textwrap.fill(text, 97, initial_indent=" " * 17, subsequent_indent=" " * 17))


def _say_rest(labels: list[str]) -> None:
    if labels:
        _say(GREY, f"· not looked at yet: {', '.join(labels)}")


def _say(colour: int, text: str) -> None:
    print(f"\x1b[{colour}m{text}\x1b[0m" if _in_notebook() else text)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")
