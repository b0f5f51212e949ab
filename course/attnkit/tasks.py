"""A language of fifteen words, and a model of one attention head that learns to continue it.

`<s> ada saw bob . she ada`: two names, one of each kind, and a pronoun that decides which of
the two comes next. Only by looking back can a model know the last word.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import numpy as np

from attnkit.nn import Adam, Linear
from attnkit.value import Value

SHE, HE = ("ada", "eva", "ida", "mia"), ("bob", "leo", "max", "tom")
VERBS = ("saw", "met", "heard")
WORDS = ("<s>", *SHE, *HE, *VERBS, ".", "she", "he")
LENGTH = 7

# What no model can know: the first name, the verb, the second name, the pronoun; the full stop
# and the last name are certain. In nats for each of the six predictions.
FLOOR = (np.log(8) + np.log(3) + np.log(4) + np.log(2)) / (LENGTH - 1)


class Head(Protocol):
    """What the model needs of attention."""

    def parameters(self) -> list[Value]:
        """Return the learnables."""

    def forward(self, x: Value, causal: bool = True) -> Value:
        """Return the output (T, D) for x (T, D)."""


def sentences(count: int, rng: np.random.Generator) -> np.ndarray:
    """Return `count` sentences as word numbers, an array (count, 7)."""
    return np.array([[WORDS.index(word) for word in _sentence(rng)] for _ in range(count)])


def _sentence(rng: np.random.Generator) -> list[str]:
    pair = {"she": SHE[rng.integers(4)], "he": HE[rng.integers(4)]}
    pronoun = ("she", "he")[rng.integers(2)]
    first, second = rng.permutation(list(pair.values()))
    return ["<s>", str(first), VERBS[rng.integers(3)], str(second), ".", pronoun, pair[pronoun]]


class Model:
    """Word and position vectors, one attention head added to them, and a score for each word."""

    def __init__(self, head: Head, D: int = 64, *, rng: np.random.Generator) -> None:
        self.head = head
        self.words = Value(rng.normal(0, 0.1, (len(WORDS), D)))
        self.positions = Value(rng.normal(0, 0.1, (LENGTH - 1, D)))
        self.scores = Linear(D, len(WORDS), rng=rng)

    def parameters(self) -> list[Value]:
        """Return every learnable, those of the head included."""
        return [self.words, self.positions, *self.scores.parameters(), *self.head.parameters()]

    def embed(self, sentence: np.ndarray) -> Value:
        """Return x, shape (T, D), for the first T words of a sentence."""
        return self.words[sentence] + self.positions[: len(sentence)]

    def predict(self, sentence: np.ndarray, causal: bool = True) -> Value:
        """Return a score for each next word, shape (T, 15)."""
        x = self.embed(sentence)
        return self.scores(x + self.head.forward(x, causal=causal))


def loss(model: Model, batch: np.ndarray, causal: bool = True) -> Value:
    """Return the mean surprise of the next word in nats, a Value without axes."""
    losses = [_loss_of(model.predict(one[:-1], causal), one[1:]) for one in batch]
    return sum(losses[1:], losses[0]) / len(losses)


def _loss_of(scores: Value, following: np.ndarray) -> Value:
    """Return -log softmax at the word that follows, the mean over positions."""
    shifted = scores - scores.data.max(axis=1, keepdims=True)
    right = shifted[np.arange(len(following)), following]
    return (np.log(np.exp(shifted).sum(axis=1)) - right).mean()


def train(
    model: Model, steps: int, *, rng: np.random.Generator, causal: bool = True, batch: int = 16
) -> Iterator[float]:
    """Take `steps` steps of Adam at 0.01; yields the loss of each batch before its step."""
    optimiser = Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        surprise = loss(model, sentences(batch, rng), causal)
        surprise.backward()
        optimiser.step()
        yield float(surprise.data)


def answers(model: Model, tests: np.ndarray) -> float:
    """Return the share of sentences whose last word is the model's first choice."""
    chosen = [int(model.predict(one[:-1]).data[-1].argmax()) for one in tests]
    return float(np.mean(np.array(chosen) == tests[:, -1]))


def opening_map() -> tuple[list[str], np.ndarray]:
    """Return a sentence and the weights (T, T) that a trained head gives it.

    They come from a file beside this module, made by training the model above.
    """
    opening = json.loads(Path(__file__).with_name("opening.json").read_text("utf-8"))
    return opening["words"], np.array(opening["weights"])
