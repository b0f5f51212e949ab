"""What honest notebooks hold around, above and below a right `softmax`; `# %%` parts the cells."""

BODY = """
    e = (scores - scores.data.max(axis=1, keepdims=True)).exp()
    return e / e.sum(axis=1, keepdims=True)
"""
RIGHT = "def softmax(scores):" + BODY
IN_BLOCK = RIGHT.replace("\n", "\n    ")
LOOPS = """
def softmax(scores):
    rows = []
    for i in range(len(scores.data)):
        largest = max(scores.data[i].tolist())
        row = [(scores[i, j] - largest).exp() for j in range(scores.shape[1])]
        total = sum(row[1:], row[0])
        rows.append(Value([one / total for one in row]))
    return Value(rows)
"""
WITH_AXIS = BODY.replace("axis=1", "axis=AXIS")
PARTS = (
    "def softmax(scores):\n    e = shift(scores).exp()\n    return e / e.sum(axis=1, keepdims=True)"
)
SHIFT = "def shift(s): return s - s.data.max(axis=1, keepdims=True)"

MEASURES = {
    "timeit": f"{RIGHT}\n# %%\n%timeit softmax(1)\n# %%\n%%timeit\nsoftmax(1)",
    "timeit with a result": f"res = %timeit -o 1 + 1\nprint(res.average * 2, f'{{res.best:.3f}}')\n{RIGHT}",
    "profilers and debuggers": f"%prun 1 + 1\n%load_ext line_profiler\n%lprun -f len len([])\n%debug\n{RIGHT}",
    "timed cell": f"%%time\nimport torch\n{RIGHT}",
    "captured cell": f"%%capture out\n{RIGHT}\n# %%\nout.show()",
    "profiled cell": f"%%prun\n{RIGHT}",
    "installs": f"!pip install torch\n%pip install -q torch\n%env A=1\n%cd ..\n{RIGHT}",
    "reset": f"{RIGHT}\n# %%\n%reset -f",
    "file written by a cell": f"%%writefile own_shift.py\n{SHIFT}\n# %%\nfrom own_shift import shift\n{PARTS}",
}

STOPS = {
    "experiments that take long": "# %%\n".join(["import time; time.sleep(30)\n"] * 3)
    + f"# %%\n{RIGHT}",
    "long in the answer's cell": f"import time\ntime.sleep(30)\n{RIGHT}\nwhile True: pass",
    "every way out": "# %%\n".join(
        [
            "import os; os._exit(1)\n", "import os; os.abort()\n", "import sys; sys.exit()\n",
            "quit()\n", "exit(3)\n", "raise SystemExit\n", "raise KeyboardInterrupt\n",
            "import os; os._exit(2)\n",
        ]
    )
    + f"# %%\n{RIGHT}",
    "crashes, loops and ways out": "# %%\n".join(
        [
            "import ctypes; ctypes.string_at(0)\n", "while True: pass\n", "import os; os._exit(0)\n",
            "10 ** (10 ** 8)\n", "import time; time.sleep(30)\n", "raise SystemExit\n",
        ]
    )
    + f"# %%\n{RIGHT}",
    "loop above what the answer needs": f"while True: pass\nAXIS = -1\ndef softmax(scores):{WITH_AXIS}",
    "crash in the answer's cell": f"{RIGHT}\nimport ctypes; ctypes.string_at(0)",
    "waits for input": f"n = int(input('n? '))\n{RIGHT}",
    "recursion": f"def f(n): return f(n + 1)\nf(0)\n{RIGHT}\nimport sys\nsys.setrecursionlimit(60)",
    "too much memory": f"x = np.ones((1 << 30, 1 << 20))\n{RIGHT}",
    "breakpoint": f"def softmax(scores):\n    breakpoint(){BODY}",
}  # fmt: skip

