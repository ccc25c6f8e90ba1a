"""A headless Chromium that notes everything a page asks for, says and throws."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import ConsoleMessage, Dialog, Error, Page, Request, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@dataclass
class Seen:
    """A page, and what it did: ``requests`` besides its own file, what its console had, and dialogs it opened."""

    own: str
    page: Page
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def asked(self, request: Request) -> None:
        if request.url != self.own:
            self.requests.append(request.url)

    def said(self, message: ConsoleMessage) -> None:
        self.console.append(f"{message.type}: {message.text}")

    def thrown(self, fault: Error) -> None:
        self.console.append(f"thrown: {fault}")

    def dismiss(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    @property
    def quiet(self) -> bool:
        """Whether it did nothing that a page of ours must not do."""
        return not (self.requests or self.console or self.dialogs)


def chromium() -> str:
    """Where the browser is; the test is skipped without one, and fails where LENS_REQUIRE_BROWSER is 1."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        reason = "needs a Chromium on the PATH (Debian: apt install chromium)"
        if os.environ.get("LENS_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@contextmanager
def opened(path: Path, executable: str) -> Iterator[Seen]:
    """The file, opened and drawn."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
        try:
            seen = Seen(path.resolve().as_uri(), browser.new_page(viewport={"width": 1000, "height": 700}))
            seen.page.on("request", seen.asked)
            seen.page.on("console", seen.said)
            seen.page.on("pageerror", seen.thrown)
            seen.page.on("dialog", seen.dismiss)
            seen.page.goto(seen.own)
            seen.page.wait_for_selector("html[data-drawn]", timeout=20_000)
            yield seen
        finally:
            browser.close()
