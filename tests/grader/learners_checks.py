"""Checks that learners write in lesson 09, as text: right ones in several styles, useless ones.

`RIGHT[patient][title]` and `USELESS[patient][title]` hold the two functions of a learner; beside
a useless one stands what its message says.
"""

C_PROBE = "def probe_c():\n    return np.ones((1, 4)), np.ones((1, 4))\n"
D_PROBE = (
    "def probe_d():\n    return np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 2.0, 0.0]])\n"
)

RIGHT = {
    "c": {
        "formula": (
            "def probe_c():\n"
            "    rng = np.random.default_rng(0)\n"
            "    return rng.normal(size=(5, 3)), rng.normal(size=(4, 3))\n"
            "def is_ill_c(Q, K, scores):\n"
            "    return not np.allclose(scores, Q @ K.T / np.sqrt(Q.shape[1]))"
        ),
        "exactly, where nothing is rounded": C_PROBE
        + "def is_ill_c(Q, K, scores): return scores[0, 0] != 2.0",
        "a bound": C_PROBE + "def is_ill_c(Q, K, scores): return scores[0, 0] > 3",
        "a bool of NumPy": C_PROBE
        + "def is_ill_c(Q, K, scores): return np.any(np.abs(scores - 2) > 1e-9)",
        "plain loops": (
            "import math\n"
            "def probe_c():\n    return [[1, 2, 2]], [[3, 0, 4], [1, 1, 1]]\n"
            "def is_ill_c(Q, K, scores):\n"
            "    for i, q in enumerate(Q):\n"
            "        for j, k in enumerate(K):\n"
            "            dot = sum(a * b for a, b in zip(q, k))\n"
            "            if abs(scores[i, j] - dot / math.sqrt(len(q))) > 1e-6:\n"
            "                return True\n"
            "    return False"
        ),
        "lists": (
            "def probe_c():\n    return [[[1, 1, 1, 1]], [[1, 1, 1, 1]]]\n"
            "def is_ill_c(Q, K, scores): return bool(scores.max() > 2.5)"
        ),
        "the spread": (
            "def probe_c():\n"
            "    rng = np.random.default_rng(1)\n"
            "    return rng.normal(size=(32, 32)), rng.normal(size=(32, 32))\n"
            "def is_ill_c(Q, K, scores): return scores.std() > 2"
        ),
        "Values and a helper": (
            "def scaled(Q, K): return Q @ K.T * Q.shape[1] ** -0.5\n"
            "def probe_c(): return Value(np.eye(5)), Value(np.eye(5))\n"
            "def is_ill_c(Q, K, scores): return not np.isclose(scores, scaled(Q, K)).all()"
        ),
        "float32": (
            "def probe_c(): return np.ones((1, 9), np.float32), 2 * np.ones((2, 9), np.float32)\n"
            "def is_ill_c(Q, K, scores): return bool(abs(scores[0, 0] - 6) > 0.1)"
        ),
        "changes what it is given": C_PROBE
        + "def is_ill_c(Q, K, scores):\n    scores -= 2\n    Q *= 0\n    return scores.any()",
    },
    "d": {
        "row sums": D_PROBE
        + "def is_ill_d(scores, weights): return not np.allclose(weights.sum(axis=1), 1)",
        "the first word sees itself": D_PROBE
        + "def is_ill_d(scores, weights): return weights[0, 0] < 0.999",
        "formula": D_PROBE
        + (
            "def is_ill_d(scores, weights):\n"
            "    wanted = np.exp(scores) * np.tri(len(scores))\n"
            "    wanted /= wanted.sum(axis=1, keepdims=True)\n"
            "    return not np.allclose(weights, wanted)"
        ),
        "with the carried pieces": (
            "from attnkit.mine import softmax, causal_mask\n"
            "def probe_d(): return np.zeros((2, 2))\n"
            "def is_ill_d(scores, weights):\n"
            "    wanted = softmax(Value(scores + causal_mask(2))).data\n"
            "    return not np.allclose(weights, wanted)"
        ),
        "ratios and total": D_PROBE
        + "def is_ill_d(scores, weights): return not np.isclose(weights.sum(), len(weights))",
        "a tuple of one": (
            "def probe_d(): return (np.zeros((4, 4)),)\n"
            "def is_ill_d(scores, weights): return abs(weights[1, :2].sum() - 1) > 1e-6"
        ),
        "a hidden score far above": (
            "def probe_d(): return np.array([[0.0, 800], [0, 0]])\n"
            "def is_ill_d(scores, weights): return weights[0, 0] == 0"
        ),
        "whole numbers": (
            "def probe_d(): return [[0, 5], [5, 0]]\n"
            "def is_ill_d(scores, weights): return bool(weights.sum(axis=1).min() < 0.5)"
        ),
    },
}

