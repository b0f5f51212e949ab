"""Does what lesson 10 says hold: of the language, in its own run, and over other starts?"""

import math
import re
from collections import defaultdict

import numpy as np
import pytest
from attnkit import tasks
from attnkit.watch import watch

from grader import notebook
from grader.authoring.build import ROOT
from solutions import attention, learning
from solutions.attention import SelfAttention
from solutions.learning import train

STARTS, STEPS = range(6), 400
FLOOR = math.log(len(tasks.SENTENCES)) / 6
GUESSED = 1 / 4
LANGUAGE = {tasks.words(sentence) for sentence in tasks.SENTENCES}
MEET = np.any(
    [
        np.isin(tasks.ONE_KIND[:, [1, 3]], tasks.numbers(pair)).all(axis=1)
        for pair in ("ada eva", "bob tom")
    ],
    axis=0,
)
SEEN, UNSEEN = tasks.ONE_KIND[~MEET], tasks.ONE_KIND[MEET]
ADA_EVA = "<s> ada saw eva . she", "<s> eva saw ada . she"


def new_model(start):
    rng = np.random.default_rng(start)
    return tasks.Model(SelfAttention(64, rng), rng), rng


def trained(start, causal=True, sentences=tasks.SENTENCES):
    model, rng = new_model(start)
    losses = list(train(model, STEPS, rng, causal, sentences))
    return model, losses


def right_answers(model):
    return tasks.answers(model, tasks.SENTENCES)


def right_of_100(model):
    """How many of 100 sentences that the model draws are sentences of the language."""
    rng = np.random.default_rng(10)
    return sum(tasks.write(model, "<s>", rng) in LANGUAGE for _ in range(100))


def multiply_scores(monkeypatch, factor):
    scaled = attention.attention_scores
    monkeypatch.setattr(attention, "attention_scores", lambda Q, K, d_k: factor * scaled(Q, K, d_k))


def loss(model):
    return float(tasks.loss(model, tasks.SENTENCES).data)


def test_choices_are_counted_in_the_language():
    following = defaultdict(set)
    for sentence in tasks.SENTENCES:
        for place in range(1, 7):
            following[tuple(sentence[:place])].add(sentence[place])
    for past, words in following.items():
        assert len(words) == learning.choices()[len(past) - 1]


def test_floor_is_the_surprise_of_a_sentence_spread_over_six_places():
    """All sentences are equally likely, so a whole one is ln 192 of surprise."""
    assert math.isclose(np.log(learning.choices()).mean(), FLOOR)
    assert math.isclose(FLOOR, (math.log(8) + math.log(3) + math.log(4) + math.log(2)) / 6)


def test_train_takes_the_steps_it_is_asked_for_and_repeats_itself():
    runs = []
    for _ in range(2):
        model, rng = new_model(0)
        runs.append(list(train(model, 12, rng)))
    assert runs[0] == runs[1] and len(runs[0]) == 12
    assert max(runs[0][-3:]) < runs[0][0] - 0.5


def test_train_shows_the_future_only_where_it_is_asked_to():
    seen = []
    model, rng = new_model(0)
    forward = model.head.forward
    model.head.forward = lambda x, causal: [seen.append(causal), forward(x, causal)][1]
    for causal in (True, False):
        list(train(model, 1, rng, causal))
    assert seen == [True] * 16 + [False] * 16


def test_train_draws_from_the_sentences_it_is_given():
    (model, rng), only = new_model(0), tasks.numbers("<s> ada saw eva . she ada")
    losses = list(train(model, 60, rng, sentences=only[None]))
    assert losses[-1] < 0.01, "one sentence holds no surprise"


def printed():
    """What the solved notebook prints."""
    cells = notebook.read(ROOT / "solutions" / "10_watch_it_learn.ipynb").cells
    return "".join(one.get("text", "") for cell in cells for one in cell.get("outputs", []))


def reported():
    """Loss and share of right answers of each model in the solved notebook."""
    lines = re.findall(r"^(\S.*?) +loss (\S+) +right answers (\d+)%", printed(), re.M)
    return {name: (float(loss), int(right) / 100) for name, loss, right in lines}


def test_the_prose_holds_in_the_solved_run():
    seen = reported()
    for name in ("trained", "mask only now", "start 1", "all alike", "free head"):
        assert seen[name][1] == 1
    assert seen["without scale"][1] == GUESSED
    assert seen["equal shares"][1] <= 0.5
    assert FLOOR < seen["trained"][0] < seen["all alike"][0]
    assert seen["all alike"][0] < seen["without scale"][0] < seen["untrained"][0]
    assert seen["untrained"][0] < seen["mask only now"][0]
    assert f"; {STEPS} steps: about" in printed()


