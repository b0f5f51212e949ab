"""Hand-ins that use up memory, disk, output or time."""

from tests.grader.hostile.forging import WRONG

_CELLS = {
    "memory in a list": "held = []\nwhile True: held.append(bytearray(1 << 20))",
    "memory at once": "held = bytearray(1 << 40)",
    "memory of an array": "held = np.ones((1 << 20, 1 << 14))",
    "memory held by a failed cell": """
held = []
while True:
    try: held.append(bytearray(1 << 24))
    except MemoryError:
        pass
""",
    "stack": "import sys\nsys.setrecursionlimit(1 << 30)\ndef down(n): return down(n + 1) + 1\ndown(0)",
    "stack in C": "nest = ()\nfor _ in range(1 << 22): nest = (nest,)\nhash(nest)",
    "crash": "import ctypes\nctypes.string_at(0)",
    "abort": "import os\nos.abort()",
    "one large file": """
with open("large", "wb") as file:
    while True: file.write(bytes(1 << 20))
""",
    "many large files": """
for i in range(10_000):
    with open(f"large{i}", "wb") as file: file.write(bytes(8 << 20))
""",
    "many empty files": "for i in range(10_000_000): open(f'empty{i}', 'w').close()",
    "deep folders": """
import os
while True:
    os.mkdir("d")
    os.chdir("d")
""",
    "files in a folder nobody may look into": """
import os
os.mkdir("closed", 0o300)
for i in range(10_000_000): open(f"closed/{i}", "w").close()
""",
    "folder nobody may move": """
import os
os.mkdir("d")
os.mkdir("d/e", 0)
""",
    "sparse file": "open('sparse', 'wb').truncate(1 << 50)",
    "output": "while True: print('x' * 10_000)",
    "output of empty texts": "while True: print(end='')",
    "output on stderr": "import sys\nwhile True: sys.stderr.write('x' * 10_000)",
    "output by its descriptor": "import os\nwhile True: os.write(1, b'x' * 65_536)",
    "output of a huge value": "'x' * (1 << 30)",
    "output of displays": "while True: display('x' * 1000)",
    "output of a traceback": "raise Exception('x' * (1 << 28))",
    "output of a representation": """
class Large:
    def _repr_mimebundle_(self, **options): return {"text/plain": "x" * 100_000_000}
while True: display(Large())
""",
    "names without end": """
raise type("E" * 1_000_000, (Exception,), {})("x" * 1_000_000)
""",
    "code nested without end": "x = " + "-" * 100_000 + "1",
    "code of one long chain": "x = a" + ".b" * 100_000,
    "log": "import logging\nwhile True: logging.error('x' * 1000)",
    "loop": "while True: pass",
    "loop that cannot be interrupted": "10 ** (10 ** 9)",
    "loop in a regular expression": "import re\nre.match('(a+)+$', 'a' * 60 + 'b')",
    "loop that ignores signals": """
import signal
for one in range(1, 65):
    try: signal.signal(one, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True:
    try:
        while True: pass
    except BaseException: pass
""",
    "sleep": "import time\ntime.sleep(1_000_000)",
    "lock": "import _thread\nlock = _thread.allocate_lock()\nlock.acquire()\nlock.acquire()",
    "input": "input('password: ')",
    "debugger": "import pdb\npdb.set_trace()",
    "loop at the end of a value": """
class Sticky:
    def __del__(self):
        while True: pass
Sticky()
""",
    "loop in a representation": """
class Slow:
    def __repr__(self):
        while True: pass
Slow()
""",
    "loop in a trace": """
import sys
def trace(*args):
    while True: pass
sys.settrace(trace)
(lambda: 1)()
""",
}

_PIECES = {
    "piece that loops": "while True: pass",
    "piece that sleeps": "import time; time.sleep(1_000_000)",
    "piece that takes memory": "held = [0]\n    while True: held += held",
    "piece that calls itself": "return softmax(scores)",
    "piece that loops in C": "return 10 ** (10 ** 9)",
    "piece that is slow by half": "import time; time.sleep(0.9)",
    "piece that crashes": "import ctypes; ctypes.string_at(0)",
    "piece that prints": "[print('x' * 1000) for _ in range(20_000)]",
}

BOMBS = {name: f"{text}\n# %%\n{WRONG}" for name, text in _CELLS.items()}
BOMBS |= {
    name: f"def softmax(scores):\n    {text}\n    return Value(np.zeros((2, 2)))"
    for name, text in _PIECES.items()
}