ANY = "def is_ill_c(Q, K, scores): return "
FLAGS, MISSES = "flags a healthy version", "finds nothing wrong"
USELESS = {
    "c": {
        "always yes": (C_PROBE + ANY + "True", FLAGS),
        "always no": (C_PROBE + ANY + "False", MISSES),
        "by chance": (C_PROBE + ANY + "bool(np.random.random() < 0.5)", "the check"),
        "every other time": (
            C_PROBE + "said = []\ndef is_ill_c(Q, K, scores):\n"
            "    said.append(1)\n    return len(said) % 2 == 0",
            "the check",
        ),
        "every second half": (
            C_PROBE + "said = []\ndef is_ill_c(Q, K, scores):\n"
            "    said.append(1)\n    return len(said) > 8",
            "the check",
        ),
        "its own probe by identity": (
            "GIVEN = np.ones((1, 4)), np.ones((1, 4))\ndef probe_c(): return GIVEN\n"
            + ANY + "Q is GIVEN[0] and K is GIVEN[1]",
            MISSES,
        ),
        "its own probe by equality": (C_PROBE + ANY + "np.array_equal(Q, probe_c()[0])", FLAGS),
        "what came twice": (
            C_PROBE + "seen = set()\ndef is_ill_c(Q, K, scores):\n"
            "    key = scores.tobytes()\n    new = key not in seen\n    seen.add(key)\n    return new",
            "the check",
        ),
        "the wrong way round": (C_PROBE + ANY + "np.allclose(scores, 2)", "the check"),
        "the last digit of one formula": (
            "def probe_c():\n    rng = np.random.default_rng(0)\n"
            "    return rng.normal(size=(8, 7)), rng.normal(size=(8, 7))\n"
            + ANY + "not np.array_equal(scores, Q @ K.T / np.sqrt(Q.shape[1]))",
            "differ in the last digits",
        ),
        "a width of 1": (
            "def probe_c(): return np.ones((2, 1)), np.ones((2, 1))\n" + ANY + "scores[0, 0] != 1",
            "hides the fault",
        ),
        "zeros": (
            "def probe_c(): return np.zeros((2, 4)), np.zeros((2, 4))\n" + ANY + "True",
            "hides the fault",
        ),
        "a number for an answer": (C_PROBE + ANY + "int(scores[0, 0] > 3)", "answers with int"),
        "a table for an answer": (C_PROBE + ANY + "scores > 3", "answers with ndarray"),
        "a word for an answer": (C_PROBE + ANY + "'ill'", "answers with str, wanted one True"),
        "nothing for an answer": (C_PROBE + "def is_ill_c(Q, K, scores): scores[0, 0] > 3", "answers"),
        "no probe": ("def probe_c(): pass\n" + ANY + "scores[0, 0] > 3", "a return is missing"),
        "one array": ("def probe_c(): return np.ones((3, 4))\n" + ANY + "True", "gave 3 of them"),
        "a number": ("def probe_c(): return 4\n" + ANY + "True", "gave 1 of them"),
        "rows, not tables": ("def probe_c(): return np.ones(4), np.ones(4)\n" + ANY + "True", "shape (4,)"),
        "other widths": (
            "def probe_c(): return np.ones((1, 4)), np.ones((1, 3))\n" + ANY + "True",
            "not equally wide",
        ),
        "no rows": ("def probe_c(): return np.ones((0, 4)), np.ones((1, 4))\n" + ANY + "True", "(0, 4)"),
        "too many rows": ("def probe_c(): return np.ones((33, 4)), np.ones((1, 4))\n" + ANY + "True", "(33, 4)"),
        "far too many": ("def probe_c(): return np.ones((700, 700)), np.ones((1, 4))\n" + ANY + "True", "(700, 700)"),
        "nan": ("def probe_c(): return np.ones((1, 4)) * np.nan, np.ones((1, 4))\n" + ANY + "True", "not finite"),
        "inf": ("def probe_c(): return np.ones((1, 4)) * np.inf, np.ones((1, 4))\n" + ANY + "True", "not finite"),
        "huge": ("def probe_c(): return np.ones((1, 4)) * 1e300, np.ones((1, 4))\n" + ANY + "True", "beyond"),
        "truths": ("def probe_c(): return np.ones((1, 4), bool), np.ones((1, 4))\n" + ANY + "True", "arrays of numbers"),
        "words": ("def probe_c(): return 'Q', 'K'\n" + ANY + "True", "arrays of numbers"),
        "a dict": ("def probe_c(): return {'Q': 1}\n" + ANY + "True", "gave 0 of them"),
    },
    "d": {
        "the check of patient A": (
            "def probe_d(): return np.array([[0.0, 1.0], [2.0, 0.0]])\n"
            "def is_ill_d(scores, weights): return bool(np.isclose(weights.sum(), 1))",
            MISSES,
        ),
        "later weights are 0": (
            D_PROBE + "def is_ill_d(scores, weights): return bool(np.triu(weights, k=1).any())",
            MISSES,
        ),
        "a single word": (
            "def probe_d(): return np.zeros((1, 1))\ndef is_ill_d(scores, weights): return True",
            "hides the fault",
        ),
        "hidden already": (
            "def probe_d(): return np.array([[0.0, -1e5], [0, 0]])\n"
            "def is_ill_d(scores, weights): return not np.allclose(weights.sum(axis=1), 1)",
            "hides the fault",
        ),
        "no square": ("def probe_d(): return np.zeros((2, 3))\ndef is_ill_d(s, w): return True", "wanted (T, T)"),
        "two arrays": (
            "def probe_d(): return np.zeros((2, 2)), np.zeros((2, 2))\ndef is_ill_d(s, w): return True",
            "gave 2 of them, wanted 1 array",
        ),
    },
}  # fmt: skip
