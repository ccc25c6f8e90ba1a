"""Bearer tokens: who the caller of a service is. The gateway in front of D1 takes the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

import jwt

from lens_dsl.errors import AccessDenied

ALGORITHM = "HS256"
LEEWAY_SECONDS = 5
MAX_CHARACTERS = 8_192
REQUIRED = ("exp", "iss", "aud", "sub")


@dataclass(frozen=True, slots=True)
class Claims:
    """What a verified token says: who it names, and what that one may do besides reading."""

    subject: str
    may: frozenset[str]


class VerificationKeys(Protocol):
    """The keys that tokens are verified by, each for algorithms of its own."""

    @property
    def algorithms(self) -> Sequence[str]:
        """Which algorithms a token may name: never ``none``, never both kinds."""

    def find(self, token: str) -> jwt.PyJWK | str:
        """The key for a token. ``jwt.PyJWTError`` where there is none, ExecutionError where it cannot be had."""


@dataclass(frozen=True, slots=True)
class SharedKey:
    """One key, for who signs and who verifies."""

    key: str
    algorithms: Sequence[str] = (ALGORITHM,)

    def find(self, token: str) -> str:
        """That key."""
        return self.key


@dataclass(frozen=True, slots=True)
class TokenVerifier:
    """Verifies tokens for one audience, the world, from one issuer."""

    keys: VerificationKeys
    audience: str
    issuer: str

    def verify(self, token: str) -> Claims:
        """What the token says. AccessDenied (``Unauthenticated``) that tells no more than that it has expired."""
        if len(token) > MAX_CHARACTERS:
            raise AccessDenied("Unauthenticated", "the token is not valid here")
        try:
            claims = jwt.decode(
                token,
                self.keys.find(token),
                algorithms=self.keys.algorithms,
                audience=self.audience,
                issuer=self.issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": list(REQUIRED)},
            )
        except jwt.ExpiredSignatureError:
            raise AccessDenied("Unauthenticated", "the token has expired") from None
        except (jwt.PyJWTError, ValueError, RecursionError):
            raise AccessDenied("Unauthenticated", "the token is not valid here") from None
        may = claims.get("may")
        rights = [one for one in may if isinstance(one, str)] if isinstance(may, list) else []
        return Claims(claims["sub"], frozenset(rights))


def issue(actor: str, *, audience: str, issuer: str, key: str, hours: float, may: Sequence[str] = ()) -> str:
    """A signed token that names this actor, for so many hours from now."""
    now = datetime.now(UTC)
    claims: dict[str, object] = {
        "iss": issuer,
        "aud": audience,
        "sub": actor,
        "iat": now,
        "exp": now + timedelta(hours=hours),
    }
    if may:
        claims["may"] = sorted(set(may))
    return jwt.encode(claims, key, algorithm=ALGORITHM)
