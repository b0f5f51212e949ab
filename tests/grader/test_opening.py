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


def test_two_of_one_kind_are_said_in_both_orders_and_the_first_is_meant():
    said = {tasks.words(sentence) for sentence in tasks.ONE_KIND}
    assert len(said) == len(tasks.ONE_KIND) == 2 * math.perm(4, 2) * 3
    for start, first, verb, second, stop, pronoun, last in map(str.split, said):
        assert first != second and last == first
        assert {first, second} <= set(tasks.SHE if pronoun == "she" else tasks.HE)
        assert " ".join([start, second, verb, first, stop, pronoun, second]) in said


@pytest.mark.parametrize("sentence", ["<s> zoe", "<s> Ada", "<s> ada saw bob."])
def test_unknown_words_are_answered_with_the_known_ones(sentence):
    with pytest.raises(ValueError, match=f"'{sentence.split()[-1]}', wanted") as refused:
        tasks.numbers(sentence)
    assert set(tasks.WORDS) <= set(str(refused.value).split())


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
    assert tasks.answers(model, tasks.SENTENCES) == ends["ada"] / len(tasks.SENTENCES)


def model_of(next_word):
    """A model whose next word hangs on the last word alone: `next_word` holds the scores."""
    model = tasks.Model(Silent(), np.random.default_rng(0))
    model.words, model.positions = Value(np.eye(15, 64)), Value(np.zeros((6, 64)))
    model.scores.W = Value(np.concatenate([next_word, np.zeros((49, 15))]))
    return model


def test_model_writes_what_its_scores_say_to_the_end_of_the_sentence():
    always_the_following = model_of(50 * np.roll(np.eye(15), 1, axis=1))
    for rng in (None, np.random.default_rng(0)):
        written = tasks.write(always_the_following, "<s> ida", rng)
        assert written == "<s> ida mia bob leo max tom"


def test_words_are_drawn_by_their_shares():
    """Three quarters "he" and one quarter "she": 300 of 400 draws, with a spread of 9."""
    scores = np.full((15, 15), -50.0)
    scores[:, tasks.numbers("he she")] = np.log([0.75, 0.25])
    model, rng = model_of(scores), np.random.default_rng(0)
    np.testing.assert_allclose(
        tasks.next_shares(model, "<s>")[tasks.numbers("he she")], [0.75, 0.25]
    )
    drawn = Counter(tasks.write(model, "<s> ada saw bob .", rng).split()[5] for _ in range(400))
    assert set(drawn) == {"he", "she"} and abs(drawn["he"] - 300) < 4 * 9
    assert tasks.write(model, "<s> ada") == "<s> ada he he he he he"


@pytest.mark.parametrize("beginning", ["", "ada saw", "saw <s>", "<s> ada saw bob . she ada"])
@pytest.mark.parametrize("continued", [tasks.write, tasks.next_shares])
def test_what_is_no_beginning_is_refused(beginning, continued):
    with pytest.raises(ValueError, match="wanted <s> and at most 5 words after it"):
        continued(model_of(np.zeros((15, 15))), beginning)


def test_untrained_model_is_as_surprised_as_chance():
    model = opening.trained(steps=0)
    assert abs(float(tasks.loss(model, tasks.SENTENCES).data) - math.log(15)) < 0.1


@pytest.mark.slow
def test_training_gives_the_committed_map():
    _, committed = tasks.opening_map()
    trained = opening.opening(opening.trained())["weights"]
    np.testing.assert_allclose(trained, committed, atol=2e-3)
