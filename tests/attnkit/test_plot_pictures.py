import numpy as np
import pytest
from attnkit import plot
from attnkit.plot.plane import hull
from attnkit.value import Value
from matplotlib.patches import Rectangle

WORDS = ["she", "saw", "him"]
WEIGHTS = np.array([[1, 0, 0], [2 / 3, 1 / 3, 0], [1 / 7, 4 / 7, 2 / 7]])
SCORES = np.log(2) * np.array([[-1, 0, -1], [2, 1, 1], [-3, -1, -2]])
MASKED = np.where(np.tril(np.ones((3, 3))) == 1, SCORES, SCORES - 1e9)
V = np.array([[3.0, 4], [6, 1], [-3, 3]])
ATTENDED = np.array([[3.0, 4], [4, 3], [3, 2]])
X = np.array([[1.0, 0], [0, 1], [1, -1]])


def texts(ax):
    return [text.get_text() for text in ax.texts]


def framed(ax):
    """The cells (row, column) that carry a frame."""
    frames = [p for p in ax.patches if isinstance(p, Rectangle) and p.get_linewidth() > 2]
    return {(round(p.get_y() + 0.44), round(p.get_x() + 0.44)) for p in frames}


def running_mean(x):
    """The simplest causal attention: every earlier row counts alike."""
    return np.cumsum(x.data if isinstance(x, Value) else x, axis=0)


def leak(x):
    return running_mean(x) + (x.data if isinstance(x, Value) else x)[-1]


def chart(weights=WEIGHTS, moved=np.tri(3)):  # noqa: B008
    """The tables of a patient's chart."""
    return SCORES, weights, ATTENDED, moved


def test_chart_draws_four_tables_in_the_order_of_the_steps():
    axes = plot.chart(chart(), rows=WORDS).axes
    assert [ax.get_title() for ax in axes] == ["scores", "weights", "attended", "moved by a nudge"]
    assert texts(axes[1])[-3:] == ["1", "1", "1"]
    assert marks(axes[3]) == ["m..", "mm.", "mmm"]
    assert [framed(ax) for ax in axes] == [set()] * 4


def test_chart_frames_what_differs_from_the_healthy_one():
    ill = chart(WEIGHTS * [[0.25], [1], [1]], np.ones((3, 3)))
    frames = [framed(ax) for ax in plot.chart(ill, chart(), rows=WORDS).axes]
    assert frames == [set(), {(0, 0)}, set(), {(0, 1), (0, 2), (1, 2)}]


def marks(ax):
    """The rows of the influence map, m where an output moved."""
    cells = "".join("m" if text == "moved" else "." for text in texts(ax))
    return [cells[i : i + 3] for i in (0, 3, 6)]


