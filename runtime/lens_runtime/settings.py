"""The settings of this machine: ``LENS_*`` variables of the environment, and nothing else reads it."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from lens_dsl.errors import ConfigurationError


class Settings(BaseSettings):
    """Where things are kept, and what is fixed for tests and demos; secrets never show in a repr."""

    model_config = SettingsConfigDict(env_prefix="LENS_", extra="ignore", hide_input_in_errors=True)

    home: Path = Field(
        default_factory=lambda: user_data_path("lensmith"),
        description="Folder of built databases and of everything else this program writes.",
    )
    worlds: str = Field(default="", description="Folders to look for worlds in, separated as in PATH.")
    now: datetime | None = Field(
        default=None, description="The time it is taken to be (ISO 8601, UTC if no zone)."
    )
    gateway_token: SecretStr | None = Field(
        default=None, description="Bearer token for the D1 gateway's reads."
    )
    writer_key: SecretStr | None = Field(
        default=None, description="Key of the compiler's writes to the D1 gateway."
    )
    module_token: SecretStr | None = Field(
        default=None, description="Token that a module served over HTTP shares with its readers."
    )
    token_key: SecretStr | None = Field(
        default=None,
        description="Key that signs the tokens of the service's callers: HS256, 32 bytes or more.",
    )
    token_jwks: str | None = Field(
        default=None,
        pattern=r"^https?://[^\s@]+$",
        description="URL of the public keys that callers' tokens are verified by instead.",
    )
    token_issuer: str = Field(
        default="lensmith", min_length=1, description="Who issues the tokens of the service's callers."
    )
    service_concurrency: int = Field(
        default=8, ge=1, le=256, description="How many requests the service answers at one time."
    )
    service_rate: int = Field(
        default=240, ge=1, le=1_000_000, description="How many requests an actor may make of it a minute."
    )

    @property
    def world_folders(self) -> tuple[Path, ...]:
        """The folders of ``LENS_WORLDS``, in order."""
        return tuple(Path(part).expanduser() for part in self.worlds.split(os.pathsep) if part)

    @property
    def fixed_now(self) -> int | None:
        """``LENS_NOW`` in milliseconds since 1970 UTC; None where the clock runs."""
        if self.now is None:
            return None
        aware = self.now if self.now.tzinfo is not None else self.now.replace(tzinfo=UTC)
        return round(aware.timestamp() * 1000)


def load_settings() -> Settings:
    """The settings; ConfigurationError (``InvalidSetting``) naming the variable that cannot be read."""
    try:
        return Settings()
    except ValidationError as fault:
        told = [
            f"LENS_{str(one['loc'][0]).upper()}: {_told(one)}" for one in fault.errors(include_input=False)
        ]
        raise ConfigurationError(
            "InvalidSetting", "; ".join(told), hint="correct or unset the variable"
        ) from None


def _told(fault: ErrorDetails) -> str:
    if fault["type"].startswith("datetime"):
        return "write a date and time such as 2026-01-31T12:00:00Z"
    return fault["msg"].removeprefix("Input ")
