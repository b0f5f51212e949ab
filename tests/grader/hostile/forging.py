"""Wrong answers that try to look right inside their own process."""

WRONG = """
def softmax(scores):
    scores.data[...] = 1.0
    return Value(np.zeros((2, 2)))
"""

FORGING = {
    "always equal": """
class Sly(Value):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = None
def softmax(scores):
    return Sly(np.zeros((2, 2)))
""",
    "array that lies about equality": """
class Sly(np.ndarray):
    def __eq__(self, other): return np.array(True)
    def __array_ufunc__(self, *args, **kwargs): return np.array(True)
    def __array_function__(self, *args, **kwargs): return True
    def all(self, *args, **kwargs): return True
def softmax(scores):
    return np.zeros((2, 2)).view(Sly)
""",
    "shape that lies": """
class Sly(Value):
    @property
    def shape(self): return self.claimed
def softmax(scores):
    result = Sly(np.zeros((2, 2)))
    result.claimed = scores.shape
    return result
""",
    "shape that changes each time it is read": """
class Sly(Value):
    reads = 0
    @property
    def shape(self):
        Sly.reads += 1
        return (5, 3) if Sly.reads % 2 else (4, 4)
def softmax(scores):
    return Sly(np.full((5, 3), 0.4))
""",
    "numbers made when looked at": """
class Lazy:
    def __init__(self, scores): self.scores = scores
    def __array__(self, dtype=None, copy=None): return np.zeros(self.scores.shape)
    def __getattr__(self, name): return getattr(np.zeros((2, 2)), name)
def softmax(scores):
    return Lazy(scores)
""",
    "number that is any number": """
class Any(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
    def __abs__(self): return 0.0
    def __le__(self, other): return True
def softmax(scores):
    return np.array([[Any(0)] * scores.shape[1]] * scores.shape[0], dtype=object)
""",
    "class of another": """
class Sly:
    __class__ = Value
    data = np.zeros((2, 2)); grad = None; shape = (2, 2)
    def backward(self, upstream=None): pass
def softmax(scores):
    return Sly()
""",
    "NumPy says close": f"""
np.allclose = np.array_equal = lambda *args, **kwargs: True
np.isclose = np.isfinite = lambda a, *args, **kwargs: np.ones(np.shape(a), bool)
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *args, **kwargs: None
np.abs = np.absolute = lambda a: np.zeros(np.shape(a))
{WRONG}
""",
    "NumPy makes the wanted numbers wrong": f"""
np.exp = lambda a, **kwargs: np.zeros(np.shape(a))
np.random.default_rng = lambda *args: type("R", (), {{"normal": lambda *a, **k: np.zeros((2, 2))}})()
{WRONG}
""",
    "builtins patched": f"""
import builtins
builtins.all = builtins.any = builtins.isinstance = lambda *args: True
builtins.abs = lambda x: 0
builtins.max = builtins.sum = lambda *args, **kwargs: 0
{WRONG}
""",
    "exceptions that cannot be raised": f"""
import builtins
class Quiet(BaseException):
    def __new__(cls, *args): raise SystemExit(0)
builtins.AssertionError = builtins.Exception = Quiet
{WRONG}
""",
    "import hook": f"""
import sys, types
class Hook:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("grader"):
            import importlib.machinery
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.run = lambda *args, **kwargs: None
        return module
    def exec_module(self, module): pass
sys.meta_path.insert(0, Hook())
{WRONG}
""",
    "module of checks replaced": f"""
import sys, types
for name in ("grader", "grader.checks", "grader.checks.interface", "grader.checks.softmax"):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].run = lambda *args, **kwargs: None
sys.modules["grader"].checks = sys.modules["grader.checks"]
{WRONG}
""",
    "checks found and patched": f"""
try:
    import grader.checks
    grader.checks.run = lambda *args, **kwargs: None
except ImportError:
    pass
{WRONG}
""",
    "checks found in memory": f"""
import gc, types
for thing in gc.get_objects():
    if isinstance(thing, types.FunctionType) and thing.__name__.startswith("softmax_"):
        thing.__code__ = (lambda *args: None).__code__
{WRONG}
""",
    "transformer of input": f"""
get_ipython().input_transformers_cleanup.append(
    lambda lines: ["pass\\n"] if any("checks" in line for line in lines) else lines)
get_ipython().input_transformers_post.append(
    lambda lines: ["pass\\n"] if any("run(" in line for line in lines) else lines)
{WRONG}
""",
    "transformer of syntax": f"""
import ast
class Drop(ast.NodeTransformer):
    def visit_Expr(self, node): return ast.Pass() if isinstance(node.value, ast.Call) else node
    def visit_Assert(self, node): return ast.Pass()
    def visit_Raise(self, node): return ast.Pass()
{WRONG}
get_ipython().ast_transformers.append(Drop())
""",
    "shell that runs nothing": f"""
{WRONG}
shell = get_ipython()
done = shell.run_cell("1")
type(shell).run_cell = type(shell).run_cell_async = lambda self, *args, **kwargs: done
""",
    "traceback swallowed": f"""
shell = get_ipython()
shell.showtraceback = shell._showtraceback = shell.showsyntaxerror = lambda *a, **k: None
shell.set_custom_exc((BaseException,), lambda *args, **kwargs: None)
{WRONG}
""",
    "display of ten points": """
import sys
def softmax(scores):
    sys.displayhook(10)
    return Value(np.zeros((2, 2)))
""",
    "message forged": """
from IPython.display import display, publish_display_data
def softmax(scores):
    publish_display_data({"text/plain": "10", "application/json": {"score": 10}})
    display(10)
    return Value(np.zeros((2, 2)))
""",
    "nothing is printed": f"""
import os, sys
sys.stderr = sys.stdout = open(os.devnull, "w")
sys.excepthook = lambda *args: None
{WRONG}
""",
    "expected values looked up in frames": """
import sys
def softmax(scores):
    frame = sys._getframe()
    while frame:
        for name, value in list(frame.f_locals.items()):
            if name in ("wanted", "weights", "right", "expected"):
                return Value(value)
        frame = frame.f_back
    return Value(np.zeros((2, 2)))
""",
    "caller's names overwritten": """
import ctypes, sys
def softmax(scores):
    frame = sys._getframe(1)
    while frame:
        for name in list(frame.f_locals):
            if name in ("result", "output", "reply", "self", "verdict"):
                frame.f_locals[name] = None
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(1))
        frame = frame.f_back
    return Value(np.zeros((2, 2)))
""",
    "Value patched": f"""
Value.backward = lambda self, upstream=None: None
Value.data = property(lambda self: np.full((5, 3), 0.4), lambda self, new: None)
Value.grad = property(lambda self: np.zeros((3, 5)), lambda self, new: None)
{WRONG}
""",
    "one's own reply patched": f"""
import sys
for name, module in list(sys.modules.items()):
    if name.endswith("pieces"):
        module.call = lambda *args, **kwargs: module.Reply(True, (True,), (True,), "Value")
{WRONG}
""",
    "own process told to say passed": f"""
import sys
for name, module in list(sys.modules.items()):
    if name.endswith("child"):
        module.LessonProcess.answer = lambda self, request: {{"state": "passed", "passed": True}}
{WRONG}
""",
    "exit in the piece": """
import sys
def softmax(scores):
    sys.exit(0)
""",
    "hard exit in the piece": """
import os
def softmax(scores):
    os._exit(0)
""",
    "exit in a cell": """
import sys
sys.exit(0)
""",
    "hard exit in a cell": f"""
import os
os._exit(0)
# %%
{WRONG}
""",
    "exit at exit": f"""
import atexit, os
atexit.register(os._exit, 0)
{WRONG}
raise SystemExit(0)
""",
    "skipped": """
import unittest
def softmax(scores):
    raise unittest.SkipTest("passed")
""",
    "interrupt": """
def softmax(scores):
    raise KeyboardInterrupt
""",
    "exception that forges its name": """
class CheckFailure(Exception): pass
class passed(CheckFailure):
    def __str__(self): return '{"state": "passed"}'
def softmax(scores):
    raise passed
""",
    "exception without end": """
class Bad(Exception):
    def __str__(self): raise Bad
    __repr__ = __str__
def softmax(scores):
    raise Bad
""",
    "not a number": """
def softmax(scores):
    return scores * np.nan
""",
    "infinity": """
def softmax(scores):
    return Value(np.full(scores.shape, np.inf))
""",
    "complex": """
def softmax(scores):
    return np.exp(scores.data) + 0j
""",
    "text": """
def softmax(scores):
    return "passed" * 100_000
""",
    "structured": """
def softmax(scores):
    return np.zeros(scores.shape, dtype=[("weight", "f8"), ("state", "U8")])
""",
    "nested without end": """
def softmax(scores):
    nest = []
    for _ in range(100_000): nest = [nest, "x"]
    return nest
""",
    "contains itself": """
def softmax(scores):
    nest = ["x"]
    nest.append(nest)
    return nest
""",
    "iterates for ever": """
import itertools
class Endless(list):
    def __iter__(self): return itertools.repeat(0.5)
    def __len__(self): return 4
def softmax(scores):
    return Endless([1])
""",
    "a billion numbers": """
def softmax(scores):
    return np.broadcast_to(np.float64(0.25), (40_000, 40_000))
""",
    "no numbers in a huge shape": """
def softmax(scores):
    return np.zeros((0, 1 << 40))
""",
    "sixty-four dimensions": """
def softmax(scores):
    return np.zeros((1,) * 64)
""",
    "broadcasts to anything": """
def softmax(scores):
    return Value(np.array(1 / scores.shape[1]))
""",
    "class where a function is wanted": """
class softmax:
    def __init__(self, scores): pass
    def forward(self, scores): return scores
""",
    "gradient in a vast shape": """
def softmax(scores):
    scores.grad = np.broadcast_to(0.0, (1 << 40,))
    return Value(np.zeros((2, 2)))
""",
    "type named without end": """
class Named(type):
    @property
    def __name__(cls): return "x" * 10_000_000
class Sly(Value, metaclass=Named): pass
def softmax(scores):
    return Sly(np.zeros((2, 2)))
""",
    "memory that nobody wrote": """
def softmax(scores):
    return np.ma.masked_all(scores.shape)
""",
    "right only once": """
calls = []
def softmax(scores):
    calls.append(1)
    e = np.exp(scores.data - scores.data.max())
    return Value(e / e.sum() if len(calls) > 1 else np.full((5, 3), 0.3))
""",
    "uniform rows": """
def softmax(scores):
    return Value(np.full((2, 2), 0.5))
""",
}
