"""Does every example in a docstring of the kit and the reference print what it says?"""

import doctest
import importlib
import pkgutil

import attnkit
import numpy as np
import pytest

import solutions

MODULES = [
    found.name
    for package in (attnkit, solutions)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_say(name):
    module = importlib.import_module(name)
    given = {"np": np, "Value": attnkit.Value, "Linear": attnkit.Linear}
    assert doctest.testmod(module, extraglobs=given).failed == 0


def test_examples_are_found():
    import solutions.attention

    found = doctest.DocTestFinder().find(solutions.attention)
    assert sum(len(one.examples) for one in found) >= 5