LEFT_BEHIND = {
    "error state": f"np.seterr(all='raise')\n{RIGHT}",
    "error state below": f"{RIGHT}\n# %%\nnp.errstate(all='raise').__enter__()",
    "warnings as errors": f"{RIGHT}\n# %%\nimport warnings\nwarnings.simplefilter('error')",
    "patched NumPy": f"{RIGHT}\n# %%\nnp.exp = None\nnp.sum = np.array = list\ndel np.ones",
    "patched Value": f"{RIGHT}\n# %%\nValue.exp = Value.__sub__ = None",
    "patched builtins": f"{LOOPS}\n# %%\nimport builtins\nbuiltins.sum = builtins.len = None",
    "no stdout": f"import sys\nsys.stdout = None\ndef softmax(scores):\n    print(1){BODY}",
    "alarm": f"""
import signal, time
def ring(*_): raise TimeoutError
{RIGHT.replace("    e =", "    time.sleep(0.05); e =")}
# %%
signal.signal(signal.SIGALRM, ring); signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
""",
    "trace": f"import sys\n{RIGHT}\n# %%\ndef trace(*a): raise ValueError\nsys.settrace(trace)",
    "shadowed builtins": f"{LOOPS}\n# %%\nmax = sum = len = 3; range = []",
    "star imports": f"{LOOPS}\n# %%\nfrom math import *\nfrom numpy import *",
    "given names used again": f"{LOOPS}\n# %%\nValue = 4; np = None\n# %%\ndel np",
    "given class written again": f"{LOOPS}\n# %%\nclass Value: pass\ndef np(): pass",
    "rebound to its result": f"{RIGHT}\n# %%\nsoftmax = softmax(Value(np.eye(2)))",
    "rebound in its own cell": f"{RIGHT}\nsoftmax = softmax(Value(np.eye(2)))",
    "deleted": f"{RIGHT}\n# %%\ndel softmax",
    "constant used again": f"AXIS = 1\ndef softmax(scores):{WITH_AXIS}\n# %%\nAXIS = 0",
    "constant below used again": f"def softmax(scores):{WITH_AXIS}\n# %%\nAXIS = 1\n# %%\nAXIS = 0",
    "helper rebound to its result": f"{SHIFT}\n{PARTS}\n# %%\nshift = shift(Value(np.eye(2)))",
    "helper mended below": f"def shift(s): return 0 * s\n{PARTS}\n# %%\n{SHIFT}",
    "wrapped": f"import functools\n{RIGHT}\nsoftmax = functools.partial(softmax)",
    "object of a class of the same name": f"class softmax:\n    {IN_BLOCK}\nsoftmax = softmax()".replace(
        "def softmax(", "def __call__(self, "
    ),
}

MISSING = {
    "packages": f"import torch\nfrom torch import nn\nimport pandas as pd, numpy as np\n{RIGHT}",
    "packages for pictures": f"""
import seaborn as sns
from ipywidgets import interact
from tqdm.auto import tqdm, trange
sns.set_theme()
@interact(T=(1, 5))
def play(T=3): print(T)
for i in tqdm([2, 3]): last = i
assert last == 3
{RIGHT}
""",
    "in a block": f"if True:\n    import torch\n    {IN_BLOCK}",
    "in the body": f"def softmax(scores):\n    import torch\n    import seaborn{BODY}",
    "tried": f"""
try:
    import torch
    HAVE_TORCH = True
except ImportError:
    HAVE_TORCH = False
def softmax(scores):
    if HAVE_TORCH: return torch.softmax(scores){BODY}
""",
    "tried in the body": f"""
def softmax(scores):
    try:
        import torch
        return torch.softmax(scores)
    except ImportError:
        pass{BODY}
""",
    "decorator": f"from numba import njit\n@njit\ndef softmax(scores):{BODY}",
    "annotations": f"import torch\ndef softmax(scores: torch.Tensor | None) -> list[Absent]:{BODY}",
    "import of a name at hand": f"import np\nfrom value import Value\n{RIGHT}",
    "own file": f"from my_helpers import *\nimport my_helpers\n{RIGHT}",
    "newer Python": f"{RIGHT}\ntype Row = list\ndef first[T](x: T) -> T: return x",
    "statement that is no Python": f"{RIGHT}\nfor i in range(3)\n    print(i)",
    "unfinished function above": f"def other(x):\n\n{RIGHT}",
    "unfinished cells": f"def other(x):\n# %%\n{RIGHT}\n# %%\nprint(",
}

PICTURES = """
fig, (a, b, c) = plt.subplots(1, 3)
fig, ((a, b), (c, d)) = plt.subplots(2, 2)
first, *rest = a.lines
*rest, last = a.lines
lo, hi = a.get_xlim(); a.set_xlim(lo - 0.5 * (hi - lo), -hi + 1)
lo += 1; hi *= 2; hi % 2 + 2 ** lo + abs(lo) // 3; np.ones(3) * hi + lo; np.sqrt(hi)
print(f"{hi:.2f} {lo:>10}", "%.2f" % hi, round(hi, 2), int(hi), hi > lo, sum([lo, hi]))
axes = plt.subplots(2, 3, squeeze=False)[1]; assert axes.shape == (2, 3) and len(list(axes.flat)) == 6
for ax, name in zip(axes.flat, "abcdef"): ax.set_title(name); last = name
assert last == "f"
np.array(a.get_ylim()).mean(); np.linspace(*a.get_xlim(), 5); len(a.lines); 3 in a.lines
plt.rcParams["font.size"] = 3; plt.rcParams.update({"a": 1}); dict(plt.rcParams)
with plt.rc_context({"a": 1}), plt.style.context("x"): plt.show()
def draw(ax: Axes | None = None) -> Axes | None: return ax or plt.gca()
Maybe = Axes | None; Or = None | Axes; isinstance(draw(), Axes)
class Own(Axes):
    def __init__(self, *given): super().__init__(*given)
Own(3).plot()
del a.lines[0]; a.spines[["top", "right"]].set_visible(False); a.x = 3; del a.x
r, g, b, alpha = plt.get_cmap("viridis")(0.5); {a: 1}; a == b
""".strip().split("\n")
