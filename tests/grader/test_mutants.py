"""Does every slip that a mutation tool can make in the reference show in the checks?

Cosmic Ray makes the mutants: https://cosmic-ray.readthedocs.io.
"""

import ast
import inspect
import random
import sys
import types
from functools import cache

import numpy as np
import pytest
from attnkit import Value
from cosmic_ray import plugins
from cosmic_ray.mutating import mutate_code

from grader.authoring import matrix
from grader.misconceptions import PIECES
from solutions import attention

SOURCE = inspect.getsource(attention)
# A mutated line that means the same, and why.
EQUIVALENT = {
    "return np.where(future >= 1, -1e9, 0.0)": "entries of future are 0 or 1",
    "rng = rng or np.random.default_rng( 1)": "any start is a start",
}


@cache
def mutants():
    """Return the text of every mutant: one operator applied at one place."""
    texts = []
    for name in sorted(plugins.operator_names()):
        operator = plugins.get_operator(name)
        if operator.arguments():  # needs to be told which variables to meddle with
            continue
        place = 0
        while (text := mutate_code(SOURCE, operator(), place)) is not None:
            texts.append(text)
            place += 1
    return [text for text in dict.fromkeys(texts) if means_something_else(text)]


def means_something_else(text):
    """Whether more than annotations changed: those are never evaluated."""
    return bare(text) != bare(SOURCE)


def bare(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef):
            node.returns = None
    return ast.dump(tree)


def survives(text):
    module = types.ModuleType("mutant")
    sys.modules["mutant"] = module
    try:
        exec(compile(text, "mutant", "exec"), vars(module))
        return not any(
            matrix.verdict(name, getattr(module, piece))
            for piece in PIECES
            for name in matrix.of(piece)
        ) and keeps_its_contract(module)
    except Exception:
        return False
    finally:
        del sys.modules["mutant"]


def keeps_its_contract(module):
    """What hidden checks do not ask of a learner: refusals, and the start that was asked for."""
    table, longer = Value(np.ones((2, 2))), Value(np.ones((3, 3)))
    wrong_calls = [
        lambda: module.softmax(table[0]),
        lambda: module.attention_scores(table, longer, 2),
        lambda: module.apply_attention(table, longer),
        lambda: module.SelfAttention(2).forward(table[0]),
    ]
    first, again, other = (module.SelfAttention(2, np.random.default_rng(n)) for n in (1, 1, 2))
    same = np.array_equal(first.W_q.W.data, again.W_q.W.data)
    return (
        all(map(refuses, wrong_calls))
        and same
        and not np.array_equal(first.W_q.W.data, other.W_q.W.data)
    )


def refuses(call):
    try:
        call()
    except ValueError as error:
        return "has shape" in str(error)
    return False


def survivors(texts):
    changed = (set(text.splitlines()) - set(SOURCE.splitlines()) for text in texts)
    pairs = zip(texts, changed, strict=True)
    return [
        lines
        for text, lines in pairs
        if survives(text) and not any(line.strip() in EQUIVALENT for line in lines)
    ]


def test_reference_itself_survives():
    assert survives(SOURCE)


def test_mutants_are_many():
    assert len(mutants()) >= 50


def test_sample_of_mutants_is_killed():
    assert survivors(random.Random(0).sample(mutants(), 20)) == []


@pytest.mark.slow
def test_no_mutant_survives():
    assert survivors(mutants()) == []


@pytest.mark.slow
def test_equivalents_are_still_needed():
    texts = [text for text in mutants() if any(line in text for line in EQUIVALENT)]
    assert texts
    assert all(survives(text) for text in texts)
