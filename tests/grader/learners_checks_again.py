"""More checks that learners write in lesson 09; see `learners_checks.py`."""

RANDOM_C = (
    "def probe_c():\n    rng = np.random.default_rng(7)\n"
    "    return rng.normal(size=(4, 6)), rng.normal(size=(3, 6))\n"
)
RANDOM_D = "def probe_d():\n    return np.random.default_rng(7).normal(size=(5, 5))\n"
ONES_C = "def probe_c(): return np.ones((2, 9)), np.ones((3, 9))\n"
ZEROS_D = "def probe_d(): return np.zeros((4, 4))\n"
C, D = "def is_ill_c(Q, K, scores): ", "def is_ill_d(scores, weights): "

RIGHT = {
    "c": {
        "the largest score": ONES_C + C + "return scores.max() > 3.5",
        "the mean score": ONES_C + C + "return abs(scores.mean() - 3) > 1e-9",
        "one entry to a tolerance": ONES_C + C + "return abs(scores[1, 2] - 3) > 1e-6",
        "the sum over all": ONES_C + C + "return not np.isclose(np.sum(scores), 18)",
        "scores times the root": RANDOM_C + C + "return not np.allclose(scores * 6 ** 0.5, Q @ K.T)",
        "the ratio to the products": RANDOM_C + C
        + "return not np.allclose(scores / (Q @ K.T), 1 / np.sqrt(Q.shape[-1]))",
        "squares": RANDOM_C + C + "return not np.allclose(scores ** 2 * 6, (Q @ K.T) ** 2)",
        "einsum": RANDOM_C + C
        + "return bool(np.abs(np.einsum('id,jd->ij', Q, K) / np.sqrt(6) - scores).max() > 1e-6)",
        "all by all": RANDOM_C + C
        + "return not all(np.isclose(scores[i, j], Q[i].dot(K[j]) / 6 ** 0.5)\n"
        "        for i in range(len(Q)) for j in range(len(K)))",
        "nearer to the products than to the scaled ones": RANDOM_C + C
        + "return bool(abs(scores - Q @ K.T).sum() < abs(scores - Q @ K.T / 6 ** 0.5).sum())",
        "two widths by blocks": (
            "def probe_c(): return np.eye(4) * 2, np.eye(4) * 2\n" + C
            + "return scores.trace() != 8"
        ),
        "negative products": (
            "def probe_c(): return [[1, 1, 1, 1]], [[-1, -1, -1, -1]]\n" + C + "return scores[0, 0] < -2.5"
        ),
        "spread within a row": (
            "def probe_c():\n    rng = np.random.default_rng(2)\n"
            "    return rng.normal(size=(20, 25)), rng.normal(size=(20, 25))\n"
            + C + "return scores.std(axis=1).mean() > 2.5"
        ),
    },
    "d": {
        "every row by a loop": RANDOM_D + "def is_ill_d(scores, weights):\n"
        "    for row in weights:\n        if abs(sum(row) - 1) > 1e-6: return True\n    return False",
        "some row is short": ZEROS_D + D + "return bool((weights.sum(axis=1) < 0.99).any())",
        "the smallest sum": RANDOM_D + D + "return weights.sum(1).min() < 1 - 1e-9",
        "the whole sum": ZEROS_D + D + "return round(float(weights.sum()), 6) != 4",
        "the first entry alone": RANDOM_D + D + "return weights[0][0] < 0.9999999",
        "the second row": ZEROS_D + D + "return not np.allclose(weights[1], [0.5, 0.5, 0, 0])",
        "a mean": ZEROS_D + D + "return weights.sum(axis=-1).mean() < 0.999",
        "a table by hand": ZEROS_D + D
        + "return not np.allclose(weights, [[1, 0, 0, 0], [1/2, 1/2, 0, 0], [1/3] * 3 + [0], [1/4] * 4])",
        "softmax of each beginning": RANDOM_D + "def is_ill_d(scores, weights):\n"
        "    for i in range(len(scores)):\n        e = np.exp(scores[i, :i + 1])\n"
        "        if not np.allclose(weights[i, :i + 1], e / e.sum()): return True\n    return False",
        "what fails to be a distribution": RANDOM_D + D
        + "return not (np.all(weights >= 0) and np.allclose(weights @ np.ones(5), 1))",
        "far above by 50": (
            "def probe_d():\n    s = np.zeros((3, 3))\n    s[0, 2] = 50\n    return s\n"
            + D + "return weights[0, 0] < 0.5"
        ),
        "numbers of a list": "def probe_d(): return [[1, 2], [3, 4]]\n" + D + "return float(weights[0].sum()) < 0.8",
    },
}  # fmt: skip

