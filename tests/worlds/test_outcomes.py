"""How an operation's outcome is decided: by authority, inside the window, at an end; and by nothing else."""

from __future__ import annotations

import pytest

from lens_library.able.outcomes import Seen, Window, decide, outcome

WINDOW = Window(opens=100, closes=200)
DONE, FAILED = Seen("succeeded", True, 150), Seen("failed", True, 160)
RECEIPT, HEARSAY = Seen("accepted", True, 110), Seen("succeeded", False, 150)


@pytest.mark.parametrize(
    ("seen", "now", "expected"),
    [
        pytest.param([], 150, "open", id="nothing yet"),
        pytest.param([], 200, "open", id="the window's last moment"),
        pytest.param([], 201, "not_observable", id="nothing in the window"),
        pytest.param([RECEIPT], 150, "open", id="a receipt is no outcome"),
        pytest.param([RECEIPT], 201, "not_observable", id="a receipt is none later either"),
        pytest.param([HEARSAY], 160, "open", id="said without authority"),
        pytest.param([HEARSAY], 201, "not_observable", id="said without authority, window over"),
        pytest.param([RECEIPT, DONE], 160, "succeeded", id="authoritative, inside, terminal"),
        pytest.param([DONE], 9_999, "succeeded", id="it stays so"),
        pytest.param([FAILED], 170, "failed", id="the other end"),
        pytest.param([DONE, HEARSAY], 170, "succeeded", id="hearsay that agrees adds nothing"),
        pytest.param([FAILED, HEARSAY], 170, "failed", id="hearsay contradicts nothing"),
        pytest.param([DONE, FAILED], 170, "indeterminate", id="two ends"),
        pytest.param([FAILED, DONE], 9_999, "indeterminate", id="two ends, in any order, for good"),
        pytest.param([DONE, FAILED], 155, "succeeded", id="the second end is still to come"),
        pytest.param([DONE, Seen("succeeded", True, 190)], 195, "succeeded", id="said twice"),
        pytest.param([Seen("succeeded", True, 99)], 150, "open", id="before the window"),
        pytest.param([Seen("succeeded", True, 201)], 250, "not_observable", id="after the window"),
        pytest.param([DONE, Seen("failed", True, 201)], 250, "succeeded", id="contradicted too late"),
        pytest.param([Seen("succeeded", True, 100)], 150, "succeeded", id="on the first moment"),
        pytest.param([Seen("succeeded", True, 200)], 200, "succeeded", id="on the last moment"),
        pytest.param([Seen("succeeded", True, 180)], 150, "open", id="from the future"),
    ],
)
def test_the_outcome_of_what_was_seen(seen, now, expected):
    assert decide(seen, WINDOW, now) == expected


def row(observations: object) -> dict[str, object]:
    return {
        "opens_at": "2026-06-01T00:00:00Z",
        "closes_at": "2026-06-11T00:00:00Z",
        "observations": observations,
    }


def test_a_line_of_the_module_gives_its_outcome():
    observed = {"state": "failed", "authoritative": 1, "observed_at": "2026-06-05T10:00:00+02:00"}
    assert outcome(row([observed]), 1_790_000_000_000) == "failed"
    assert outcome(row([observed | {"authoritative": 0}]), 1_790_000_000_000) == "not_observable"


@pytest.mark.parametrize("observations", [None, "[]", {}])
def test_a_line_without_a_list_of_observations_has_none(observations):
    with pytest.raises(TypeError, match="are a list"):
        outcome(row(observations), 0)
