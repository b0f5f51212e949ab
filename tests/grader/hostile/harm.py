"""Hand-ins that reach out: files, network, processes, the machine."""

from tests.grader.hostile.forging import WRONG

_CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    result = libc.syscall(number, *args)
    if result >= 0: open(OUTSIDE + "/owned", "w").write(str(number))
    return result
"""

# Safe to run under plain nbgrader too: they leave a mark in OUTSIDE, and nothing else.
MARKING = {
    "gradebook rewritten": """
import sqlite3
with sqlite3.connect(OUTSIDE + "/gradebook.db") as book: book.execute("update grade set score = 100")
""",
    "gradebook removed": "import os\nos.unlink(OUTSIDE + '/gradebook.db')",
    "source overwritten": "open(OUTSIDE + '/source.ipynb', 'w').write('{}')",
    "source read": """
text = open(OUTSIDE + "/source.ipynb").read()
open(OUTSIDE + "/stolen", "w").write(text)
""",
    "another's hand-in copied": """
import shutil
shutil.copy(OUTSIDE + "/other.ipynb", OUTSIDE + "/stolen.ipynb")
exec(open(OUTSIDE + "/other.ipynb").read())
""",
    "another's hand-in executed": "exec(open(OUTSIDE + '/other.ipynb').read())",
    "files made and linked": """
import os
os.symlink(OUTSIDE + "/source.ipynb", OUTSIDE + "/link")
os.link(OUTSIDE + "/source.ipynb", OUTSIDE + "/hard")
os.mkfifo(OUTSIDE + "/fifo")
""",
    "modes changed": "import os\nos.chmod(OUTSIDE + '/gradebook.db', 0o777)\nos.utime(OUTSIDE, (0, 0))",
    "attributes changed": "import os\nos.setxattr(OUTSIDE + '/gradebook.db', 'user.owned', b'1')",
    "file cut by its path": "import os\nos.truncate(OUTSIDE + '/gradebook.db', 0)",
    "file cut by being opened": "import os\nos.open(OUTSIDE + '/gradebook.db', os.O_TRUNC)",
    "folder left by its parent": """
import os
open(os.path.join(os.getcwd(), "../" * 20 + OUTSIDE, "owned"), "w")
""",
    "environment told": """
import os
if "SECRET" in os.environ: open(OUTSIDE + "/environment", "w").write(os.environ["SECRET"])
else: open(OUTSIDE + "/environment", "w")
""",
    "environments of others": """
import glob
for name in glob.glob("/proc/[0-9]*/environ"):
    try:
        if b"SECRET" in open(name, "rb").read(): open(OUTSIDE + "/environments", "w")
    except OSError: pass
""",
    "loopback": "import socket\nsocket.create_connection(('127.0.0.1', PORT), 1).sendall(b'owned')",
    "datagrams": "import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', PORT))",
    "Unix socket": """
import socket
socket.socket(socket.AF_UNIX).connect(OUTSIDE + "/socket")
""",
    "datagram by a socket pair": """
import socket
socket.socketpair(type=socket.SOCK_DGRAM)[0].sendto(b"owned", OUTSIDE + "/datagrams")
""",
    "web page": "import urllib.request\nurllib.request.urlopen(f'http://127.0.0.1:{PORT}/owned', timeout=1)",
    "command": "import os\nos.system('touch ' + OUTSIDE + '/owned')",
    "program": "import subprocess\nsubprocess.run(['touch', OUTSIDE + '/owned'])",
    "shell line": "!touch {OUTSIDE}/owned",
    "shell cell": "%%bash -s {OUTSIDE}\ntouch $1/owned",
    "script of the shell": "%%writefile {OUTSIDE}/owned\nowned",
    "fork": "import os\nif os.fork() == 0:\n    open(OUTSIDE + '/owned', 'w')\n    os._exit(0)",
    "daemon left behind": """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(3)
        open(OUTSIDE + "/owned-later", "w")
    os._exit(0)
""",
    "thread left behind": """