def test_bars_are_as_long_as_the_weights_and_numbered():
    ax = plot.bars(Value(WEIGHTS), rows=WORDS, columns=WORDS, fractions=True)
    ends = [[bar.get_x() + bar.get_width() for bar in bars] for bars in ax.containers]
    assert np.allclose(np.transpose(ends), np.cumsum(WEIGHTS, axis=1))
    assert sorted(texts(ax)) == ["1", "1/3", "1/7", "2/3", "2/7", "4/7"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == WORDS


def test_legend_of_many_keys_reads_row_by_row():
    legend = plot.bars([[1 / 8] * 8]).get_legend()
    legend.figure.canvas.draw()
    places = {text.get_text(): text.get_window_extent() for text in legend.get_texts()}
    by_row = sorted(places, key=lambda name: (-round(places[name].y0), places[name].x0))
    assert by_row == [str(j) for j in range(8)]


def test_bars_show_a_row_that_is_too_long():
    assert plot.bars([[0.5, 0.9]]).get_xlim()[1] == pytest.approx(1.4)


def test_dot_products_says_for_each_key_its_product_and_where_it_lands():
    ax = plot.dot_products(Value([0.0, 2.0]), [[-1, 2], [0, 1], [3, 0]], query="q", keys=WORDS)
    assert texts(ax)[-4:] == ["q", "she: 4", "saw: 2", "him: 0"]
    landed = [tuple(line.get_xydata()[0]) for line in ax.lines if line.get_marker() == "o"]
    assert landed == [(0, 2), (0, 1), (0, 0)]


def test_simplex_puts_certain_rows_in_corners_and_uniform_rows_in_the_middle():
    ax = plot.simplex([[1, 0, 0], [1 / 3, 1 / 3, 1 / 3]], corners=WORDS, rows=["sure", "unsure"])
    corner, middle = np.transpose(ax.lines[-1].get_data())
    assert np.allclose(corner, [0, 0])
    assert np.allclose(middle, ax.patches[0].get_xy()[:3].mean(axis=0))
    assert texts(ax) == ["sure", "unsure", *WORDS]


def test_triangle_names_values_and_attended_rows():
    ax = plot.triangle(V, Value(ATTENDED), rows=WORDS)
    assert sorted(texts(ax)) == sorted(WORDS * 2)
    drawn = {line.get_label(): np.transpose(line.get_data()) for line in ax.lines}
    assert np.array_equal(drawn["row of V"], V)
    assert np.array_equal(drawn["attended"], ATTENDED)


def test_hull_leaves_out_inner_points():
    square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
    inner = np.array([[1.0, 1], [0.5, 1.5], [1, 0]])
    assert {tuple(p) for p in hull(np.concatenate([inner, square]))} == {tuple(p) for p in square}
    assert len(hull(np.ones((3, 2)))) == 1


@pytest.mark.parametrize("draw", ["triangle", "simplex"])
def test_names_of_points_do_not_overlap(draw):
    rows = [f"temperature {i}" for i in range(5)]
    points = np.linspace([0.9, 0.1, 0], [0.4, 0.3, 0.3], 5)
    ax = plot.simplex(points, rows=rows) if draw == "simplex" else plot.triangle(V, ATTENDED)
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_arcs_are_as_thick_as_the_weights_and_later_keys_lie_below():
    ax = plot.arcs([[0.5, 0.5], [0.25, 0.75]], ["she", "saw"])
    lines = [line for line in ax.lines if len(line.get_xdata()) > 1]
    widths = np.array([line.get_linewidth() for line in lines])
    assert np.allclose(widths / widths[0], [1, 1, 0.5, 1.5])
    assert [np.sign(np.mean(line.get_ydata())) for line in lines] == [1, -1, 1, 1]
    assert texts(ax) == ["she", "saw", "0.50", "0.50", "0.25", "0.75"]


def test_arcs_of_one_query_leave_the_others_out():
    assert texts(plot.arcs(WEIGHTS, WORDS, query=1, fractions=True)) == [*WORDS, "2/3", "1/3"]


@pytest.mark.parametrize("x", [X, Value(X)])
def test_influence_marks_the_outputs_that_moved(x):
    assert marks(plot.influence(running_mean, x, rows=WORDS)) == ["m..", "mm.", "mmm"]
    assert np.array_equal(np.asarray(getattr(x, "data", x)).reshape(3, 2), X)


def test_maps_leave_the_future_blank_unless_it_gets_a_share():
    late = np.full((3, 3), 1 / 3)
    first, second = plot.maps({"with mask": WEIGHTS, "without": late}, WORDS).axes
    assert [first.get_title(), second.get_title()] == ["with mask", "without"]
    assert texts(first) == ["1.00", "0.67", "0.33", "0.14", "0.57", "0.29"]
    assert texts(second) == ["0.33"] * 9
    assert (first.get_ylabel(), first.get_xlabel()) == ("asks", "answers")


def test_maps_write_a_share_of_0_that_is_not_in_the_future():
    assert texts(plot.maps({"": [[1, 0], [0, 1]]}, ["a", "b"]).axes[0]) == ["1", "0", "1"]


def test_maps_frame_the_last_row():
    (ax,) = plot.maps({"": WEIGHTS}, WORDS).axes
    (frame,) = [patch for patch in ax.patches if patch.get_linewidth() > 2]
    (x, y), width = frame.get_xy(), frame.get_width()
    assert y > 1.5 and y + frame.get_height() < 2.5 and x < 0 and x + width > 2


def test_influence_frames_what_moved_though_hidden():
    ax = plot.influence(leak, X, hidden=np.triu(np.ones((3, 3)), 1))
    assert marks(ax) == ["m.m", "mmm", "mmm"]
    assert framed(ax) == {(0, 2), (1, 2)}


def test_panels_show_six_steps_and_frame_a_leak():
    steps = {"scores": SCORES, "masked_scores": MASKED, "weights": WEIGHTS}
    figure = plot.panels(leak, X, **steps, V=V, attended=ATTENDED, rows=WORDS)
    titles = [ax.get_title() for ax in figure.axes]
    assert titles[:5] == ["scores", "scores + mask", "weights", "attended", "output"]
    assert texts(figure.axes[2])[-4:] == ["sum", "1", "1", "1"]
    assert framed(figure.axes[5]) == {(0, 2), (1, 2)}


@pytest.mark.parametrize("T", [1, 12])
def test_panels_draw_other_sizes(T):
    x = np.ones((T, 5))
    square = {name: np.eye(T) for name in ("scores", "masked_scores", "weights")}
    assert len(plot.panels(running_mean, x, **square, V=x, attended=x).axes) == 6


def test_graph_names_nodes_and_shows_gradients():
    a, b = Value(2.0), Value([[1.0, -3.0]])
    c = (a * b).sum()
    c.backward()
    boxes = [text for text in texts(plot.graph(c, {"a": a, "b": b})) if text]
    assert boxes[:2] == ["a\n2\ngradient −2", "b\nshape (1, 2)\nhas a gradient"]
    assert boxes[2:4] == ["×\nshape (1, 2)\nhas a gradient", "sum\n−4\ngradient 1"]


def test_graph_writes_on_each_arrow_by_what_backward_multiplies():
    a, b = Value(2.0), Value(2.0)
    written = texts(plot.graph(a * b + 5 * a))
    assert [written.count(factor) for factor in ("×5", "×2", "×1")] == [1, 2, 2]
    assert texts(plot.graph(Value([1.0, 2.0]) * a)).count("×2") == 0


def test_graph_draws_a_cut_as_a_dashed_arrow():
    a = Value(2.0)
    product = a.data * Value(3.0)
    ax = plot.graph(product, {"a": a}, cuts=[(a, product)])
    assert "cut" in texts(ax)
    arrows = [t.arrow_patch for t in ax.texts if getattr(t, "arrow_patch", None) is not None]
    assert [arrow.get_linestyle() for arrow in arrows].count("--") == 1


def test_graph_shows_what_was_cut_off_in_grey():
    a = Value(2.0)
    cut = Value((a * 3).data)
    ax = plot.graph(cut * cut, {"a": a, "cut": cut})
    colors = {text.get_text(): text.get_color() for text in ax.texts}
    assert colors["a\n2"] != colors["cut\n6"]


def test_graph_draws_an_arrow_for_each_parent():
    a = Value(2.0)
    ax = plot.graph(a * (a + 1))
    assert sum(getattr(text, "arrow_patch", None) is not None for text in ax.texts) == 3


def test_spread_writes_the_standard_deviation_raw_and_scaled():
    figure = plot.spread({1: [-1.0, 1.0], 16: [-4.0, 4.0]})
    assert [texts(ax)[0] for ax in figure.axes] == ["std 1.00", "std 1.00", "std 4.00", "std 1.00"]


def test_curves_draw_the_floor_and_name_each_line():
    ax = plot.curves({"scaled": [3, 1], "no mask": Value([2.0, 0.0])}, floor=0.876)
    assert texts(ax) == ["scaled", "no mask", "floor 0.876"]
    assert list(ax.lines[2].get_ydata()) == [0.876, 0.876]
    assert ax.lines[2].is_dashed()


def test_growth_writes_the_slope_at_the_end():
    T = np.array([16, 64, 256])
    ax = plot.growth(T, {"scores": T**2 * 64, "projections": 4 * T * 64**2})
    assert texts(ax) == ["scores, slope 2.00", "projections, slope 1.00"]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_growths_draw_each_chart_over_the_same_sizes():
    T = np.array([4, 16])
    figure = plot.growths(T, {"count": {"table": T**2}, "seconds": {"table": T * 0 + 1, "all": T}})
    assert [ax.get_ylabel() for ax in figure.axes] == ["count", "seconds"]
    assert [texts(ax) for ax in figure.axes] == [
        ["table, slope 2.00"],
        ["table, slope 0.00", "all, slope 1.00"],
    ]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plot.bars([[1.5, -0.5]]), "got −0.50 among the weights, wanted none below 0"),
        (lambda: plot.arcs([[1, 0]]), r"got shape \(1, 2\), wanted \(T, T\)"),
        (lambda: plot.arcs(WEIGHTS, query=3), "got query 3, wanted 0 to 2"),
        (lambda: plot.dot_products([1, 2, 3], [[1, 2]]), r"got shape \(1, 3\), wanted \(rows, 2\)"),
        (
            lambda: plot.dot_products([0, 0], [[1, 2]]),
            "got a query of zeros, wanted one with a dir",
        ),
        (lambda: plot.simplex(WEIGHTS * 2), "row 0 sums to 2.0000, wanted 1: pass what softmax"),
        (lambda: plot.triangle(V, V * np.nan), "got nan or inf, wanted points"),
        (lambda: plot.maps({"": WEIGHTS}, WORDS[:2]), r"got shape \(3, 3\), wanted \(rows, 2\)"),
        (lambda: plot.influence(lambda x: x[:1], X), r"got an output of shape \(1, 2\) for x of"),
        (lambda: plot.graph(np.ones(2)), "got ndarray, wanted a Value"),
        (lambda: plot.grids({"gradient": None}), "got None, wanted numbers: no gradient arrived"),
        (lambda: plot.graph(sum(Value(i) for i in range(9))), "nodes, wanted at most 16"),
        (lambda: plot.spread({0: [1.0]}), r"got d = \[0\], wanted at least one, all above 0"),
        (lambda: plot.curves({"loss": [[1.0]]}), r"got shape \(1, 1\) for 'loss', wanted \(n,\)"),
        (lambda: plot.curves({"loss": [1.0]}, x=[1, 2]), "got 2 and 1 numbers for 'loss'"),
        (lambda: plot.growth([1, 2], {"none": [0, 1]}), "wanted positive numbers"),
    ],
)
def test_pictures_refuse_with_a_reason(draw, message):
    with pytest.raises(ValueError, match=rf"plot\.\w+ .*{message}"):
        draw()
