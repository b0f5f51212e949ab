"""A language of fifteen words, and a model of one attention head that learns to continue it.

`<s> ada saw bob . she ada`: two names, one of each kind, and a pronoun that decides which of
the two comes next. Only by looking back can a model know the last word.
`<s> ada saw eva . she ada`: two names of one kind, and the pronoun means the first. Here the
order of the names counts too, so a model must choose where to look.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from attnkit.nn import Linear
from attnkit.value import Value

Numbers = npt.NDArray[np.int64]
SHE, HE = ("ada", "eva", "ida", "mia"), ("bob", "leo", "max", "tom")
VERBS = ("saw", "met", "heard")
WORDS = ("<s>", *SHE, *HE, *VERBS, ".", "she", "he")


def numbers(sentence: str) -> Numbers:
    """Return the number of each word, an array (T,); `ValueError` where a word is unknown."""
    unknown = [word for word in sentence.split() if word not in WORDS]
    if unknown:
        raise ValueError(
            f"tasks got {', '.join(map(repr, unknown))}, wanted some of its "
            f"{len(WORDS)} words, with a space between them: {' '.join(WORDS)}"
        )
    return np.array([WORDS.index(word) for word in sentence.split()])


def words(sentence: Numbers) -> str:
    """Return the sentence that has these word numbers."""
    return " ".join(WORDS[number] for number in sentence)


def _sentences() -> Iterator[str]:
    for first, second in [*product(SHE, HE), *product(HE, SHE)]:
        for verb, pronoun in product(VERBS, ("she", "he")):
            meant = first if (first in SHE) == (pronoun == "she") else second
            yield f"<s> {first} {verb} {second} . {pronoun} {meant}"


def _sentences_of_one_kind() -> Iterator[str]:
    for pronoun, names in (("she", SHE), ("he", HE)):
        for (first, second), verb in product(permutations(names, 2), VERBS):
            yield f"<s> {first} {verb} {second} . {pronoun} {first}"


# All that can be said in the language, as word numbers: an array (192, 7).
SENTENCES: Numbers = np.array([numbers(sentence) for sentence in _sentences()])
# All sentences with two names of one kind, an array (72, 7): there the pronoun means the first.
ONE_KIND: Numbers = np.array([numbers(sentence) for sentence in _sentences_of_one_kind()])
LENGTH = SENTENCES.shape[1]


class Model:
    """Word and position vectors, a head whose output is added to them, a score for each word.

    `head` has `forward(x, causal)`, which returns the output (T, D) for x (T, D), and
    `parameters()`, which returns its learnables.
    """

    def __init__(self, head: Any, rng: np.random.Generator, D: int = 64) -> None:
        self.head = head
        self.words = Value(rng.normal(0, 0.1, (len(WORDS), D)))
        self.positions = Value(rng.normal(0, 0.1, (LENGTH - 1, D)))
        self.scores = Linear(D, len(WORDS), rng=rng)

    def parameters(self) -> list[Value]:
        """Return every learnable, those of the head included."""
        return [self.words, self.positions, self.scores.W, *self.head.parameters()]

    def embed(self, sentences: Numbers) -> Value:
        """Return x, shape (T, D), for the T words of a sentence; (n, T, D) for n sentences."""
        return self.words[sentences] + self.positions[: sentences.shape[-1]]

    def predict(self, sentences: Numbers, causal: bool = True) -> Value:
        """Return for each of n sentences a score for each next word, shape (n, T, 15)."""
        xs = self.embed(sentences)
        return self.scores(xs + np.stack([self.head.forward(x, causal) for x in xs]))


def loss(model: Model, sentences: Numbers, causal: bool = True) -> Value:
    """Return the mean surprise of the next word, -log softmax, a Value without axes."""
    scores = model.predict(sentences[:, :-1], causal)
    of_next_word = (scores * np.eye(len(WORDS))[sentences[:, 1:]]).sum(axis=-1)
    return (np.logaddexp.reduce(scores, axis=-1) - of_next_word).mean()


def answers(model: Model, sentences: Numbers) -> float:
    """Return the share of the sentences whose last word is the model's first choice."""
    chosen = model.predict(sentences[:, :-1]).data[:, -1].argmax(axis=-1)
    return float((chosen == sentences[:, -1]).mean())


def next_shares(model: Model, beginning: str) -> npt.NDArray[np.float64]:
    """Return the share that the model gives each word to come next, an array (15,).

    `ValueError` where the beginning has an unknown word, no `<s>` at its start, or no word to come.
    """
    return _shares(model, _begun(beginning))


def write(model: Model, beginning: str, rng: np.random.Generator | None = None) -> str:
    """Return `beginning` and what the model puts after it, word by word, to the sentence's end.

    Each word is the one with the largest share; with `rng`, it is drawn by the shares.
    `ValueError` as in `next_shares`.
    """
    said = _begun(beginning)
    while len(said) < LENGTH:
        shares = _shares(model, said)
        chosen = shares.argmax() if rng is None else rng.choice(len(WORDS), p=shares)
        said = np.append(said, chosen)
    return words(said)


def _shares(model: Model, said: Numbers) -> npt.NDArray[np.float64]:
    scores = model.predict(said[None]).data[0, -1]
    shares: npt.NDArray[np.float64] = np.exp(scores - np.logaddexp.reduce(scores))
    return shares


def _begun(beginning: str) -> Numbers:
    said = numbers(beginning)
    if not 1 <= len(said) < LENGTH or WORDS[said[0]] != "<s>":
        raise ValueError(
            f"tasks got the beginning {beginning!r}, wanted <s> and at most {LENGTH - 2} words "
            "after it: a space stands before each"
        )
    return said


def opening_map() -> tuple[list[str], npt.NDArray[np.float64]]:
    """Return a sentence and the weights (T, T) that a trained head gives it.

    They come from a file beside this module; lesson 10 trains that head.
    """
    opening = json.loads(Path(__file__).with_name("opening.json").read_text("utf-8"))
    return opening["words"], np.array(opening["weights"])
