"""Wrong answers that speak to the judge themselves, over pipes that they find open."""

FIND = """
import json, os, signal, stat, sys, time
def pipes():
    found = []
    for fd in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(fd).st_mode): found.append(fd)
        except OSError: pass
    return found
def request():
    frame = sys._getframe()
    while frame:
        asked = frame.f_locals.get("request")
        if isinstance(asked, dict): return asked
        frame = frame.f_back
    return {}
def shout(data, times=1):
    for fd in pipes():
        try:
            for _ in range(times): os.write(fd, data)
        except OSError: pass
def line(**reply):
    return json.dumps({"token": request().get("token")} | reply).encode() + b"\\n"
def array(shape, dtype="float64"): return {"dtype": dtype, "shape": shape}
def reply(output, grads=(), arguments=()):
    return line(output=output, grads=list(grads), arguments=list(arguments), type_name="Value")
def speak(data, payload=b""):
    shout(data + payload)
    os._exit(0)
def at_end(act):
    wire = sys.modules["inside.wire"]
    unpack = wire.unpack
    def hooked(line, read):
        message = unpack(line, read)
        if message["do"] == "end": act()
        return message
    wire.unpack = hooked
"""


def _piece(*body: str) -> str:
    lines = "".join(f"    {one}\n" for one in body)
    return f"{FIND}\ndef softmax(scores):\n{lines}    return Value(np.zeros((2, 2)))\n"