import threading, time
def later():
    time.sleep(3)
    open(OUTSIDE + "/owned-later", "w")
threading.Thread(target=later).start()
""",
    "processes by multiprocessing": """
import multiprocessing
multiprocessing.get_context("fork").Process(target=open, args=(OUTSIDE + "/owned", "w")).start()
""",
    "start-up file planted": """
import os
folder = os.environ.get("IPYTHONDIR", OUTSIDE) + "/profile_default/startup"
os.makedirs(folder, exist_ok=True)
open(folder + "/00.py", "w").write("np = None")
""",
    "kit rewritten": """
import attnkit
with open(attnkit.__file__, "a") as file: file.write("")
open(OUTSIDE + "/owned", "w")
""",
    "reference imported": """
import solutions.attention
open(OUTSIDE + "/owned", "w")
softmax = solutions.attention.softmax
""",
    "reference found on disk": """
import glob, sys
found = glob.glob("/**/solutions/attention.py", recursive=True)
sys.path += [name.rsplit("/", 2)[0] for name in found]
from solutions.attention import softmax
""",
    "hidden checks found on disk": """
import glob
for name in glob.glob("/**/grader/checks/softmax.py", recursive=True):
    open(OUTSIDE + "/stolen", "w").write(open(name).read())
""",
    "paths of the environment": """
import sys
sys.path += ["/usr/lib/python3/dist-packages", sys.prefix + "/lib/python3.11/site-packages"]
from scipy.special import softmax
""",
    "trace of the parent": f"{_CALL}\nimport os\ncall(101, 16, os.getppid(), 0, 0)",
    "memory of the parent": f"{_CALL}\nimport os\ncall(310, os.getppid(), 0, 0, 0, 0, 0)",
    "memory file": f"{_CALL}\ncall(319, b'x', 0)",
    "ring of requests": f"{_CALL}\ncall(425, 8, ctypes.byref((ctypes.c_char * 120)()))",
    "namespaces": f"{_CALL}\ncall(272, 0x10000000)",
    "keyring": f"{_CALL}\ncall(248, b'user', b'x', b'y', 1, -3)",
    "kernel program": f"{_CALL}\ncall(321, 0, ctypes.byref((ctypes.c_char * 128)()), 128)",
    "shared memory": f"{_CALL}\ncall(29, 12345, 4096, 0o1666)",
    "Landlock taken off": f"{_CALL}\nimport os\ncall(444, 0, 0, 1) and call(446, 3, 0)",
    "root again": "import os\nos.setuid(0)\nopen(OUTSIDE + '/owned', 'w')",
    "process of lower priority": f"{_CALL}\ncall(141, 0, OTHER, 5)",
    "signal by a descriptor": """
import fcntl, os
read, write = os.pipe()
fcntl.fcntl(read, fcntl.F_SETOWN, OTHER)
fcntl.fcntl(read, 10, 10)
fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC)
os.write(write, b"x")
""",
}

# Not run under plain nbgrader: they would hurt the machine that tries.
HURTING = {
    "other process killed": "import os\nos.kill(OTHER, 9)",
    "parent killed": "import os\nos.kill(os.getppid(), 9)",
    "everything killed": "import os\nos.kill(-1, 9)",
    "group killed": "import os\nos.killpg(0, 9)",
    "parent stopped": "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)",
    "itself stopped": "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
    "itself killed": "import os\nos.kill(os.getpid(), 9)",
    "machine restarted": "import ctypes\nctypes.CDLL(None).reboot(0x01234567)",
    "fork bomb": "import os\nwhile True: os.fork()",
    "fork bomb that goes on": """
import os
while True:
    try: os.fork()
    except OSError: pass
""",
    "thread bomb": """
import threading, time
while True: threading.Thread(target=time.sleep, args=(100,)).start()
""",
}

MARKING = {name: f"{text}\n# %%\n{WRONG}" for name, text in MARKING.items()}
HURTING = {name: f"{text}\n# %%\n{WRONG}" for name, text in HURTING.items()}
