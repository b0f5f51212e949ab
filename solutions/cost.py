"""What self-attention costs for T words of width D: multiplications, bytes, pairs of words."""

from __future__ import annotations


def count_scores(T: int, D: int) -> int:
    """Return how many multiplications the table of scores takes, pair by pair.

    T: int, the number of words. D: int, the numbers in a query and in a key.
    Returns: an int.

    >>> count_scores(1, 1)
    1
    """
    multiplications = 0
    for _query in range(T):
        for _key in range(T):
            ### BEGIN SOLUTION
            multiplications = multiplications + D
            ### END SOLUTION
    return multiplications


def score_multiplications(T: int, D: int) -> int:
    """Return how many multiplications the table of scores takes.

    T: int, the number of words. D: int, the numbers in a query and in a key.
    Returns: an int.

    >>> score_multiplications(1, 1)
    1
    """
    return T * T * D


def mixing_multiplications(T: int, D: int) -> int:
    """Return how many multiplications it takes to mix the rows of V by the weights.

    T: int, the number of words. D: int, the numbers in a row of V.
    Returns: an int.

    >>> mixing_multiplications(1, 1)
    1
    """
    return T * T * D


def projection_multiplications(T: int, D: int) -> int:
    """Return how many multiplications the four projections take together.

    T: int, the number of words. D: int, the width of x; each of the four tables is (D, D).
    Returns: an int.

    >>> projection_multiplications(1, 1)
    4
    """
    return 4 * T * D * D


def growth_factors() -> list[list[int]]:
    """Return by which factor four costs grow when T doubles, and when D doubles.

        1.  multiplications of the four projections
        2.  multiplications of the scores
        3.  multiplications of the mixing
        4.  bytes of the table of scores

    Returns: two lists of four whole numbers; the first is for a doubled T, the second for a
    doubled D. A cost that stays as it is has the factor 1.

    >>> len(growth_factors())
    2
    """
    return [[2, 4, 4, 4], [4, 2, 2, 1]]


def length_of_balance(D: int) -> int:
    """Return the T at which scores and mixing take as many multiplications as the projections.

    D: int, the width of x. All four projections count, and scores and mixing together.
    Returns: an int.
    """
    return 2 * D


def table_bytes(T: int) -> int:
    """Return how many bytes one table of scores takes, in float64.

    T: int, the number of words.
    Returns: an int.
    """
    return 8 * T * T


def allowed_pairs(T: int) -> int:
    """Return how many entries of a table of scores the causal mask leaves as they are.

    T: int, the number of words.
    Returns: an int.

    >>> allowed_pairs(1)
    1
    """
    return T * (T + 1) // 2