def test_the_solved_run_writes_what_the_prose_says():
    counts = re.findall(r"^(\S.*?) +(\d+) of 100 are sentences", printed(), re.M)
    right = {name: int(count) for name, count in counts}
    assert right["scale and mask"] > 50 > right["without scale"] > right["without mask"]
    drawn = re.findall(r"^drawn +<s> ada saw bob \. (.*)$", printed(), re.M)
    assert len(drawn) == 4 and set(drawn) == {"she ada", "he bob"}


def test_first_language_is_the_same_in_both_orders_and_the_second_is_not():
    """What makes a sum enough, and what makes it fail."""
    for sentences, alike in ((tasks.SENTENCES, True), (tasks.ONE_KIND, False)):
        last = {tuple(sentence[1:6]): sentence[6] for sentence in sentences}
        for (first, verb, second, stop, pronoun), word in last.items():
            assert (last[second, verb, first, stop, pronoun] == word) == alike


def test_the_real_model_has_the_size_that_is_printed():
    """The arrays of GPT-2's smallest size, one by one, as its published code makes them."""
    D, wide = 768, 4 * 768
    layer = [(D,), (D,), (D, 3 * D), (3 * D,), (D, D), (D,)]
    layer += [(D,), (D,), (D, wide), (wide,), (wide, D), (D,)]
    total = sum(map(math.prod, [(50257, D), (1024, D), *12 * layer, (D,), (D,)]))
    assert total == 124_439_808
    assert f"GPT-2, smallest: {round(total / 1e6)} million numbers" in printed()


def test_the_six_questions_are_those_of_lesson_00():
    first, last = (
        (ROOT / "grader" / "lessons" / f"{name}.md").read_text("utf-8").partition(heading)[2]
        for name, heading in (
            ("00_start", "## Six questions before you begin"),
            ("10_watch_it_learn", "## The six questions again"),
        )
    )
    asked = [re.findall(r"^\d\. .*\?$", text, re.M) for text in (first, last)]
    assert len(asked[0]) == 6 and asked[0] == asked[1]


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_with_scale_and_mask_every_answer_is_right(start):
    model, _ = trained(start)
    assert right_answers(model) == 1
    assert FLOOR < loss(model) < FLOOR + 0.1
    assert right_of_100(model) > 70
    if start == 1:
        x = model.embed(tasks.numbers("<s> ada saw bob . she"))
        row = watch(model.head.forward, x)["weights"][0][-1]
        assert row[3] > row[1], "the map that nobody can read"


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_without_the_scale_the_model_guesses(start, monkeypatch):
    multiply_scores(monkeypatch, 8)
    model, _ = trained(start)
    assert right_answers(model) == GUESSED
    assert loss(model) > FLOOR + 0.2
    assert 0 < right_of_100(model) < 40
    _, first, verb, second, stop, pronoun, last = tasks.write(model, "<s>").split()
    assert {first, second, last} <= {*tasks.SHE, *tasks.HE}, "the form is right"
    assert verb in tasks.VERBS and stop == "." and pronoun in ("she", "he")
    if start == 5:
        assert math.isclose(loss(model), reported()["without scale"][0], abs_tol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_without_the_mask_the_loss_leaks(start):
    model, losses = trained(start, causal=False)
    assert losses[-1] < 0.001
    assert loss(model) > math.log(15), "once the future is hidden"
    assert right_answers(model) == 1, "the last word had to be learned"
    assert right_of_100(model) == 0
    assert len(set(tasks.write(model, "<s>").split()[1:])) <= 3, "it goes round among a few words"


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_a_head_that_looks_at_all_words_alike_answers_too(start, monkeypatch):
    multiply_scores(monkeypatch, 0)
    model, _ = trained(start)
    assert right_answers(model) == 1
    if start == 5:
        assert math.isclose(loss(model), reported()["all alike"][0], abs_tol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_a_head_that_may_choose_answers_the_second_language_also_where_it_never_saw_it(start):
    model, _ = trained(start, sentences=SEEN)
    assert tasks.answers(model, SEEN) > 0.8
    assert tasks.answers(model, UNSEEN) > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_equal_shares_fail_in_the_second_language(start, monkeypatch):
    multiply_scores(monkeypatch, 0)
    model, _ = trained(start, sentences=SEEN)
    assert tasks.answers(model, SEEN) <= 0.5 and tasks.answers(model, UNSEEN) <= 0.5
    one, other = (tasks.next_shares(model, text) for text in ADA_EVA)
    np.testing.assert_allclose(one, other, rtol=1e-9)
