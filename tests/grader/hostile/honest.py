"""Right answers in odd clothes: each deserves every point."""

RIGHT = """
def softmax(scores):
    e = (scores - scores.data.max(axis=1, keepdims=True)).exp()
    return e / e.sum(axis=1, keepdims=True)
"""

HONEST = {
    "plain": RIGHT,
    "shell lines and magics": f"!pip install numpy\n%matplotlib inline\nfiles = !ls\n{RIGHT}",
    "cells of other languages": f"%%bash\nls\n# %%\n%%python\nprint(1)\n# %%\n{RIGHT}",
    "pictures set up": f"""
%config InlineBackend.figure_format = "retina"
import matplotlib as mpl, matplotlib.pyplot as plt
plt.rcParams["figure.dpi"] = 120; mpl.use("agg"); plt.style.use("ggplot")
{RIGHT}
""",
    "asks for help": f"help(len)\n?len\n{RIGHT}\nimport getpass; getpass.getuser()",
    "timed cell": f"%%time\n{RIGHT}",
    "pictures beside the answer": f"""
import matplotlib.pyplot as plt
from matplotlib.colors import Normalize
fig, ax = plt.subplots(figsize=(3, 2))
ax.imshow(np.eye(3), norm=Normalize(0, 1)); ax.set_title("x"); plt.show()
plot.show(plot.heatmap(np.eye(3)), "x")
{RIGHT}
""",
    "visible checks called": f"{RIGHT}\nchecks.softmax(softmax)\nchecks.anything(1)",
    "cells that fail around it": f"1 / 0\n# %%\nthis is no Python\n# %%\n{RIGHT}\n# %%\nundefined",
    "waits for input": f"name = input('your name? ')\n# %%\n{RIGHT}",
    "leaves by exit": f"{RIGHT}\n# %%\nimport sys\nsys.exit()\n# %%\nquit()\n# %%\nexit",
    "a cell that dies": f"import os\nos._exit(1)\n# %%\n{RIGHT}",
    "a cell that never ends": f"while True: pass\n# %%\n{RIGHT}",
    "two cells that die": f"import os\nos._exit(1)\n# %%\n{RIGHT}\n# %%\nimport os; os._exit(2)",
    "helpers in other cells": """
def shifted(scores): return scores - scores.data.max(axis=1, keepdims=True)
# %%
def softmax(scores): return normalised(shifted(scores).exp())
# %%
def normalised(e): return e / e.sum(axis=1, keepdims=True)
""",
    "a broken second try further down": f"{RIGHT}\n# %% check\n# %%\ndef softmax(scores): return scores",
    "loops": """
def softmax(scores):
    rows = []
    for i in range(scores.shape[0]):
        largest = max(scores.data[i])
        row = [(scores[i, j] - largest).exp() for j in range(scores.shape[1])]
        total = sum(row[1:], row[0])
        rows.append(Value([one / total for one in row]))
    return Value(rows)
""",
    "lambda": "softmax = lambda s: (e := (s - s.data.max(1, keepdims=True)).exp()) / e.sum(1, keepdims=True)",
    "callable object": """
class Softmax:
    def __call__(self, scores):
        e = (scores - scores.data.max(axis=1, keepdims=True)).exp()
        return e / e.sum(axis=1, keepdims=True)
softmax = Softmax()
""",
    "log-sum-exp": """
def softmax(scores):
    m = scores.data.max(axis=1, keepdims=True)
    return (scores - m - (scores - m).exp().sum(axis=1, keepdims=True).log()).exp()
""",
    "prints a lot": RIGHT.replace(
        "    e =", "    print('scores', scores.data, '\\n' * 500)\n    e ="
    ),
    "warns and logs": f"""
import logging, sys, warnings
warnings.warn("look out"); logging.error("look out"); print("look out", file=sys.stderr)
{RIGHT}
""",
    "own names for common things": f"checks = plot = None\nsum = max = print = list = 0\n{RIGHT}",
    "NumPy raises on everything": f"np.seterr(all='raise', under='ignore')\nnp.set_printoptions(1)\n{RIGHT}",
    "warnings are errors": f"import warnings\nwarnings.simplefilter('error')\n{RIGHT}",
    "writes a file of its own": f"np.save('weights.npy', np.eye(3)); np.load('weights.npy')\n{RIGHT}",
    "temporary file": f"import tempfile\nwith tempfile.TemporaryFile() as f: f.write(b'x')\n{RIGHT}",
    "waits for a coroutine": f"import asyncio\nawait asyncio.sleep(0.01)\n{RIGHT}",
    "imports much": f"import collections, dataclasses, decimal, functools, math, random, statistics\n{RIGHT}",
    "imports what may be missing": f"""
try:
    import scipy.special
except ImportError:
    scipy = None
{RIGHT}
""",
    "names in other scripts": "def softmax(ש):\n" + RIGHT.split("\n", 2)[2].replace("scores", "ש"),
    "documented and typed": RIGHT.replace(
        "(scores):", "(scores: 'Value') -> 'Value':\n    '''Return it.'''"
    ),
    "extensions": f"%load_ext autoreload\n%autoreload 2\n{RIGHT}",
    "shows things": f"from IPython.display import HTML, Markdown, display\ndisplay(HTML('<b>x</b>'), 1)\n{RIGHT}",
    "slow": RIGHT.replace("    e =", "    import time; time.sleep(0.1)\n    e ="),
    "collects garbage": f"import gc\ngc.disable(); gc.collect()\n{RIGHT}",
    "deletes what it imported": f"from math import *\n{RIGHT}\ndel pi",
}
