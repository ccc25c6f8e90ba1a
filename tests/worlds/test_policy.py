"""The policy is closed for what it does not name, and says the same of a record live and projected."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lens_dsl.errors import AccessDenied, ConfigurationError
from lens_runtime.scope import ANY, UNGUARDED, Actor, Grant
from lens_runtime.worlds.policy import Policy, Role, Rule

CLASSES = ("public", "internal", "restricted")
KINDS = {"Case": "desk", "Note": "desk", "Party": "people"}
GUARDS = {"Case": "team", "Note": "owner"}
VALUES = st.sampled_from([None, "a", "b", "1", 1, 1.0, True, "true", 0, False, [], ["a"]])


def roles() -> st.SearchStrategy[Role]:
    rules = st.lists(st.sampled_from(sorted(GUARDS)), unique=True).flatmap(
        lambda kinds: st.tuples(
            *(
                st.builds(
                    Rule, st.just(kind), st.just(GUARDS[kind]), st.sampled_from(["x", "y"]), st.booleans()
                )
                for kind in kinds
            )
        )
    )
    return st.builds(
        Role,
        name=st.just(""),
        modules=st.lists(st.sampled_from(["*", "desk", "people", "gone"])).map(tuple),
        kinds=st.lists(st.sampled_from(["*", *KINDS, "Gone"])).map(tuple),
        classes=st.lists(st.sampled_from([*CLASSES, "gone"]), unique=True).map(tuple),
        rules=rules,
    )


ATTRIBUTES = st.dictionaries(st.sampled_from(["x", "y"]), VALUES | st.lists(VALUES, max_size=4))


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    drawn = {name: replace(draw(roles()), name=name) for name in ("r", "s")}
    held = draw(st.lists(st.sampled_from(["r", "s", "gone"]), unique=True))
    return Policy(CLASSES, KINDS, drawn, {"ann": Actor("ann", tuple(held), draw(ATTRIBUTES))})


def matches(grant: Grant, kind: str, visibility: str, guard: str | None) -> bool:
    return (grant.kind, grant.visibility) == (kind, visibility) and grant.guard in (guard, ANY)


@pytest.mark.promise("P51")
@given(
    policies(),
    st.sampled_from([*KINDS, "Gone"]),
    st.sampled_from([*CLASSES, "gone"]),
    st.dictionaries(st.sampled_from(["team", "owner"]), VALUES),
)
def test_live_and_projected_agree(policy, kind, visibility, fields):
    actor = policy.actor("ann")
    granted = any(matches(g, kind, visibility, policy.guard(kind, fields)) for g in policy.grants(actor))
    assert policy.permits(actor, kind, visibility, fields) == granted


def agents(attrs: dict[str, object], *, listed: bool = True) -> Policy:
    agent = Role("agent", ("*",), ("*",), ("internal",), (Rule("Case", "team", "teams", listed),))
    lead = Role("lead", ("*",), ("Case",), CLASSES)
    actors = {"ana": Actor("ana", ("agent",), attrs), "mia": Actor("mia", ("lead",))}
    return Policy(CLASSES, KINDS, {"agent": agent, "lead": lead}, actors)


def test_a_rule_gives_one_grant_for_each_value_and_class():
    policy = agents({"teams": ["returns", "billing", "returns", None]})
    assert policy.grants(policy.actor("ana")) == (
        Grant("agent", "Case", "internal", "team=s:returns"),
        Grant("agent", "Case", "internal", "team=s:billing"),
        Grant("agent", "Note", "internal", UNGUARDED),
        Grant("agent", "Party", "internal", UNGUARDED),
    )


def test_a_role_without_a_rule_on_a_guarded_kind_gives_any():
    policy = agents({})
    assert {grant.guard for grant in policy.grants(policy.actor("mia"))} == {ANY}
    assert policy.permits(policy.actor("mia"), "Case", "restricted", {"team": None})


def test_an_actor_without_the_attribute_sees_no_record_of_the_kind():
    policy = agents({})
    assert not policy.permits(policy.actor("ana"), "Case", "internal", {"team": None})
    assert not policy.permits(policy.actor("ana"), "Case", "internal", {"team": "returns"})
    assert policy.permits(policy.actor("ana"), "Party", "internal", {})


@pytest.mark.parametrize(("held", "value", "seen"), [("1", 1, False), (1, 1.0, True), (True, "true", False)])
def test_a_guard_holds_for_values_that_a_query_calls_equal(held, value, seen):
    policy = agents({"teams": held}, listed=False)
    assert policy.permits(policy.actor("ana"), "Case", "internal", {"team": value}) is seen


def test_seventeen_values_are_refused_and_sixteen_are_not():
    policy = agents({"teams": list(range(16))})
    assert len(policy.grants(policy.actor("ana"))) == 18
    policy = agents({"teams": list(range(17))})
    with pytest.raises(ConfigurationError, match="at most 16"):
        policy.grants(policy.actor("ana"))


@pytest.mark.promise("P22")
def test_what_a_caller_says_of_itself_counts_for_nothing():
    policy = agents({"teams": ["returns"]})
    forged = Actor("ana", ("lead",), {"teams": ["billing"]})
    assert policy.grants(forged) == policy.grants(policy.actor("ana"))
    assert policy.grants(Actor("eve", ("lead",))) == ()
    assert not policy.permits(Actor("eve", ("lead",)), "Case", "internal", {"team": "returns"})


@pytest.mark.promise("P21")
def test_an_unknown_actor_is_denied_and_told_nothing():
    with pytest.raises(AccessDenied) as caught:
        agents({}).actor("eve")
    assert caught.value.code == "UnknownActor"
    assert not {"eve", "ana", "mia"} & set(str(caught.value).split())


def test_the_revision_follows_classes_roles_and_promotions_and_not_actors():
    policy = agents({"teams": ["returns"]})
    same = replace(policy, actors={}, may_act_as=("ana",), classes=CLASSES[::-1])
    assert same.revision == policy.revision
    lead = policy.roles["lead"]
    others = [
        replace(policy, classes=(*CLASSES, "secret")),
        replace(policy, promotions=("docSummary",)),
        replace(policy, roles={**policy.roles, "lead": replace(lead, classes=("public",))}),
        replace(policy, roles={**policy.roles, "lead": replace(lead, rights=("approve",))}),
        replace(policy, roles={**policy.roles, "lead": replace(lead, rules=(Rule("Case", "team", "t"),))}),
        replace(policy, roles={"lead": lead}),
    ]
    assert len({policy.revision, *(other.revision for other in others)}) == 7
