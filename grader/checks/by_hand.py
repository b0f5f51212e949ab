"""Hidden checks of the paper answers of lesson 01, in fractions from the table of points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from grader.checks import paper
from grader.checks.interface import Piece

Table = Sequence[Sequence[Fraction | int]]

WORDS = ("ada", "saw", "bob")
POINTS = ((-1, 0, -1), (2, 1, 1), (-3, -1, -2))
V = ((3, 4), (6, 1), (-3, 3))
W_O = ((1, 1), (0, 1))


def shares_of_bob_exact(shares_of_bob: Piece, rng: np.random.Generator) -> None:
    """The three shares of row bob are right."""
    paper.shares(shares_of_bob(), _shares(POINTS[2], seen=3), "`shares_of_bob`", ["bob"])


def causal_weights_exact(causal_weights: Piece, rng: np.random.Generator) -> None:
    """Every share is right when the words that come later are hidden."""
    paper.shares(causal_weights(), _causal(POINTS), "`causal_weights`", WORDS)


def attended_rows_exact(attended_rows: Piece, rng: np.random.Generator) -> None:
    """Every attended row is the mixture of the rows of V by its shares."""
    paper.numbers(attended_rows(), _product(_causal(POINTS), V), "`attended_rows`")


def output_rows_exact(output_rows: Piece, rng: np.random.Generator) -> None:
    """Every row of the output is the attended row times W_o."""
    paper.numbers(output_rows(), _output(POINTS, V), "`output_rows`")


def saw_after_one_more_point_exact(
    saw_after_one_more_point: Piece, rng: np.random.Generator
) -> None:
    """One more point for one word moves all the shares of its row."""
    row = (POINTS[1][0] + 1, *POINTS[1][1:])
    right, of = _shares(row, seen=2), "`saw_after_one_more_point`"
    paper.shares(saw_after_one_more_point(), right, of, ["saw"])


def rows_that_move_exact(rows_that_move: Piece, rng: np.random.Generator) -> None:
    """A changed row of V moves the output of exactly those words that see it."""
    changed = (V[0], (V[1][0] + 1, V[1][1] + 2), V[2])
    pairs = zip(WORDS, _output(POINTS, V), _output(POINTS, changed), strict=True)
    moved = {word for word, before, after in pairs if before != after}
    paper.names(rows_that_move(), moved, WORDS, "this row does not move", "move too")


def _shares(points: Sequence[int], seen: int) -> list[Fraction]:
    parts = [Fraction(2) ** point for point in points[:seen]]
    hidden = [Fraction(0)] * (len(points) - seen)
    return [part / sum(parts) for part in parts] + hidden


def _causal(points: Sequence[Sequence[int]]) -> list[list[Fraction]]:
    return [_shares(row, seen=i + 1) for i, row in enumerate(points)]


def _product(left: Table, right: Table) -> list[list[Fraction]]:
    columns = list(zip(*right, strict=True))
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction(0)) for column in columns]
        for row in left
    ]


def _output(points: Sequence[Sequence[int]], values: Table) -> list[list[Fraction]]:
    return _product(_product(_causal(points), values), W_O)
