"""The retail world as its customers see it: each an actor who reads the catalogue and what is their own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import yaml

from tests.conftest import ROOT

RETAIL = ROOT / "tests" / "worlds" / "retail"
ROLE = {
    "modules": "*",
    "kinds": "*",
    "classes": ["public", "internal"],
    "rules": [
        {"kind": "Customer", "when": {"field": "id", "is": "actor.customer"}},
        {"kind": "Order", "when": {"field": "user_id", "is": "actor.customer"}},
        {"kind": "PaymentMethod", "when": {"field": "user_id", "is": "actor.customer"}},
    ],
}


def customers_world(folder: Path, data: Path, customers: Sequence[str]) -> Path:
    """A copy of the retail world in which these customers may ask, each as the actor ``customer:ID``."""
    shutil.copytree(RETAIL, folder)
    modules = _read(folder / "modules.yml")
    for module in modules.values():
        module["source"] = {"json": str(data / "db.json")}
    modules["accounts"]["records"]["PaymentMethod"]["fields"] = {"user_id": "^.user_id"}
    _write(folder / "modules.yml", modules)
    ontology = _read(folder / "ontology.yml")
    for kind in ("Order", "PaymentMethod"):
        ontology["kinds"][kind]["hydrated"].append("user_id")
    _write(folder / "ontology.yml", ontology)
    policy = _read(folder / "policy.yml")
    policy["roles"]["customer"] = ROLE
    actors = {f"customer:{key}": {"roles": ["customer"], "attrs": {"customer": key}} for key in customers}
    policy["actors"].update(actors)
    policy["may_act_as"] += list(actors)
    _write(folder / "policy.yml", policy)
    return folder


def _read(path: Path) -> dict:
    read: dict = yaml.safe_load(path.read_text("utf-8"))
    return read


def _write(path: Path, value: dict) -> None:
    """As JSON, which is YAML: nothing in it is an alias."""
    path.write_text(json.dumps(value), encoding="utf-8")
