"""Messages between judge and learner's process: what goes in comes out, and nothing else gets in."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.sandbox.inside import wire

ARRAYS = hnp.arrays(
    st.sampled_from(sorted(wire.DTYPES)), hnp.array_shapes(min_dims=0, max_dims=4, min_side=0)
)
PLAIN = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=50)
MESSAGES = st.dictionaries(st.text(max_size=8), PLAIN | ARRAYS | st.lists(ARRAYS, max_size=3))
JSON = st.recursive(
    PLAIN | st.floats(), lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner)
)


def _unpacked(data: bytes) -> wire.Message:
    line, _, rest = data.partition(b"\n")
    return wire.unpack(line, Payload(rest))


class Payload:
    """The bytes after a line, given out as they are asked for."""

    def __init__(self, data: bytes) -> None:
        self.data, self.asked = data, 0

    def __call__(self, n: int) -> bytes:
        self.asked += n
        assert self.asked <= wire.MOST_BYTES
        part, self.data = self.data[:n], self.data[n:]
        return part.ljust(n, b"\0")


@given(MESSAGES)
def test_message_comes_out_as_it_went_in(message: wire.Message) -> None:
    message.pop("dtype", None)
    out = _unpacked(wire.pack(message))
    assert out.keys() == message.keys()
    for key, value in message.items():
        _assert_same(out[key], value)


def _assert_same(got: Any, wanted: Any) -> None:
    if isinstance(wanted, list):
        assert len(got) == len(wanted)
        for pair in zip(got, wanted, strict=True):
            _assert_same(*pair)
    elif isinstance(wanted, np.ndarray):
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape)
        assert got.tobytes() == wanted.tobytes()
    else:
        assert got == wanted


def test_foreign_byte_order_and_strides_are_straightened() -> None:
    array = np.arange(12, dtype=">f8").reshape(3, 4)[::-1, ::2]
    np.testing.assert_array_equal(_unpacked(wire.pack({"a": array}))["a"], array)


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_malformed(line: bytes) -> None:
    _unpacks_or_is_malformed(line)


@given(JSON)
def test_no_json_raises_anything_but_malformed(content: Any) -> None:
    _unpacks_or_is_malformed(json.dumps({"output": content}).encode())


@given(JSON, JSON)
def test_no_array_header_raises_anything_but_malformed(dtype: Any, shape: Any) -> None:
    _unpacks_or_is_malformed(json.dumps({"a": {"dtype": dtype, "shape": shape}}).encode())
    _unpacks_or_is_malformed(json.dumps({"a": {"dtype": "float64", "shape": shape}}).encode())


def _unpacks_or_is_malformed(line: bytes) -> None:
    try:
        message = wire.unpack(line, Payload(b"\1" * 1000))
    except wire.Malformed:
        return
    assert isinstance(message, dict)


@pytest.mark.parametrize(
    "header",
    [
        {"dtype": "float64", "shape": [1 << 21]},
        {"dtype": "float64", "shape": [1 << 30, 1 << 30, 1 << 30]},
        {"dtype": "float64", "shape": [0, 1 << 22, 1 << 22, 1 << 22]},
        {"dtype": "float64", "shape": [-1]},
        {"dtype": "float64", "shape": [2.0]},
        {"dtype": "float64", "shape": [True]},
        {"dtype": "float64", "shape": "22"},
        {"dtype": "float64", "shape": [1] * 7},
        {"dtype": "object", "shape": [1]},
        {"dtype": "O", "shape": [1]},
        {"dtype": "<f8", "shape": [1]},
        {"dtype": ["float64"], "shape": [1]},
        [[[[[[1]]]]]],
        [{"dtype": "float64", "shape": [1 << 19]}] * 3,
    ],
)
def test_malformed_is_told_before_a_byte_too_many_is_read(header: Any) -> None:
    payload = Payload(b"")
    with pytest.raises(wire.Malformed):
        wire.unpack(json.dumps({"output": header}).encode(), payload)


@pytest.mark.parametrize(
    "item",
    [
        np.zeros(1, dtype=object),
        np.zeros(1, dtype="U3"),
        np.zeros(1, dtype=complex),
        np.zeros(wire.MOST_BYTES + 1, dtype=np.uint8),
        "x" * wire.LONGEST_LINE,
        [[[[[[np.zeros(1)]]]]]],
    ],
)
def test_what_cannot_travel_is_refused_at_the_start(item: Any) -> None:
    with pytest.raises(wire.Malformed):
        wire.pack({"output": item})


def test_booleans_are_true_or_false_whatever_byte_they_come_as() -> None:
    line = json.dumps({"a": {"dtype": "bool", "shape": [3]}}).encode()
    out = wire.unpack(line, Payload(b"\0\1\xff"))["a"]
    assert out.dtype == bool
    assert out.tobytes() == b"\0\1\1"
