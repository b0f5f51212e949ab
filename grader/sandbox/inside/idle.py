"""Stand-ins for packages that a graded run does not have: for pictures, and for all others.

What only shows something is done by nothing at all, however it is used. Of a package that is
missing only the name is there: using it says which one is missing.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import itertools
import opcode
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

SHOWN_ONLY = (
    "attnkit.checks", "attnkit.plot", "matplotlib", "mpl_toolkits", "seaborn", "plotly", "bokeh",
    "altair", "ipywidgets", "ipympl", "tqdm",
)  # fmt: skip
NEVER = ("attnkit", "grader", "inside", "solutions")  # the course's own: there, or truly missing

Content = Callable[[str], Any]

_UNARY = "neg pos abs invert round trunc floor ceil"
_BINARY = "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift"
_ORDER = "lt le gt ge"


class Idle:
    """Anything at all, doing nothing: stands for figures, axes and verdicts."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __delattr__(self, _: str) -> None:
        pass

    def __call__(self, *given: Any, **options: Any) -> Any:
        """Return the function that is decorated, if it is one; else nothing in particular."""
        return given[0] if _is_decorated(given, options) else self

    def __getitem__(self, _: Any) -> Any:
        return self

    def __setitem__(self, *_: Any) -> None:
        pass

    def __delitem__(self, _: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return itertools.repeat(self, _wanted(sys._getframe(1)))

    def __len__(self) -> int:
        return 2

    def __contains__(self, _: Any) -> bool:
        return True

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def __int__(self) -> int:
        return 0

    __index__ = __int__

    def __float__(self) -> float:
        return 0.0

    def __complex__(self) -> complex:
        return 0j

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        return np.zeros(2)

    def __array_ufunc__(self, *_: Any, **__: Any) -> Any:
        return self

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, Idle)

    def __subclasscheck__(self, _: Any) -> bool:
        return False

    def __mro_entries__(self, _: Any) -> tuple[type, ...]:
        return (Idle,)

    def __format__(self, _: str) -> str:
        return str(self)

    def __repr__(self) -> str:
        return "not shown in a graded run"


for _name in [*_UNARY.split(), *_BINARY.split(), *(f"r{one}" for one in _BINARY.split())]:
    setattr(Idle, f"__{_name}__", lambda self, *_: self)
for _name in _ORDER.split():
    setattr(Idle, f"__{_name}__", lambda self, _: False)


def _is_decorated(given: Sequence[Any], options: Any) -> bool:
    return len(given) == 1 and not options and isinstance(given[0], types.FunctionType | type)


def _wanted(frame: types.FrameType) -> int:
    """Return how many parts the line that asks unpacks into, and 2 where it does not say."""
    code, place = frame.f_code.co_code, frame.f_lasti
    operation, argument = opcode.opname[code[place]], code[place + 1]
    if operation == "UNPACK_SEQUENCE":
        return argument
    if operation == "UNPACK_EX":  # a, *b = ... ; its upper byte stands in the operation before
        return argument + (
            code[place - 1] if opcode.opname[code[place - 2]] == "EXTENDED_ARG" else 0
        )
    return 2


class Figure(Idle):
    """A figure: its axes come in the shape that was asked for."""

    def subplots(
        self, nrows: Any = 1, ncols: Any = 1, *_: Any, squeeze: bool = True, **__: Any
    ) -> Any:
        """Return one stand-in or an array of them, as matplotlib does."""
        axes = np.empty((int(nrows), int(ncols)), dtype=object)
        for place in np.ndindex(axes.shape):
            axes[place] = Idle()
        if not squeeze:
            return axes
        return axes.item() if axes.size == 1 else axes.squeeze()


def _subplots(*given: Any, **options: Any) -> tuple[Figure, Any]:
    figure = Figure()
    return figure, figure.subplots(*given, **options)


class Bar(Idle):
    """A progress bar: shows nothing, and goes through what it was given."""

    def __init__(self, iterable: Iterable[Any] = (), *_: Any, **__: Any) -> None:
        self._iterable = iterable

    def __iter__(self) -> Iterator[Any]:
        return iter(self._iterable)


class Absent:
    """What was imported from a package that is missing: there to be named, not to be used."""

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(self._package)

    def __call__(self, *given: Any, **options: Any) -> Any:
        """Return the function that is decorated; any other use says what is missing."""
        if _is_decorated(given, options):
            return given[0]
        return self._missing() if given else self

    def _missing(self, *_: Any) -> Any:
        raise ModuleNotFoundError(f"No module named {self._package!r}", name=self._package)


_USES = "getitem setitem iter len contains enter exit int float array mro_entries format"
for _name in [*_UNARY.split(), *_BINARY.split(), *_ORDER.split(), *_USES.split()]:
    setattr(Absent, f"__{_name}__", Absent._missing)
for _name in _BINARY.split():
    setattr(Absent, f"__r{_name}__", Absent._missing)


class _Module(types.ModuleType):
    """A module in which every name is what `content` gives for it."""

    def __init__(self, name: str, content: Content) -> None:
        super().__init__(name)
        self._content = content

    def __getattr__(self, name: str) -> Any:
        if name == "__version__":
            return "99.0.0"
        if name.startswith("__"):
            raise AttributeError(name)
        return self._content(name)


_ACTIVE: dict[str, Callable[..., Any]] = {
    "subplots": _subplots,
    "figure": lambda *_, **__: Figure(),
    "tqdm": Bar,
    "trange": lambda *given, **_: Bar(range(*given)),
}


def _shown(_: str) -> Content:
    return lambda name: _ACTIVE.get(name) or Idle()


def _absent(module: str) -> Content:
    return lambda _: Absent(module.partition(".")[0])


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports modules whose name `covers` accepts; `content(module)` gives what is in them."""

    def __init__(self, covers: Callable[[str], bool], content: Callable[[str], Content]) -> None:
        self._covers, self._content = covers, content

    def find_spec(  # noqa: D102
        self, fullname: str, path: Sequence[str] | None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not self._covers(fullname):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(  # noqa: D102
        self, spec: importlib.machinery.ModuleSpec
    ) -> types.ModuleType:
        return _Module(spec.name, self._content(spec.name))

    def exec_module(self, module: types.ModuleType) -> None:  # noqa: D102
        pass


def _is_shown_only(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in SHOWN_ONLY)


def _may_be_absent(name: str) -> bool:
    package = name.partition(".")[0]
    return package not in NEVER and package not in sys.stdlib_module_names


SHOWN = Finder(_is_shown_only, _shown)
MISSING = Finder(_may_be_absent, _absent)


@contextlib.contextmanager
def missing_packages() -> Iterator[None]:
    """Let packages that are not here be imported by name meanwhile."""
    sys.meta_path.append(MISSING)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(MISSING)
        for name in [one for one, module in sys.modules.items() if is_absent(module)]:
            del sys.modules[name]


def is_absent(one: Any) -> bool:
    """Return whether this is a package that is missing, or what was imported from it."""
    if isinstance(one, types.ModuleType):
        return getattr(getattr(one, "__spec__", None), "loader", None) is MISSING
    return isinstance(one, Absent)
