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


def new_model(start):
    rng = np.random.default_rng(start)
    return tasks.Model(SelfAttention(64, rng), rng), rng


def trained(start, causal=True):
    model, rng = new_model(start)
    losses = list(train(model, STEPS, rng, causal))
    return model, losses


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
    for name in ("trained", "mask too late", "start 1", "all alike", "two heads"):
        assert seen[name][1] == 1
    assert seen["without scale"][1] == GUESSED
    assert FLOOR < seen["two heads"][0] < seen["trained"][0] < seen["all alike"][0]
    assert seen["all alike"][0] < seen["without scale"][0] < seen["mask too late"][0]
    assert f"; {STEPS} steps: about" in printed()


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
    assert tasks.answers(model) == 1
    assert FLOOR < loss(model) < FLOOR + 0.1
    if start == 1:
        x = model.embed(tasks.numbers("<s> ada saw bob . she"))
        row = watch(model.head.forward, x)["weights"][0][-1]
        assert row[3] > row[1], "the map that nobody can read"


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_without_the_scale_the_model_guesses(start, monkeypatch):
    scaled = attention.attention_scores
    monkeypatch.setattr(attention, "attention_scores", lambda Q, K, d_k: scaled(Q, K, d_k=1))
    model, _ = trained(start)
    assert tasks.answers(model) == GUESSED
    assert loss(model) > FLOOR + 0.2
    if start == 5:
        assert math.isclose(loss(model), reported()["without scale"][0], abs_tol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_without_the_mask_the_loss_leaks(start):
    model, losses = trained(start, causal=False)
    assert losses[-1] < 0.001
    assert loss(model) > 3 * FLOOR, "once the future is hidden"


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_a_head_that_looks_at_all_words_alike_answers_too(start, monkeypatch):
    scaled = attention.attention_scores
    monkeypatch.setattr(attention, "attention_scores", lambda Q, K, d_k: 0 * scaled(Q, K, d_k))
    model, _ = trained(start)
    assert tasks.answers(model) == 1
    if start == 5:
        assert math.isclose(loss(model), reported()["all alike"][0], abs_tol=1e-3)
