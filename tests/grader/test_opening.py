"""Is the map that opens lesson 00 the one that training gives?"""

import math

import numpy as np
import pytest
from attnkit import tasks

from grader.authoring import opening


def test_opening_map_is_causal_and_each_row_a_distribution():
    words, weights = tasks.opening_map()
    assert words == opening.SENTENCE
    assert np.abs(weights.sum(axis=1) - 1).max() < 2e-3
    assert not np.triu(weights, k=1).any()


def test_floor_counts_what_no_model_can_know():
    """Over many sentences the entropy of each next word given the past adds up to the floor."""
    drawn = tasks.sentences(4000, np.random.default_rng(0))
    firsts, verbs = np.bincount(drawn[:, 1], minlength=15), np.bincount(drawn[:, 2], minlength=15)
    assert (np.count_nonzero(firsts), np.count_nonzero(verbs)) == (8, 3)
    partners = [len(set(drawn[drawn[:, 1] == one, 3])) for one in np.flatnonzero(firsts)]
    assert partners == [4] * 8
    assert math.isclose(tasks.FLOOR, math.log(8 * 3 * 4 * 2) / 6)


def test_last_word_is_the_name_that_the_pronoun_means():
    for *_, first, _, second, _, pronoun, last in tasks.sentences(200, np.random.default_rng(1)):
        kind = tasks.SHE if tasks.WORDS[pronoun] == "she" else tasks.HE
        assert last in (first, second) and tasks.WORDS[last] in kind


def test_untrained_model_is_as_surprised_as_chance():
    model, _ = opening.trained(steps=0)
    batch = tasks.sentences(64, np.random.default_rng(2))
    assert abs(float(tasks.loss(model, batch).data) - math.log(15)) < 0.5


@pytest.mark.slow
def test_training_gives_the_committed_map_and_answers_everything():
    model, head = opening.trained()
    _, committed = tasks.opening_map()
    np.testing.assert_allclose(opening.opening(model, head)["weights"], committed, atol=5e-3)
    assert tasks.answers(model, tasks.sentences(200, np.random.default_rng(99))) == 1.0
