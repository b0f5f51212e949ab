"""What learners' cells meet in a graded run: IPython's shell, and stand-ins for what is only shown.

Visible checks, pictures and shell lines do nothing here; everything else is as in a notebook.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import site
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any

SHOWN_ONLY = ("attnkit.checks", "attnkit.plot", "matplotlib")


def shell(folder: str) -> Any:
    """Return an IPython shell that has run one cell, so that forks find everything imported.

    Its history is off: it would keep a thread and a database, and neither survives a fork.
    """
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    os.environ.update(HOME=folder, IPYTHONDIR=f"{folder}/.ipython", TMPDIR=folder)
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.update(colors="NoColor", xmode="Plain", autoindent=False)
    site.sethelper()
    made: Any = InteractiveShell.instance(config=config)
    _silence(made)
    sys.meta_path.insert(0, _Stand())
    made.run_cell(
        "import numpy as np\nfrom attnkit import Value, Linear, checks, plot", silent=True
    )
    made.run_cell("print(0)\n0", store_history=True)  # makes what shows results
    made.reset(new_session=True)
    return made


def _silence(made: Any) -> None:
    """Make shell lines, cells of other languages and plotting back ends do nothing."""
    made.system = made.system_raw = made.system_piped = lambda command: None
    made.getoutput = lambda command, split=True, depth=0: [] if split else ""
    made.enable_matplotlib = made.enable_gui = lambda *_, **__: (None, None)
    for name in made.magics_manager.registry["ScriptMagics"].magics["cell"]:
        made.register_magic_function(lambda line, cell=None: None, "cell", name)
    made.displayhook.write_output_prompt = lambda: None


class Idle:
    """Anything at all, doing nothing: stands for figures, axes and verdicts."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> Any:  # noqa: D102
        return self

    def __getitem__(self, _: Any) -> Any:
        return self

    def __setitem__(self, *_: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return iter((self, self))

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        pass

    def __repr__(self) -> str:
        return "not shown in a graded run"


class _IdleModule(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Idle()


class _Stand(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports `SHOWN_ONLY` and what is below as modules of idle things."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not any(fullname == one or fullname.startswith(f"{one}.") for one in SHOWN_ONLY):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _IdleModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        pass