PIPES = {
    "reply before the question": f"""
{FIND}
shout(json.dumps({{"token": "0" * 16, "passed": True}}).encode() + b"\\n")
def softmax(scores): return Value(np.zeros((2, 2)))
""",
    "reply without token": _piece('shout(b\'{"output": true, "state": "passed"}\\n\')'),
    "two replies": _piece("shout(reply(array([5, 3])) + bytes(120))"),
    "reply with the token, then gone": _piece("speak(reply(array([5, 3])), bytes(120))"),
    "fewer bytes than announced": _piece("speak(reply(array([5, 3])), bytes(7))"),
    "more bytes than announced": _piece("speak(reply(array([5, 3])), bytes(4096))"),
    "length bomb": _piece("speak(reply(array([1 << 40, 1 << 20])))"),
    "length bomb by many arrays": _piece("speak(reply([array([900_000])] * 300))"),
    "too many dimensions": _piece("speak(reply(array([1] * 3000)))"),
    "negative shape": _piece("speak(reply(array([-5, -3])), bytes(120))"),
    "shape of floats": _piece("speak(reply(array([5.0, 3.0])), bytes(120))"),
    "shape of booleans": _piece("speak(reply(array([True, True])), bytes(8))"),
    "shape of text": _piece("speak(reply(array('53')), bytes(120))"),
    "objects": _piece("speak(reply(array([1], 'object')), bytes(8))"),
    "pickle": _piece(
        "import pickle",
        "class Bomb:",
        "    def __reduce__(self): return open, (OUTSIDE + '/owned', 'w')",
        "speak(pickle.dumps(Bomb()) + b'\\n')",
    ),
    "NumPy's own file format": _piece(
        "import io",
        "file = io.BytesIO()",
        "np.save(file, np.array([{}], dtype=object), allow_pickle=True)",
        "speak(file.getvalue() + b'\\n')",
    ),
    "text that is code": _piece(
        "speak(b\"__import__('os').open('\" + OUTSIDE.encode() + b\"/owned', 65)\\n\")"
    ),
    "deep nesting": _piece("speak(b'[' * 16_000 + b'\\n')"),
    "deep nesting of objects": _piece("speak(b'{\"a\":' * 3_000 + b'1' + b'}' * 3_000 + b'\\n')"),
    "a number of thousands of digits": _piece("speak(b'{\"output\": ' + b'9' * 16_000 + b'}\\n')"),
    "not a number in the header": _piece('speak(b\'{"token": NaN, "output": Infinity}\\n\')'),
    "line without end": _piece("shout(b'x' * 65_536, 10_000)"),
    "bytes without end": _piece("shout(reply(array([5, 3])) + os.urandom(65_536), 10_000)"),
    "not UTF-8": _piece("speak(b'\\xff\\xfe\\x00\\x80' * 1000 + b'\\n')"),
    "half a character": _piece("speak(line(error='\\ud800' * 50, text='\\udfff' * 100))"),
    "control characters": _piece(
        "speak(line(error='\\x1b]0;owned\\x07', text='\\x1b[2J\\r\\x08' * 60))"
    ),
    "empty lines": _piece("shout(b'\\n' * 65_536)"),
    "list where an object is wanted": _piece("speak(b'[1, 2, 3]\\n')"),
    "reply of wrong kinds": _piece(
        "speak(line(output={'a': [1]}, grads='no', arguments=7, type_name=[]))"
    ),
    "reply that is a class": _piece("speak(line(built=True))"),
    "error of a wrong kind": _piece("speak(line(error=['passed'], text={'state': 'passed'}))"),
    "drip feeding": _piece(
        "data = reply(array([5, 3])) + bytes(120)",
        "for one in data * 1000:",
        "    shout(bytes([one]))",
        "    time.sleep(0.02)",
    ),
    "drip by a timer": f"""
{FIND}
signal.signal(signal.SIGALRM, lambda *args: shout(b"x"))
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
def softmax(scores): return Value(np.zeros((2, 2)))
""",
    "token that is an array": _piece("speak(line(token=array([2]), output=1), bytes(16))"),
    "token that is an empty array": _piece(
        "speak(line(token=array([0]), output=array([5, 3]), grads=[], arguments=[]), bytes(120))"
    ),
    "token that is an array, in a cell": f"""
{FIND}
speak(line(token=array([2]), ok=True), bytes(16))
# %%
def softmax(scores): return Value(np.zeros((2, 2)))
""",
    "nothing in a vast shape, in a cell": f"""
{FIND}
speak(line(ok=True, output=array([0] + [1 << 22] * 4)))
# %%
def softmax(scores): return Value(np.zeros((2, 2)))
""",
    "reply left for the next lesson": f"""
{FIND}
at_end(lambda: shout(line(ok=True, output=array([0], "uint8"))))
def softmax(scores): return Value(np.zeros((2, 2)))
""",
    "lesson left with its end unread": f"""
{FIND}
import array as arrays, fcntl, select
child = sys.modules["inside.child"]
line_of = child._line
def leave(pipe):
    waiting = arrays.array("i", [0])
    select.select([pipe], [], [])
    fcntl.ioctl(pipe, 0x541B, waiting)  # FIONREAD
    if waiting[0] == len('{{"do": "end"}}\\n'): os._exit(0)
    return line_of(pipe)
child._line = leave
def softmax(scores): return Value(np.zeros((2, 2)))
""",
    "question stolen": _piece("os.read(pipes()[0], 65_536)"),
    "pipes closed": _piece("os.closerange(3, 256)", "time.sleep(100)"),
    "pipes closed in a cell": f"""
{FIND}
os.closerange(3, 256)
def softmax(scores): return Value(np.zeros((2, 2)))
""",
    "pipes filled and kept": _piece("shout(b'y' * 4096, 100)", "time.sleep(100)"),
    "all descriptors used up": _piece(
        "held = []",
        "try:",
        "    while True: held += os.pipe()",
        "except OSError: pass",
    ),
    "pipe made not to wait": _piece("[os.set_blocking(fd, False) for fd in pipes()]"),
    "pipe made not to wait for the next lesson": f"""
{FIND}
at_end(lambda: [os.set_blocking(fd, False) for fd in pipes()])
def softmax(scores): return Value(np.zeros((2, 2)))
""",
    "end of lesson forged": _piece("speak(b'ended\\nready\\n')"),
    "lesson's process goes on": f"""
{FIND}
def stay():
    while True: shout(b'{{"token": "", "passed": true}}\\n'); time.sleep(0.2)
at_end(stay)
def softmax(scores): return Value(np.zeros((2, 2)))
""",
}
