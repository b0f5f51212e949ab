"""Known wrong ideas written a second time, in other styles.

The fingerprints were made from `grader.misconceptions`; whether a name is right is measured
on these. A function has the name of its idea; a number after it tells several writings apart.
"""

import re

from right_alternatives import functions


def every():
    """Yield (piece, name of the idea, function) of each writing."""
    for piece, name, function in functions(__name__):
        yield piece, re.sub(r"_again\d*$", "", name), function
