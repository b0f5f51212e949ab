"""Messages between judge and learner's process: one line of JSON, then the raw bytes it announces.

A message is a dict whose leaves are plain JSON values or arrays. An array stands in the
line as `{"dtype": "float64", "shape": [3, 2]}` and its bytes follow, in the order of the line.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

LONGEST_LINE = 16_384
MOST_BYTES = 8 << 20
MOST_DIMENSIONS = 6
DEEPEST = 4
DTYPES = frozenset(
    [
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
    ]
)

Message = dict[str, Any]
Read = Callable[[int], bytes | bytearray]


class Malformed(ValueError):  # noqa: N818
    """The bytes are no message."""


def pack(message: Message) -> bytes:
    """Return `message` as bytes; `Malformed` where something in it cannot travel."""
    blobs: list[bytes] = []
    line = json.dumps(_described(message, blobs, DEEPEST)).encode() + b"\n"
    if len(line) > LONGEST_LINE or sum(map(len, blobs)) > MOST_BYTES:
        raise Malformed("too much text or too many numbers")
    return b"".join([line, *blobs])


def unpack(line: bytes, read: Read) -> Message:
    """Return the message that starts with `line`; `read(n)` gives the next n bytes.

    Nothing is read or reserved before its size is known to fit into `MOST_BYTES`.
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Malformed("the line is no JSON") from error
    if not isinstance(message, dict):
        raise Malformed("the line is no JSON object")
    restored: Message = _restored(message, read, [MOST_BYTES], DEEPEST)
    return restored


def _described(item: Any, blobs: list[bytes], depth: int) -> Any:
    if depth < 0:
        raise Malformed("nested too deep")
    if isinstance(item, dict):
        return {key: _described(value, blobs, depth - 1) for key, value in item.items()}
    if isinstance(item, tuple | list):
        return [_described(one, blobs, depth - 1) for one in item]
    if isinstance(item, np.generic):
        return item.item()
    if not isinstance(item, np.ndarray):
        return item
    if item.dtype.name not in DTYPES:
        raise Malformed(f"an array of {item.dtype.name} cannot travel; numbers are wanted")
    blobs.append(np.ascontiguousarray(item, item.dtype.newbyteorder("=")).tobytes())
    return {"dtype": item.dtype.name, "shape": list(item.shape)}


def _restored(item: Any, read: Read, left: list[int], depth: int) -> Any:
    if depth < 0:
        raise Malformed("nested too deep")
    if isinstance(item, list):
        return [_restored(one, read, left, depth - 1) for one in item]
    if not isinstance(item, dict):
        return item
    if item.keys() == {"dtype", "shape"}:
        return _array(item["dtype"], item["shape"], read, left)
    return {key: _restored(value, read, left, depth - 1) for key, value in item.items()}


def _array(dtype: Any, shape: Any, read: Read, left: list[int]) -> np.ndarray:
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise Malformed("an array of no known dtype")
    if not isinstance(shape, list) or len(shape) > MOST_DIMENSIONS:
        raise Malformed("an array of no plain shape")
    if not all(type(n) is int and 0 <= n <= left[0] for n in shape):
        raise Malformed("an array of no plain shape")
    size = np.dtype(dtype).itemsize * math.prod(n or 1 for n in shape)
    if size > left[0]:  # also where one length is 0: NumPy refuses the others if they are vast
        raise Malformed("more bytes than are allowed")
    size = 0 if 0 in shape else size
    left[0] -= size
    raw = np.frombuffer(read(size), np.uint8)
    numbers = raw != 0 if dtype == "bool" else raw.view(dtype)
    return numbers.reshape(shape)
