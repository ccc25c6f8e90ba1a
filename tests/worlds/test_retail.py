"""Third-party data mapped in one modules.yml: what is built is what stands in the JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lens_runtime.ports import Forbidden, Found, NotFound
from lens_runtime.worlds.build import export_world, world_status
from lens_runtime.worlds.folder import load_world
from tests.worlds.building import Ample, Kept, kept

FOLDER = Path(__file__).parent / "retail"


@pytest.fixture(scope="module")
def data(shared) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((shared / "data" / "retail" / "db.json").read_text("utf-8"))
    return read


@pytest.fixture(scope="module")
def retail(shared, tmp_path_factory) -> Iterator[Kept]:
    built = kept(load_world(FOLDER), tmp_path_factory.mktemp("retail"))
    built.build()
    yield built
    built.store.close()


def methods(data: dict[str, Any]) -> list[tuple[str, str]]:
    return [(user["user_id"], key) for user in data["users"].values() for key in user["payment_methods"]]


def variants(data: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (key, product["product_id"]) for product in data["products"].values() for key in product["variants"]
    ]


def expected_edges(data: dict[str, Any]) -> dict[str, set[tuple[str, str]]]:
    orders = data["orders"].values()
    return {
        "placed": {(order["user_id"], order["order_id"]) for order in orders},
        "pays_with": set(methods(data)),
        "contains": {(order["order_id"], item["item_id"]) for order in orders for item in order["items"]},
        "paid_with": {
            (order["order_id"], paid["payment_method_id"])
            for order in orders
            for paid in order["payment_history"]
        },
        "variant_of": set(variants(data)),
    }


def test_every_record_becomes_a_node(retail, data):
    found = world_status(retail.world, retail.store)
    assert found.nodes == {
        "Customer": len(data["users"]),
        "Order": len(data["orders"]),
        "Product": len(data["products"]),
        "Variant": len(variants(data)),
        "PaymentMethod": len(methods(data)),
    }
    assert (found.nodes["Customer"], found.nodes["Order"], found.nodes["Product"]) == (500, 1_000, 50)


def test_every_reference_becomes_a_relationship(retail, data):
    found = world_status(retail.world, retail.store)
    assert found.edges == {name: len(pairs) for name, pairs in expected_edges(data).items()}
    assert found.dangling == {}


@pytest.mark.promise("P6", "P8")
def test_each_one_joins_what_the_json_joins(retail, data):
    edges: dict[str, set[tuple[str, str]]] = {}
    for reader in retail.readers.values():
        for edge in reader.snapshot().edges:
            edges.setdefault(edge.type, set()).add((edge.source.entity_id, edge.target.entity_id))
            assert edge.provenance_module == retail.world.ontology.relationships[edge.type].owner
    assert edges == expected_edges(data)


@pytest.mark.promise("P48")
def test_records_are_read_as_the_json_has_them(retail, data):
    agent = retail.world.policy.actor("agent:rita")
    ids = list(data["orders"])[:50]
    answers = retail.readers["orders"].read(agent, "main", "Order", [*ids, "#W0"], Ample())
    for key in ids:
        order, answer = data["orders"][key], answers[key]
        assert isinstance(answer, Found)
        assert answer.fields["id"] == order["order_id"]
        assert {name: answer.fields[name] for name in ("status", "items", "address")} == {
            name: order[name] for name in ("status", "items", "address")
        }
        assert answer.label == f"{key} ({order['status']})"
    assert answers["#W0"] == NotFound()


@pytest.mark.promise("P51")
def test_a_shopper_reads_the_catalogue_and_nothing_else(retail, data):
    shopper = retail.world.policy.actor("shopper:sam")
    customer, product = next(iter(data["users"])), next(iter(data["products"].values()))["product_id"]
    read = retail.readers
    assert read["accounts"].read(shopper, "main", "Customer", [customer], Ample()) == {customer: Forbidden()}
    found = read["catalogue"].read(shopper, "main", "Product", [product], Ample())[product]
    assert isinstance(found, Found)


def test_addresses_and_payment_history_stay_out_of_the_graph(retail, data):
    told = "".join(export_world(retail.world, retail.store))
    user = next(iter(data["users"].values()))
    assert user["email"] in told
    assert user["address"]["address1"] not in told
    assert "transaction_type" not in told
