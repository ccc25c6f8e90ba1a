"""Without a valid token nothing is read: what is a valid one, and who may come in with it."""

from __future__ import annotations

import base64
import json
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import jwt
import pytest

from lens_dsl.errors import AccessDenied, ConfigurationError
from lens_runtime.service.bearer import Claims, SharedKey, TokenVerifier, issue
from lens_runtime.service.token_key import key_file, shared_key
from lens_runtime.service.token_making import make_token
from lens_runtime.settings import Settings
from lens_runtime.worlds.address import find_world
from lens_runtime.worlds.folder import load_world
from tests.service.running import ISSUER, KEY, Counting, asking, bearer, inside

PATHS = (("POST", "/context"), ("GET", "/lenses"), ("POST", "/mcp"))
VERIFIER = TokenVerifier(SharedKey(KEY), "able", ISSUER)
NOW = int(time.time())
CLAIMS: dict[str, Any] = {"iss": ISSUER, "aud": "able", "sub": "agent:ana", "exp": NOW + 600}


@pytest.fixture(scope="module")
def service(able) -> Iterator[tuple[httpx.Client, Counting]]:
    with inside(able) as running:
        yield running


def signed(key: Any = KEY, algorithm: str = "HS256", **claims: Any) -> str:
    """A token with these claims in place of good ones; None leaves one out."""
    all_claims = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    return jwt.encode(all_claims, key, algorithm=algorithm)


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


GOOD = signed()
BAD = {
    "no token": None,
    "nothing behind Bearer": "Bearer",
    "another scheme": f"Basic {GOOD}",
    "no scheme": GOOD,
    "no JWT": "Bearer abc",
    "expired": f"Bearer {signed(exp=NOW - 60)}",
    "no expiry": f"Bearer {signed(exp=None)}",
    "not yet valid": f"Bearer {signed(nbf=NOW + 600)}",
    "another audience": f"Bearer {signed(aud='flights')}",
    "no audience": f"Bearer {signed(aud=None)}",
    "another issuer": f"Bearer {signed(iss='somebody')}",
    "no issuer": f"Bearer {signed(iss=None)}",
    "no subject": f"Bearer {signed(sub=None)}",
    "another key": f"Bearer {signed('k' * 32)}",
    "another algorithm": f"Bearer {signed('k' * 64, 'HS512')}",
    "the key, another algorithm": f"Bearer {signed(KEY * 2, 'HS384')}",
    "alg none": f"Bearer {part({'alg': 'none', 'typ': 'JWT'})}.{part(CLAIMS)}.",
    "alg none, signed": f"Bearer {part({'alg': 'none', 'typ': 'JWT'})}.{GOOD.split('.', 1)[1]}",
    "a changed subject": f"Bearer {GOOD.split('.')[0]}.{part({**CLAIMS, 'sub': 'lead:mia'})}.{GOOD.split('.')[2]}",
    "an endless token": f"Bearer {GOOD}{'a' * 9_000}",
    "a deep header": f"Bearer {base64.urlsafe_b64encode(b'[' * 5_000).decode()}.e30.e30",
}


@pytest.mark.promise("P21")
@pytest.mark.parametrize("why", BAD)
@pytest.mark.parametrize(("method", "path"), PATHS)
def test_without_a_valid_token_nothing_is_read(service, method, path, why):
    client, stores = service
    stores.lent.clear()
    given = BAD[why]
    headers = {} if given is None else {"authorization": given}
    answer = client.request(method, path, headers=headers, json=asking() if method == "POST" else None)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    told = answer.json()["error"]
    assert told["code"] == "Unauthenticated"
    assert told["message"] in (
        "a bearer token is needed",
        "the token is not valid here",
        "the token has expired",
    )
    assert stores.lent == []


@pytest.mark.promise("P21")
def test_two_tokens_are_none(service):
    client, stores = service
    stores.lent.clear()
    twice = [("authorization", f"Bearer {GOOD}"), ("authorization", f"Bearer {signed(sub='lead:mia')}")]
    assert client.post("/context", json=asking(), headers=twice).status_code == 401
    assert stores.lent == []


@pytest.mark.promise("P21")
@pytest.mark.parametrize("actor", ["agent:eve", "agent:ANA", "agent:ana ", "-", "../lead:mia"])
def test_an_actor_that_the_policy_does_not_know_reads_nothing(service, actor):
    client, stores = service
    stores.lent.clear()
    answer = client.post("/context", json=asking(), headers=bearer(actor))
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "UnknownActor")
    assert actor.strip() not in answer.text or actor == "-"
    assert stores.lent == []


