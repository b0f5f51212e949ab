import subprocess
import sys

import numpy as np
import pytest
from attnkit import plot
from attnkit.value import Value
from matplotlib.patches import Rectangle

WORDS = ["she", "saw", "him"]
WEIGHTS = np.array([[1, 0, 0], [2 / 3, 1 / 3, 0], [1 / 7, 4 / 7, 2 / 7]])
SCORES = np.log(2) * np.array([[-1, 0, -1], [2, 1, 1], [-3, -1, -2]])
MASKED = np.where(np.tril(np.ones((3, 3))) == 1, SCORES, SCORES - 1e9)


def texts(ax):
    return [text.get_text() for text in ax.texts]


def framed(ax):
    """The cells (row, column) that carry a frame."""
    frames = [p for p in ax.patches if isinstance(p, Rectangle) and p.get_linewidth() > 2]
    return {(round(p.get_y() + 0.44), round(p.get_x() + 0.44)) for p in frames}


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def test_import_leaves_matplotlib_unloaded():
    reply = run("import sys; from attnkit import plot; print('matplotlib' in sys.modules)")
    assert reply.stdout == "False\n", reply.stderr


def test_show_outside_ipython_prints_and_leaves_pyplot_alone():
    reply = run(
        "import sys; from attnkit import plot\n"
        "print(plot.show(plot.heatmap([[1.0]]), 'One cell.'), 'matplotlib.pyplot' in sys.modules)"
    )
    assert reply.stdout == "One cell.\nNone False\n", reply.stderr


def test_heatmap_writes_numbers_labels_and_title():
    ax = plot.heatmap(WEIGHTS, rows=WORDS, columns=[1, 2, 3], title="weights", row_name="query")
    assert texts(ax) == ["1.00", "0.00", "0.00", "0.67", "0.33", "0.00", "0.14", "0.57", "0.29"]
    assert [label.get_text() for label in ax.get_yticklabels()] == WORDS
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "3"]
    assert (ax.get_title(), ax.get_ylabel()) == ("weights", "query")


def test_heatmap_writes_fractions_and_row_sums():
    ax = plot.heatmap(WEIGHTS[1:] * 3, fractions=True, row_sums=True)
    assert texts(ax) == ["2", "1", "0", "3/7", "12/7", "6/7", "sum", "3", "3"]


def test_heatmap_keeps_decimals_where_no_small_fraction_fits():
    assert texts(plot.heatmap([[np.sqrt(2), -1e-12]], fractions=True)) == ["1.41", "0"]


def test_heatmap_masked_cells_are_readable_and_keep_the_colours():
    plain, masked = plot.heatmap(SCORES), plot.heatmap(MASKED)
    assert texts(masked)[1:3] == ["−1e9", "−1e9"]
    assert masked.patches[0].get_facecolor() == plain.patches[0].get_facecolor()
    assert texts(plot.heatmap([[-np.inf, np.nan, 7e8, -0.0]])) == ["−inf", "nan", "7e8", "0"]


def test_heatmap_reads_values_and_changes_nothing():
    numbers = WEIGHTS.copy()
    ax = plot.heatmap(Value(numbers), row_sums=True, outlined=numbers == 0)
    assert texts(ax)[3] == "0.67"
    assert np.array_equal(numbers, WEIGHTS)


@pytest.mark.parametrize("size", [1, 12, 30])
def test_heatmap_draws_in_any_size(size):
    ax = plot.heatmap(np.eye(size), row_sums=True)
    assert len(ax.get_xticks()) == size
    assert len(texts(ax)) == (size * size if size < 20 else 0) + size + 1


@pytest.mark.parametrize(
    ("numbers", "options", "message"),
    [
        (
            [1, 2],
            {},
            r"got shape \(2,\), wanted \(rows, columns\): write a\[None, :\]",
        ),
        (np.ones((0, 3)), {}, r"got shape \(0, 3\)"),
        ([["a"]], {}, "got str, wanted numbers: pass a Value or an array"),
        (WEIGHTS, {"rows": ["she"]}, "got 1 labels for 3 rows: give one for each"),
    ],
)
def test_heatmap_refuses_with_a_reason(numbers, options, message):
    with pytest.raises(ValueError, match=message):
        plot.heatmap(numbers, **options)


def test_outline_frames_the_cells_of_the_mask():
    assert framed(plot.outline(plot.heatmap(WEIGHTS), WEIGHTS > 0.5)) == {(0, 0), (1, 0), (2, 1)}


def test_grids_draws_one_titled_map_for_each_entry():
    figure = plot.grids({"scores": SCORES, "weights": WEIGHTS}, rows=WORDS)
    assert [ax.get_title() for ax in figure.axes] == ["scores", "weights"]


def test_grids_names_the_columns_of_all_or_of_some():
    def named(columns):
        figure = plot.grids({"weights": WEIGHTS, "V": WEIGHTS[:, :2]}, columns=columns)
        return [[text.get_text() for text in ax.get_xticklabels()] for ax in figure.axes]

    assert named({"weights": WORDS}) == [WORDS, ["0", "1"]]
    assert named(None) == [["0", "1", "2"], ["0", "1"]]
    with pytest.raises(ValueError, match="3 labels for 2 columns"):
        named(WORDS)


def test_grids_wants_a_table():
    with pytest.raises(ValueError, match="got no table"):
        plot.grids({})


def test_compare_frames_what_differs_in_both():
    yours = WEIGHTS.copy()
    yours[2, 1] += 1e-5
    yours[0, 2] = np.nan
    figure = plot.compare(yours, WEIGHTS, rows=WORDS)
    assert [framed(ax) for ax in figure.axes] == [{(0, 2), (2, 1)}] * 2
    assert framed(plot.compare(MASKED - 1, MASKED).axes[0]) >= {(0, 0), (2, 2)}
    assert framed(plot.compare([[-np.inf]], [[-np.inf]]).axes[0]) == set()


def test_compare_says_so_when_shapes_differ():
    figure = plot.compare([1.0, 2.0], WEIGHTS, rows=WORDS)
    assert [ax.get_title() for ax in figure.axes] == ["yours (1, 2)", "expected (3, 3)"]
    assert framed(figure.axes[0]) == {(0, 0), (0, 1)}


def test_png_gives_the_same_bytes_twice_and_names_no_program():
    first, second = (plot.png(plot.heatmap(WEIGHTS, title="weights")) for _ in range(2))
    assert first == second
    assert first.startswith(b"\x89PNG")
    assert b"Software" not in first and b"tIME" not in first


def test_show_gives_the_picture_alternative_text(monkeypatch, capsys):
    import IPython
    import IPython.display

    shown = []
    monkeypatch.setattr(IPython, "get_ipython", lambda: object())
    monkeypatch.setattr(IPython.display, "display", lambda data, raw: shown.append(data))
    assert plot.show(plot.heatmap(WEIGHTS), 'Weights < 1 in "she".') is None
    assert capsys.readouterr().out == 'Weights < 1 in "she".\n'
    assert '<img alt="Weights &lt; 1 in &quot;she&quot;." width="' in shown[0]["text/html"]


@pytest.mark.parametrize(("picture", "text"), [(None, "words"), ([], "words"), ("ax", " ")])
def test_show_refuses_with_a_reason(picture, text):
    drawn = plot.heatmap(WEIGHTS) if picture == "ax" else picture
    with pytest.raises(ValueError, match=r"plot\.show got .*wanted"):
        plot.show(drawn, text)
