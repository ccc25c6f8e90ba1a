"""A module that is served by its own process, read over HTTP: see ``lens_runtime.module_messages``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

import httpx

from lens_dsl.errors import ConfigurationError, LensError, ReaderError
from lens_runtime.adapters.sources import unavailable
from lens_runtime.module_messages import (
    DEADLINE_HEADER,
    MAX_ANSWER_BYTES,
    MAX_IDS,
    MAX_LINE_BYTES,
    Malformed,
    answers_of,
    changes_of,
    edge_of,
    encoded,
    mapping_of,
    node_of,
)
from lens_runtime.ports import Answer, Assertion, Confirmation, Deadline, Snapshot
from lens_runtime.projection.states import Change, Feed, Position
from lens_runtime.scope import Actor

T = TypeVar("T")
TIMEOUT_SECONDS = 30.0
MAX_MESSAGE = 300
MAX_ERROR_BYTES = 10_000
_REFUSALS = (401, 403)


class ModuleClient(httpx.Client):
    """The one client of a world's HTTP modules, open as long as a reader holds it.

    It follows no redirect, so that the token and what is asked go nowhere else.
    """

    def __init__(self, token: str | None, transport: httpx.BaseTransport | None = None) -> None:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        super().__init__(
            headers=headers, timeout=TIMEOUT_SECONDS, follow_redirects=False, transport=transport
        )

    def __del__(self) -> None:
        self.close()


class HttpReader:
    """The public reader of a module elsewhere, which authorizes every record by itself.

    What a module answers with an error, too late, too long or in another shape is ReaderError: ``ReaderRefused``
    where it does not take the token, else ``ReaderUnavailable``. No error quotes what the module sent for an actor.
    """

    def __init__(self, module: str, url: str, client: httpx.Client) -> None:
        self._module = module
        self._url = url.rstrip("/")
        self._client = client

    @property
    def module(self) -> str:
        """The module's name."""
        return self._module

    def read(
        self, actor: Actor, context: str, kind: str, ids: Sequence[str], deadline: Deadline
    ) -> Mapping[str, Answer]:
        """One answer for every id asked, within the deadline."""
        deadline.check()
        answers: dict[str, Answer] = {}
        for start in range(0, len(ids), MAX_IDS):
            asked = list(ids[start : start + MAX_IDS])
            body = encoded({"actor": actor.id, "context": context, "kind": kind, "ids": asked})
            with self._faults():
                answers |= answers_of(self._content("POST", "/read", deadline, content=body), asked)
        return answers

    def confirm(
        self, actor: Actor, context: str, relationships: Sequence[Assertion], deadline: Deadline
    ) -> Mapping[str, Confirmation]:
        """``unknown`` for each: ``POST /confirm`` is kept for it, and no module answers that yet."""
        return {each.id: "unknown" for each in relationships}

    def changes(self, cursor: Position | None) -> Feed | None:
        """The module's feed from this cursor on, a page a request; None where the module has none."""
        head, page = self._page(cursor)
        if head is None:
            return None
        return Feed(head, None if cursor is None or page is None else self._pages(page))

    def snapshot(self) -> Snapshot:
        """Everything the module has, streamed: first the records, then the relationships."""
        null_references: dict[str, int] = {}
        edges = self._part("edges", edge_of, null_references)
        return Snapshot(self._part("nodes", node_of, {}), edges, null_references)

    def _pages(self, page: Sequence[Change]) -> Iterator[Change]:
        while page:
            yield from page
            _, following = self._page(page[-1].position)
            if following is None:
                raise unavailable(self._module, "its feed was replaced while it was read")
            page = following

    def _page(self, cursor: Position | None) -> tuple[Position | None, list[Change] | None]:
        query = {} if cursor is None else {"cursor": str(cursor)}
        with self._faults():
            return changes_of(self._content("GET", "/changes", None, params=query))

    def _part(self, part: str, state: Callable[[object], T], null_references: dict[str, int]) -> Iterator[T]:
        count = 0
        with (
            self._faults(),
            self._client.stream("GET", f"{self._url}/snapshot", params={"part": part}) as response,
        ):
            self._check(response, told=True)
            for line in _lines(response.iter_bytes()):
                message = mapping_of(line)
                if "item" in message:
                    count += 1
                    yield state(message["item"])
                elif "error" in message:
                    raise self._told(message["error"])
                elif message.get("end") == count:
                    null_references.update(_counts(message.get("null_references")))
                    return
                else:
                    break
        raise unavailable(self._module, "its snapshot ends before it is whole")

    def _content(self, method: str, path: str, deadline: Deadline | None, **more: object) -> bytes:
        left = TIMEOUT_SECONDS if deadline is None else min(TIMEOUT_SECONDS, deadline.remaining())
        headers = {"content-type": "application/json", DEADLINE_HEADER: str(int(left * 1_000))}
        with self._client.stream(
            method,
            self._url + path,
            headers=headers,
            timeout=left,
            **more,  # type: ignore[arg-type]
        ) as response:
            self._check(response, told=deadline is None)
            return self._bounded(response, MAX_ANSWER_BYTES, deadline)

    def _bounded(self, response: httpx.Response, limit: int, deadline: Deadline | None = None) -> bytes:
        parts, size = [], 0
        for part in response.iter_bytes():
            size += len(part)
            if size > limit:
                raise unavailable(self._module, f"it answered with more than {limit:,} bytes")
            if deadline is not None and deadline.remaining() <= 0:
                raise unavailable(self._module, "it did not answer in time")
            parts.append(part)
        return b"".join(parts)

    def _check(self, response: httpx.Response, *, told: bool) -> None:
        """Raise what a refusal means; ``told`` lets the module's own words through, to its operator alone."""
        if response.status_code in _REFUSALS:
            raise ReaderError(
                "ReaderRefused",
                f"module {self._module}: it refused the whole request with status {response.status_code}",
                hint="set LENS_MODULE_TOKEN to the token that the module was started with",
            )
        if response.status_code == httpx.codes.OK:
            return
        error = self._error(response)
        if told and error:
            raise self._told(error)
        if error.get("code") == "RecordUnreadable":
            raise ReaderError("RecordUnreadable", f"module {self._module}: a record does not fit its mapping")
        raise unavailable(self._module, f"it answered with status {response.status_code}")

    def _error(self, response: httpx.Response) -> Mapping[str, object]:
        """What a module says of its failure; anything may stand in front of it and answer in HTML."""
        try:
            error = mapping_of(self._bounded(response, MAX_ERROR_BYTES)).get("error")
        except (Malformed, ReaderError):
            return {}
        return error if isinstance(error, dict) else {}

    def _told(self, error: object) -> LensError:
        """The fault as the module tells its operator."""
        told = error if isinstance(error, dict) else {}
        kind, code, message = (str(told.get(name, ""))[:MAX_MESSAGE] for name in ("type", "code", "message"))
        if not code.isidentifier():
            return unavailable(self._module, "it failed")
        if kind == "ConfigurationError":
            return ConfigurationError(code, message)
        return ReaderError(code, message, retryable=told.get("retryable") is True)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except httpx.TimeoutException:
            raise unavailable(self._module, "it did not answer in time") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as fault:
            raise unavailable(self._module, f"it cannot be reached: {type(fault).__name__}") from None
        except (Malformed, UnicodeError):
            raise unavailable(self._module, "it answered in a shape that is no module's") from None


def _lines(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Whole lines, each bounded."""
    rest = b""
    for part in parts:
        *lines, rest = (rest + part).split(b"\n")
        if len(rest) > MAX_LINE_BYTES:
            raise Malformed
        yield from lines


def _counts(value: object) -> dict[str, int]:
    if not isinstance(value, dict) or not all(isinstance(count, int) for count in value.values()):
        raise Malformed
    return {str(name): count for name, count in value.items()}