# The patients as the lesson gives them: what a check must not rest on.
PATIENT_C = (
    "def patient_c(Q, K):\n    rows = []\n    for query in Q:\n"
    "        rows.append((K * query).sum(axis=1))\n    return Value(rows)\n"
)
PATIENT_D = "def patient_d(scores):\n    return np.tril(np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True))\n"
NOT_THE_PATIENT = "whose numbers are not the patient's"
MISSES, FLAGS, ANY = "finds nothing wrong", "flags a healthy version", "the check"

USELESS = {
    "c": {
        "the patient itself": (
            RANDOM_C + PATIENT_C + C + "return np.allclose(scores, patient_c(Value(Q), Value(K)).data)", NOT_THE_PATIENT,
        ),
        "the patient's formula": (RANDOM_C + C + "return np.allclose(scores, Q @ K.T)", NOT_THE_PATIENT),
        "the patient, loosely": (RANDOM_C + C + "return np.allclose(scores, Q @ K.T, rtol=0.05, atol=0.05)", NOT_THE_PATIENT),
        "the patient's number": (ONES_C + C + "return scores[0, 0] == 9", NOT_THE_PATIENT),
        "the patient's ratio": (RANDOM_C + C + "return np.allclose(scores / (Q @ K.T), 1)", NOT_THE_PATIENT),
        "the shape": (RANDOM_C + C + "return scores.shape != (4, 3)", MISSES),
        "nan": (RANDOM_C + C + "return bool(np.isnan(scores).any())", MISSES),
        "the sign": (RANDOM_C + C + "return bool(((scores > 0) != (Q @ K.T > 0)).any())", MISSES),
        "the largest place": (RANDOM_C + C + "return bool((scores.argmax(1) != (Q @ K.T).argmax(1)).any())", MISSES),
        "divided by d_k": (RANDOM_C + C + "return not np.allclose(scores, Q @ K.T / 6)", FLAGS),
        "rows add up to 1": (RANDOM_C + C + "return not np.allclose(scores.sum(axis=1), 1)", FLAGS),
        "a hash": (RANDOM_C + C + "return hash(scores.tobytes()) % 2 == 0", ANY),
        "the first is ill": (
            RANDOM_C + "first = []\n" + C + "\n    first.append(scores.tobytes())\n    return scores.tobytes() == first[0]", ANY,
        ),
        "the first is healthy, and all near it": (
            RANDOM_C + "first = []\n" + C
            + "\n    first.append(scores)\n    return not np.allclose(scores, first[0])", MISSES,
        ),
        "raises what it knows": (RANDOM_C + C + "return Q.T.nothing(K)", None),
    },
    "d": {
        "the patient itself": (RANDOM_D + PATIENT_D + D + "return np.allclose(weights, patient_d(scores))", NOT_THE_PATIENT),
        "the patient's sums": (
            RANDOM_D + PATIENT_D + D + "return np.allclose(weights.sum(1), patient_d(scores).sum(1))", NOT_THE_PATIENT,
        ),
        "the patient's first entry": (ZEROS_D + D + "return np.isclose(weights[0, 0], 1 / 4)", NOT_THE_PATIENT),
        "the patient's total": (ZEROS_D + D + "return np.isclose(weights.sum(), 2.5)", NOT_THE_PATIENT),
        "below 0": (RANDOM_D + D + "return bool((weights < 0).any())", MISSES),
        "the last row": (RANDOM_D + D + "return weights[-1].sum() < 0.5", MISSES),
        "the future": (RANDOM_D + D + "return weights[0, 1] != 0", MISSES),
        "columns": (RANDOM_D + D + "return not np.allclose(weights.sum(axis=0), 1)", FLAGS),
        "nothing hidden": (
            RANDOM_D + D + "return not np.allclose(weights, np.exp(scores) / np.exp(scores).sum(1, keepdims=True))", FLAGS,
        ),
        "equal shares": (RANDOM_D + D + "return not np.allclose(weights[1, 0], weights[1, 1])", FLAGS),
    },
}  # fmt: skip