@pytest.mark.promise("P22")
def test_the_actor_is_the_tokens_and_asked_once(service):
    client, stores = service
    stores.lent.clear()
    answer = client.post(
        "/context?actor=lead:mia", json=asking(), headers={**bearer(), "x-actor": "lead:mia"}
    )
    assert answer.status_code == 200
    (caller,) = stores.lent
    assert (caller.actor.id, caller.may) == ("agent:ana", frozenset())
    assert GOOD not in repr(caller)


def test_a_token_says_what_its_actor_may_do(service):
    client, stores = service
    stores.lent.clear()
    client.post("/context", json=asking(), headers=bearer(may=["commit"]))
    (keeper,) = stores.lent
    reader = replace(keeper, may=frozenset())
    assert keeper.may == {"commit"}
    with stores.inner.lend(keeper) as keeping, stores.inner.lend(reader) as reading:
        assert keeping is not reading


def test_the_clocks_of_two_machines_may_differ_a_little():
    assert VERIFIER.verify(signed(exp=int(time.time()) - 2)) == Claims("agent:ana", frozenset())
    with pytest.raises(AccessDenied, match="expired"):
        VERIFIER.verify(signed(exp=int(time.time()) - 7))


@pytest.mark.parametrize("may", ["commit", {"commit": True}, 7, [None, 1]])
def test_a_claim_of_another_shape_allows_nothing(may):
    assert VERIFIER.verify(signed(may=may)).may == frozenset()


def test_a_development_token_is_verified_by_the_key_that_was_made_for_it(tmp_path):
    settings = Settings(home=tmp_path)
    world = load_world(find_world("able", settings))
    token = make_token(world, settings, actor="agent:ben", hours=1, may=["commit"])
    path = key_file(world, settings)
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]
    verifier = TokenVerifier(SharedKey(shared_key(world, settings)), "able", "lensmith")
    assert verifier.verify(token) == Claims("agent:ben", frozenset({"commit"}))
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims.keys() == {"iss", "aud", "sub", "iat", "exp", "may"}
    assert claims["exp"] - claims["iat"] == 3_600


def test_a_development_token_is_for_the_actors_of_this_machine(tmp_path):
    settings = Settings(home=tmp_path)
    world = load_world(find_world("able", settings))
    with pytest.raises(AccessDenied, match="may not read here"):
        make_token(world, settings, actor="agent:eve", hours=1)
    assert not key_file(world, settings).exists()


def test_a_key_has_to_be_long_and_the_owners_alone(tmp_path):
    world = load_world(find_world("able", Settings(home=tmp_path)))
    with pytest.raises(ConfigurationError, match="LENS_TOKEN_KEY is shorter"):
        shared_key(world, Settings(home=tmp_path, token_key="short"))  # type: ignore[arg-type]
    settings = Settings(home=tmp_path)
    shared_key(world, settings)
    key_file(world, settings).write_text("short", "ascii")
    with pytest.raises(ConfigurationError, match="is shorter than 32 bytes"):
        shared_key(world, settings)
    key_file(world, settings).chmod(0o640)
    if os.name == "posix":
        with pytest.raises(ConfigurationError, match="others than its owner"):
            shared_key(world, settings)


PEM = "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b" " * 64, "is shorter than 32 bytes"),
        (b"\0" * 64, "is easily guessed"),
        (b"abcdefg" * 9, "is easily guessed"),
        (b"\xff\xfe" * 32, "is not ASCII text"),
        (bytes(range(128, 192)), "is not ASCII text"),
        (PEM.encode(), "a key of another kind"),
    ],
)
def test_a_key_that_is_no_secret_is_refused(tmp_path, content, told):
    settings = Settings(home=tmp_path)
    world = load_world(find_world("able", settings))
    shared_key(world, settings)
    key_file(world, settings).write_bytes(content)
    with pytest.raises(ConfigurationError, match=told) as refused:
        shared_key(world, settings)
    assert refused.value.code == "WeakKey"


def test_a_token_names_nobody_but_its_actor():
    token = issue("agent:ana", audience="able", issuer=ISSUER, key=KEY, hours=1)
    assert jwt.get_unverified_header(token) == {"alg": "HS256", "typ": "JWT"}
    assert VERIFIER.verify(token).subject == "agent:ana"
