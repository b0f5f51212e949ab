"""Is the language what lessons 00 and 10 say, and the map that opens lesson 00 a trained one?"""

import math
from collections import Counter

import numpy as np
import pytest
from attnkit import Value, tasks

from grader.authoring import opening


def test_opening_map_is_causal_and_each_row_a_distribution():
    words, weights = tasks.opening_map()
    assert words == opening.SENTENCE.split()
    assert np.abs(weights.sum(axis=1) - 1).max() < 2e-3
    assert not np.triu(weights, k=1).any()


def test_each_sentence_names_two_kinds_and_ends_with_the_one_that_is_meant():
    kind = dict.fromkeys(tasks.SHE, "she") | dict.fromkeys(tasks.HE, "he")
    said = [tasks.words(sentence).split() for sentence in tasks.SENTENCES]
    assert len(set(map(tuple, said))) == len(said) == 8 * 3 * 4 * 2
    for start, first, verb, second, stop, pronoun, last in said:
        assert (start, verb in tasks.VERBS, stop) == ("<s>", True, ".")
        assert kind[first] != kind[second]
        assert last in (first, second) and kind[last] == pronoun
    assert all(count == len(said) / 8 for count in Counter(one[1] for one in said).values())


def test_words_are_numbers_and_back():
    sentence = "<s> mia heard leo . he leo"
    assert tasks.words(tasks.numbers(sentence)) == sentence


class Silent:
    """A head without learnables that adds nothing."""

    def parameters(self):
        return []

    def forward(self, x, causal=True):
        return 0 * x


def test_loss_and_answers_are_those_of_a_table_worked_out_apart():
    """Where each word has the same share the surprise is ln 15; where a word is sure, it is 0."""
    model = tasks.Model(Silent(), np.random.default_rng(0))
    model.scores.W = Value(np.zeros((64, 15)))
    assert math.isclose(float(tasks.loss(model, tasks.SENTENCES).data), math.log(15))
    model.words, model.positions = Value(np.zeros((15, 64))), Value(np.eye(6, 64))
    one = tasks.numbers("<s> ada saw bob . she ada")
    table = np.zeros((64, 15))
    table[np.arange(6), one[1:]] = 50
    model.scores.W = Value(table)
    assert abs(float(tasks.loss(model, one[None]).data)) < 1e-12
    ends = Counter(tasks.words(sentence).split()[-1] for sentence in tasks.SENTENCES)
    assert tasks.answers(model) == ends["ada"] / len(tasks.SENTENCES)


def test_untrained_model_is_as_surprised_as_chance():
    model = opening.trained(steps=0)
    assert abs(float(tasks.loss(model, tasks.SENTENCES).data) - math.log(15)) < 0.1


@pytest.mark.slow
def test_training_gives_the_committed_map():
    _, committed = tasks.opening_map()
    trained = opening.opening(opening.trained())["weights"]
    np.testing.assert_allclose(trained, committed, atol=2e-3)
