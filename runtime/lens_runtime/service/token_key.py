"""The key that development tokens are signed with: a setting, else a file that only its owner can read."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

import jwt
from jwt.algorithms import HMACAlgorithm

from lens_dsl.errors import ConfigurationError
from lens_runtime.settings import Settings
from lens_runtime.worlds.address import place_of
from lens_runtime.worlds.world import World

MIN_BYTES = 32
MIN_DISTINCT = 8


def shared_key(world: World, settings: Settings) -> str:
    """The key of ``LENS_TOKEN_KEY``, else that of the world's key file, which is made where there is none.

    Raises ConfigurationError: ``WeakKey`` for what is no secret of 32 bytes, ``ExposedKey`` where others can read
    the file, ``CannotWrite``.
    """
    if settings.token_key is not None:
        return _checked(settings.token_key.get_secret_value(), "LENS_TOKEN_KEY")
    path = key_file(world, settings)
    try:
        _make(path)
        return _checked(_read(path), str(path))
    except OSError as fault:
        raise ConfigurationError("CannotWrite", f"{path} cannot be used: {fault.strerror}") from fault


def key_file(world: World, settings: Settings) -> Path:
    """Where the key of a world is kept on this machine."""
    return settings.home / "keys" / f"{place_of(world, settings).folder.name}.key"


def _make(path: Path) -> None:
    if path.exists():
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = path.with_suffix(f".{secrets.token_hex(4)}")
    with open(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(MIN_BYTES))
    try:
        # A link is made whole or not at all, and never over what another process made meanwhile.
        os.link(made, path)
    except FileExistsError:
        return
    finally:
        made.unlink()


def _read(path: Path) -> str:
    with path.open("rb") as file:
        if os.name == "posix" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
            raise ConfigurationError(
                "ExposedKey", f"others than its owner can use {path}", hint=f"chmod 600 {path}"
            )
        content = file.read()
    try:
        return content.decode("ascii").strip()
    except UnicodeDecodeError:
        raise _weak(f"the key in {path} is not ASCII text") from None


def _checked(key: str, where: str) -> str:
    content = key.encode()
    if len(content) < MIN_BYTES:
        raise _weak(f"the key in {where} is shorter than {MIN_BYTES} bytes")
    if len(set(content)) < MIN_DISTINCT:
        raise _weak(f"the key in {where} is easily guessed: it has fewer than {MIN_DISTINCT} different bytes")
    try:
        HMACAlgorithm(HMACAlgorithm.SHA256).prepare_key(key)
    except jwt.InvalidKeyError:
        raise _weak(f"what stands in {where} is a key of another kind, not a shared secret") from None
    return key


def _weak(message: str) -> ConfigurationError:
    return ConfigurationError(
        "WeakKey", message, hint="python -c 'import secrets; print(secrets.token_urlsafe(32))' gives one"
    )
