"""What learners' cells meet in a graded run: IPython's shell, and stand-ins for what is only shown.

Visible checks, pictures and shell lines do nothing here; everything else is as in a notebook.
"""

from __future__ import annotations

import os
import site
import sys
from typing import Any

from . import idle

# Magics that measure, show, look into errors, load or install: none changes what is right.
WITHOUT_EFFECT = {
    "line": """
        timeit prun lprun mprun memit debug pdb load_ext unload_ext reload_ext autoreload aimport
        matplotlib pip conda mamba micromamba uv reset reset_selective load loadpy edit notebook
    """,
    "cell": "timeit lprun mprun",
}


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
    sys.meta_path.insert(0, idle.SHOWN)
    sys.path.append(folder)  # what a cell writes there can be imported, after all else
    sys.breakpointhook = lambda *_, **__: None
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
    for kind, names in WITHOUT_EFFECT.items():
        for name in names.split():
            made.register_magic_function(_without_effect, kind, name)
    made.displayhook.write_output_prompt = lambda: None


def _without_effect(line: str, cell: str | None = None) -> Any:
    return idle.Idle()
