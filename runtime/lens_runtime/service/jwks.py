"""Public keys that an identity provider publishes (JWKS): tokens are verified without sharing a secret."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Sequence
from threading import BoundedSemaphore, Lock, Thread

import httpx
import jwt

from lens_dsl.errors import ExecutionError

ASYMMETRIC = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
FRESH_SECONDS = 300.0
OLD_SECONDS = 600.0
PAUSE_SECONDS = 30.0
TIMEOUT_SECONDS = 5.0
MAX_BYTES = 256_000
MOST_WAITING = 8
LOG = logging.getLogger(__name__)


class PublishedKeys:
    """The keys behind a URL, fetched anew every five minutes, for an unknown one at most every 30 seconds.

    Whoever names a known key does not wait for a fetch, unless nobody has asked for ten minutes: a key that was
    withdrawn meanwhile must not come in. At most eight wait for an unknown one; they come before their token is
    verified, and must not take all threads.
    """

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
        self._fetching = Lock()
        self._waiting = BoundedSemaphore(MOST_WAITING)
        self._keys: dict[str | None, jwt.PyJWK] = {}
        self._tried: float | None = None

    def find(self, token: str) -> jwt.PyJWK:
        """The key that the token names, or the only one; ExecutionError (``KeysUnavailable``) while none is known."""
        named = jwt.get_unverified_header(token).get("kid")
        if not self._keys:
            self._fetch_unless_tried(PAUSE_SECONDS)
        elif self._age() > OLD_SECONDS:
            self._fetch_unless_tried(FRESH_SECONDS)
        elif self._known(named) is None:
            self._wait_for_unknown()
        elif self._age() > FRESH_SECONDS and not self._fetching.locked():
            Thread(target=self._fetch_unless_tried, args=(FRESH_SECONDS,), daemon=True).start()
        if not self._keys:
            raise ExecutionError("KeysUnavailable", "the keys of tokens cannot be had", retryable=True)
        found = self._known(named)
        if found is None:
            raise jwt.InvalidTokenError("unknown key")
        return found

    def _known(self, named: str | None) -> jwt.PyJWK | None:
        keys = self._keys
        return next(iter(keys.values())) if named is None and len(keys) == 1 else keys.get(named)

    def _wait_for_unknown(self) -> None:
        if self._age() <= PAUSE_SECONDS and not self._fetching.locked():
            return
        if self._waiting.acquire(blocking=False):
            try:
                self._fetch_unless_tried(PAUSE_SECONDS)
            finally:
                self._waiting.release()

    def _fetch_unless_tried(self, seconds: float) -> None:
        """Fetch, or wait for who does, unless that was tried in these last seconds."""
        with self._fetching:
            if self._age() > seconds:
                self._fetch()

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
        until = time.monotonic() + TIMEOUT_SECONDS
        with self._client.stream("GET", self._url) as answer:
            answer.raise_for_status()
            content = b""
            for part in answer.iter_bytes():
                content += part
                if len(content) > MAX_BYTES:
                    raise ValueError("too long")
                if time.monotonic() > until:
                    raise ValueError("too slow")
            return content
