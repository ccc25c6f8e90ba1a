"""What a plan states is no idle number: adversarial graphs drive the real cost to a quarter of it, never over it."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from tests.oracle.adversaries import ADVERSARIES, Adversary, world
from tests.oracle.building import Patience
from tests.oracle.costs import overspent
from tests.oracle.on_d1 import built_on_d1


@pytest.mark.promise("P38")
@pytest.mark.parametrize("adversary", ADVERSARIES, ids=lambda one: one.name)
def test_an_adversary_spends_a_quarter_of_what_is_stated_and_never_more(
    d1_of_small_worlds, adversary: Adversary
) -> None:
    with built_on_d1(world(adversary.graph()), d1_of_small_worlds.url) as place:
        result = place.engine("ann").run(
            adversary.text, {}, adversary.budget, Patience(), verify=adversary.verify
        )
    spent, stated = asdict(result.usage), asdict(result.plan.worst_case.in_sum)
    assert overspent(result) == {}
    shares = {name: spent[name] / stated[name] for name in adversary.driven}
    assert min(shares.values()) >= 0.25, shares
