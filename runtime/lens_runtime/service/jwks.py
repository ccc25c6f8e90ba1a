"""Public keys that an identity provider publishes (JWKS): tokens are verified without sharing a secret."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Sequence
from threading import Lock

import httpx
import jwt

from lens_dsl.errors import ExecutionError

ASYMMETRIC = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
FRESH_SECONDS = 300.0
PAUSE_SECONDS = 30.0
TIMEOUT_SECONDS = 5.0
MAX_BYTES = 256_000
LOG = logging.getLogger(__name__)


class PublishedKeys:
    """The keys behind a URL, fetched anew every five minutes, for an unknown one at most every 30 seconds."""

    algorithms: Sequence[str] = ASYMMETRIC

    def __init__(
        self,
        url: str,
        *,
        transport: httpx.BaseTransport | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = httpx.Client(transport=transport, timeout=TIMEOUT_SECONDS)
        self._url = url
        self._now = now
        self._lock = Lock()
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._tried: float | None = None

    def find(self, token: str) -> jwt.PyJWK:
        """The key that the token names, or the only one; ExecutionError (``KeysUnavailable``) while none is known."""
        named = jwt.get_unverified_header(token).get("kid")
        with self._lock:
            if self._age() > FRESH_SECONDS or (named not in self._keys and self._age() > PAUSE_SECONDS):
                self._fetch()
            if not self._keys:
                raise ExecutionError("KeysUnavailable", "the keys of tokens cannot be had", retryable=True)
            if named is None and len(self._keys) == 1:
                return next(iter(self._keys.values()))
            if named not in self._keys:
                raise jwt.InvalidTokenError("unknown key")
            return self._keys[named]

    def _age(self) -> float:
        return float("inf") if self._tried is None else self._now() - self._tried

    def _fetch(self) -> None:
        """Take the keys that are published now; where they cannot be had, those known before stay."""
        self._tried = self._now()
        try:
            found = jwt.PyJWKSet.from_dict(json.loads(self._read()))
        except (httpx.HTTPError, jwt.PyJWTError, ValueError, AttributeError, TypeError) as fault:
            LOG.error("LENS_TOKEN_JWKS gives no keys: %s", type(fault).__name__)
            return
        self._keys = {key.key_id: key for key in found.keys if key.algorithm_name in ASYMMETRIC}

    def _read(self) -> bytes:
        with self._client.stream("GET", self._url) as answer:
            answer.raise_for_status()
            content = b""
            for part in answer.iter_bytes():
                content += part
                if len(content) > MAX_BYTES:
                    raise ValueError("too long")
            return content
