"""Cases of the retail world from third-party tasks: which records the reference actions of an agent rest on.

``python -m tests.evaluation.retail_cases TASKS_FOLDER > cases.jsonl`` writes them, one a line.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

AGENT = "agent:rita"
NOT_THERE = {"Order": "not_found_or_not_visible", "Product": "out_of_lens"}
"""What an answer must say of an id that is not there: an order that is named, or a part of the catalogue."""
IN_ACTIONS = {
    "order_id": "Order",
    "product_id": "Product",
    "item_id": "Variant",
    "item_ids": "Variant",
    "new_item_ids": "Variant",
    "payment_method_id": "PaymentMethod",
    "user_id": "Customer",
}
MODULES = {
    "Order": "orders",
    "Product": "catalogue",
    "Variant": "catalogue",
    "PaymentMethod": "accounts",
    "Customer": "accounts",
}
Record = tuple[str, str]


class Retail:
    """The shop's records by kind and id, and what each of them touches."""

    def __init__(self, folder: Path) -> None:
        data: Mapping[str, Any] = json.loads((folder / "db.json").read_text("utf-8"))
        self.tasks: list[Mapping[str, Any]] = json.loads((folder / "tasks.json").read_text("utf-8"))
        self.users, self.orders = data["users"], data["orders"]
        self.product_of = {v: p["product_id"] for p in data["products"].values() for v in p["variants"]}
        self.payers = {m: u for u, user in self.users.items() for m in user["payment_methods"]}
        self.products = {p["product_id"] for p in data["products"].values()}
        self._ids = {
            "Order": set(self.orders),
            "Product": self.products,
            "Variant": set(self.product_of),
            "PaymentMethod": set(self.payers),
            "Customer": set(self.users),
        }

    def has(self, record: Record) -> bool:
        """Whether there is such a record."""
        return record[1] in self._ids[record[0]]

    def touched(self, record: Record) -> Iterator[Record]:
        """The product of a variant, what an order was paid with."""
        kind, key = record
        if kind == "Variant":
            yield "Product", self.product_of[key]
        elif kind == "Order":
            yield from (
                ("PaymentMethod", p["payment_method_id"]) for p in self.orders[key]["payment_history"]
            )

    def customer(self, task: Mapping[str, Any]) -> str | None:
        """Who the task is about: as its actions say, else as the caller says."""
        for action in _actions(task):
            given = action["arguments"]
            found = given.get("user_id") or self.orders.get(given.get("order_id"), {}).get("user_id")
            if found in self.users:
                return str(found)
        told = _told(task, "known_info") + " "
        named = [key for key, user in self.users.items() if key in told or user["email"] in told]
        return named[0] if named else next((key for key, user in self.users.items() if _is(user, told)), None)


def _is(user: Mapping[str, Any], told: str) -> bool:
    name = f"{user['name']['first_name']} {user['name']['last_name']}"
    return name in told and user["address"]["zip"] in told


def _actions(task: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return task["evaluation_criteria"]["actions"] or []


def _told(task: Mapping[str, Any], name: str) -> str:
    return str(task["user_scenario"]["instructions"][name] or "")


def named(task: Mapping[str, Any]) -> list[Record]:
    """The records whose ids stand in the arguments of the reference actions, each once."""
    found = [
        (kind, key)
        for action in _actions(task)
        for argument, kind in IN_ACTIONS.items()
        for key in _listed(action["arguments"].get(argument))
    ]
    return list(dict.fromkeys(found))


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [] if value is None else [value]


def retail_cases(folder: Path, actor: str = AGENT) -> list[dict[str, Any]]:
    """A case for each task whose customer can be told."""
    retail, cases = Retail(folder), []
    for task in retail.tasks:
        customer = retail.customer(task)
        if customer is not None:
            cases.append(_case(retail, task, customer, actor))
    return cases


def _case(retail: Retail, task: Mapping[str, Any], customer: str, actor: str) -> dict[str, Any]:
    asked = named(task)
    there = [("Customer", customer), *filter(retail.has, asked)]
    needed = dict.fromkeys([*there, *(other for record in there for other in retail.touched(record))])
    absent = dict.fromkeys(NOT_THERE[kind] for kind, key in asked if not retail.has((kind, key)))
    return {
        "id": task["id"],
        "subject": place(("Customer", customer)),
        "actor": actor,
        "focus": _told(task, "reason_for_call"),
        "needed": list(map(place, needed)),
        "unknowns": list(absent),
    }


def place(record: Record) -> str:
    """The record's coordinate."""
    return f"{MODULES[record[0]]}:{record[0]}:{record[1]}"


POLICY = {
    "pending": ("orders.cancel", "orders.modify_items"),
    "delivered": ("orders.return_items", "orders.exchange_items"),
}
"""By an order's status, what the shop's policy lets an agent do about it; about any other, nothing."""


def policy_cases(folder: Path, actor: str = AGENT) -> list[dict[str, Any]]:
    """A case for every order, with the right next actions by the shop's policy."""
    return [
        {
            "id": key,
            "subject": place(("Order", key)),
            "actor": actor,
            "needed": [place(("Order", key)), place(("Customer", order["user_id"]))],
            "actions": list(POLICY.get(order["status"], ())),
        }
        for key, order in Retail(folder).orders.items()
    ]


if __name__ == "__main__":
    for each in retail_cases(Path(sys.argv[1])):
        sys.stdout.write(json.dumps(each, ensure_ascii=False) + "\n")
