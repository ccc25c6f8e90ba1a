"""Tokens of an identity provider, verified by the keys that it publishes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from lens_dsl.errors import AccessDenied, ExecutionError
from lens_runtime.service.bearer import Claims, TokenVerifier
from lens_runtime.service.jwks import MAX_BYTES, PublishedKeys

RSA_KEY = rsa.generate_private_key(65_537, 2_048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
SECRET = "s" * 32
FORMS = (Encoding.PEM, Encoding.DER)


class Provider:
    """An identity provider that publishes some keys, and counts how often it is asked."""

    def __init__(self, *kids: str) -> None:
        self.kids = list(kids)
        self.asked = 0
        self.down = False
        self.slow: Event | None = None
        self.time = 0.0
        self.keys = PublishedKeys(
            "https://id.test/keys", transport=httpx.MockTransport(self._answer), now=lambda: self.time
        )
        self.verifier = TokenVerifier(self.keys, "able", "https://id.test")

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        if self.slow is not None:
            assert self.slow.wait(10)
        if self.down:
            return httpx.Response(500)
        return httpx.Response(200, json={"keys": [self._published(kid) for kid in self.kids]})

    @staticmethod
    def _published(kid: str) -> dict[str, Any]:
        if kid == "shared":
            return {
                "kty": "oct",
                "k": "c3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3M",
                "kid": kid,
                "alg": "HS256",
            }
        if kid.startswith("ec"):
            return {**ECAlgorithm.to_jwk(EC_KEY.public_key(), as_dict=True), "kid": kid, "alg": "ES256"}
        return {**RSAAlgorithm.to_jwk(RSA_KEY.public_key(), as_dict=True), "kid": kid, "alg": "RS256"}


def signed(kid: str | None = "rsa-1", key: Any = RSA_KEY, algorithm: str = "RS256", **more: Any) -> str:
    claims = {"iss": "https://id.test", "aud": "able", "sub": "agent:ana", "exp": int(time.time()) + 60}
    return jwt.encode({**claims, **more}, key, algorithm, headers={} if kid is None else {"kid": kid})


def confused(secret: bytes) -> str:
    """A token signed with a public key as if that were a shared one, which PyJWT itself would not make."""
    claims = signed().split(".")[1]
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","kid":"rsa-1"}').rstrip(b"=").decode()
    signature = hmac.new(secret, f"{header}.{claims}".encode(), hashlib.sha256).digest()
    return f"{header}.{claims}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def test_a_token_is_verified_by_the_key_that_it_names():
    provider = Provider("rsa-1", "ec-1")
    for token in (signed(), signed("ec-1", EC_KEY, "ES256")):
        assert provider.verifier.verify(token) == Claims("agent:ana", frozenset())
    assert provider.asked == 1


def test_the_only_key_need_not_be_named():
    assert Provider("rsa-1").verifier.verify(signed(None)).subject == "agent:ana"
    with pytest.raises(AccessDenied):
        Provider("rsa-1", "ec-1").verifier.verify(signed(None))


@pytest.mark.promise("P21")
def test_a_public_key_is_no_shared_secret():
    """The confusion of algorithms: signed with what everybody can read."""
    public = RSA_KEY.public_key()
    provider = Provider("rsa-1", "ec-1", "shared")
    for token in (
        *(confused(public.public_bytes(form, PublicFormat.SubjectPublicKeyInfo)) for form in FORMS),
        signed("shared", SECRET, "HS256"),
        signed("ec-1"),
        signed("rsa-1", EC_KEY, "ES256"),
        signed(iss="https://other.test"),
        signed(aud="flights"),
    ):
        with pytest.raises(AccessDenied, match="not valid here"):
            provider.verifier.verify(token)


def test_unknown_keys_do_not_have_it_ask_again_and_again():
    provider = Provider("rsa-1")
    for number in range(20):
        with pytest.raises(AccessDenied):
            provider.verifier.verify(signed(f"made-up-{number}"))
    assert provider.asked == 1


def test_a_new_key_is_found_and_an_old_one_forgotten():
    provider = Provider("rsa-1")
    provider.verifier.verify(signed())
    provider.kids = ["ec-2"]
    provider.time = 31
    assert provider.verifier.verify(signed("ec-2", EC_KEY, "ES256")).subject == "agent:ana"
    with pytest.raises(AccessDenied):
        provider.verifier.verify(signed())


def test_while_the_provider_is_down_known_keys_go_on():
    provider = Provider("rsa-1")
    provider.down = True
    with pytest.raises(ExecutionError, match="cannot be had"):
        provider.verifier.verify(signed())
    provider.down, provider.time = False, 31
    provider.verifier.verify(signed())
    provider.down, provider.time = True, 601
    provider.verifier.verify(signed())
    assert provider.asked == 3


def asked_again(provider: Provider, times: int) -> None:
    until = time.monotonic() + 5
    while provider.asked < times:
        assert time.monotonic() < until
        time.sleep(0.005)


def test_while_the_provider_is_slow_known_keys_do_not_wait():
    """Neither for a key that somebody made up, however many do, nor for those that are due."""
    provider = Provider("rsa-1")
    provider.verifier.verify(signed())
    provider.slow, provider.time = Event(), 31
    with ThreadPoolExecutor(40) as pool:
        made_up = [pool.submit(provider.verifier.verify, signed(f"made-up-{number}")) for number in range(40)]
        asked_again(provider, 2)
        assert provider.verifier.verify(signed()).subject == "agent:ana"
        until = time.monotonic() + 5
        while sum(each.done() for each in made_up) < 32:
            assert time.monotonic() < until, "all threads wait for keys that nobody has"
            time.sleep(0.005)
        provider.slow.set()
        assert all(isinstance(each.exception(), AccessDenied) for each in made_up)
    assert provider.asked == 2
    provider.slow, provider.time = Event(), 400
    assert provider.verifier.verify(signed()).subject == "agent:ana"
    asked_again(provider, 3)
    provider.slow.set()


def test_a_key_that_was_withdrawn_does_not_come_in_after_a_pause():
    provider = Provider("rsa-1")
    provider.verifier.verify(signed())
    provider.kids, provider.time = ["ec-1"], 601
    with pytest.raises(AccessDenied):
        provider.verifier.verify(signed())


def test_a_withdrawn_key_is_forgotten_while_others_ask():
    provider = Provider("rsa-1")
    provider.verifier.verify(signed())
    provider.kids, provider.time = ["ec-1"], 301
    until = time.monotonic() + 5
    while True:
        try:
            provider.verifier.verify(signed())
        except AccessDenied:
            break
        assert time.monotonic() < until


@pytest.mark.parametrize(
    "content", [b"no JSON", b"[]", b'{"keys": 7}', b'{"keys": []}', b" " * (MAX_BYTES + 1)]
)
def test_what_are_no_keys_is_not_taken(content):
    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=content))
    verifier = TokenVerifier(
        PublishedKeys("https://id.test/keys", transport=transport), "able", "https://id.test"
    )
    with pytest.raises(ExecutionError):
        verifier.verify(signed())
