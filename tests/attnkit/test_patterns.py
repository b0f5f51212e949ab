"""Is what wrong numbers have in common seen, and nothing else?"""

import numpy as np
import pytest
from attnkit.patterns import pattern, unequal

WANTED = np.array([[1.0, 2.0, 0.0], [4.0, -5.0, 6.0], [7.0, 9.0, 8.0]])


@pytest.mark.parametrize(
    ("got", "told"),
    [
        (2 * WANTED, "every entry is 2 times what it should be"),
        (0 * WANTED, "every entry is 0"),
        (-WANTED, "every entry is -1 times what it should be"),
        (WANTED + 3, "every entry is too large by 3"),
        (WANTED.T, "it is the transpose of what it should be"),
        (WANTED[:, ::-1], "each row holds the right numbers in other places"),
        (WANTED[::-1], "the numbers are right and their places are not"),
        (WANTED * [[1], [2], [1]], "only row 1 differs"),
        (WANTED * [1, 2, 2], "only columns 1, 2 differ"),
        (WANTED + np.diag([0.1, 0.1, 0.3]), ""),
        (WANTED * (1 - 1e-6), "nearly right, off by 9e-06: is something rounded"),
        (WANTED - 1e-5, "every entry is too small by 1e-05"),
        (WANTED - 1e-7, "nearly right, but too small by 1e-07: is something added or rounded?"),
        (WANTED * [[1], [np.nan], [1]], "nan or inf in row 1"),
        (WANTED * np.nan, ""),
        (WANTED**2, ""),
    ],
)
def test_pattern_is_seen(got, told):
    assert pattern(got, WANTED).startswith(told)
    assert bool(pattern(got, WANTED)) == bool(told)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (1, 3), (3, 1), (0, 0), (2, 2, 2)])
def test_no_shape_makes_it_raise(shape):
    for number in (0.0, 1.0, np.nan, np.inf):
        assert isinstance(pattern(np.full(shape, number), np.ones(shape)), str)


@pytest.mark.parametrize(
    ("got", "wanted", "text"),
    [
        (0.5, 0.25, "0.5, wanted 0.25"),
        (0.2500001, 0.25, "0.2500001, wanted 0.25"),
        (-999_999_999, -1e9, "-999999999, wanted -1000000000"),
        (-0.0, 1.0, "0, wanted 1"),
        (np.nan, 1.0, "nan, wanted 1"),
    ],
)
def test_as_many_digits_as_differ(got, wanted, text):
    assert unequal(got, wanted) == text
