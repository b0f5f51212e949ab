"""Lesson 10: what nobody can know of the next word, and the loop that learns the rest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attnkit import Adam, tasks


def choices() -> list[int]:
    """Return how many words may come at each place after `<s>`, given the words before it.

    The places are those of `ada saw bob . she ada`.
    Returns: a list of six whole numbers; 1 where the next word is certain.
    """
    return [8, 3, 4, 1, 2, 1]


def train(
    model: tasks.Model,
    steps: int,
    rng: np.random.Generator,
    causal: bool = True,
    sentences: tasks.Numbers = tasks.SENTENCES,
) -> Iterator[float]:
    """Take `steps` steps, each on 16 sentences, and yield the loss before each step.

    model: a tasks.Model, whose parameters change. causal: False lets the head see the future.
    sentences: word numbers (n, 7), of which each step draws its 16.
    """
    optimiser = Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        loss = tasks.loss(model, rng.choice(sentences, 16), causal)
        ### BEGIN SOLUTION
        loss.backward()
        optimiser.step()
        ### END SOLUTION
        yield float(loss.data)
