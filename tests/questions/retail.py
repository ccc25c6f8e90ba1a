"""Ten questions an agent in a shop would ask, each with its answer computed straight from the JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Shop = Mapping[str, Mapping[str, Any]]
Rows = list[tuple[Any, ...]]

CUSTOMER, EMAIL = "sofia_rossi_8776", "sofia.rossi2645@example.com"


@dataclass(frozen=True)
class Question:
    """A query with its parameters, and the rows it must give; sorted by value unless ``ordered``."""

    name: str
    text: str
    answer: Callable[[Shop, Mapping[str, Any]], Rows]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    ordered: bool = False


def _orders(shop: Shop, customer: str) -> list[Any]:
    return [order for order in shop["orders"].values() if order["user_id"] == customer]


def _variants(shop: Shop) -> dict[str, tuple[Any, Any]]:
    return {
        item: (variant, product)
        for product in shop["products"].values()
        for item, variant in product["variants"].items()
    }


def _pending(shop: Shop, given: Mapping[str, Any]) -> Rows:
    return [
        (o["order_id"], o["status"]) for o in _orders(shop, given["customer"]) if o["status"] == "pending"
    ]


def _statuses(shop: Shop, given: Mapping[str, Any]) -> Rows:
    return sorted(
        Counter(o["status"] for o in _orders(shop, given["customer"])).items(), key=lambda p: (-p[1], p[0])
    )


def _items(shop: Shop, given: Mapping[str, Any]) -> Rows:
    variants = _variants(shop)
    order = shop["orders"][given["order"]]
    ids = {item["item_id"] for item in order["items"]}
    return [(variants[i][1]["name"], i, variants[i][0]["price"], variants[i][0]["available"]) for i in ids]


def _others_in_stock(shop: Shop, given: Mapping[str, Any]) -> Rows:
    own, product = _variants(shop)[given["item"]]
    return [
        (v["item_id"], v["options"].get("color"), v["price"])
        for v in product["variants"].values()
        if v["available"]
        and v["item_id"] != given["item"]
        and v["options"].get("color") != own["options"].get("color")
    ]


def _cheaper(shop: Shop, given: Mapping[str, Any]) -> Rows:
    own, product = _variants(shop)[given["item"]]
    found = [v for v in product["variants"].values() if v["available"] and v["price"] < own["price"]]
    return [(v["item_id"], v["price"]) for v in sorted(found, key=lambda v: (v["price"], v["item_id"]))]


def _payment_methods(shop: Shop, given: Mapping[str, Any]) -> Rows:
    methods = shop["users"][given["customer"]]["payment_methods"].values()
    return [(m["id"], m["source"], m.get("last_four")) for m in methods]


def _paid_with(shop: Shop, given: Mapping[str, Any]) -> Rows:
    order = shop["orders"][given["order"]]
    owned = shop["users"][order["user_id"]]["payment_methods"]
    ids = {entry["payment_method_id"] for entry in order["payment_history"]}
    return [(i, owned[i]["source"]) for i in ids if i in owned]


def _who(shop: Shop, given: Mapping[str, Any]) -> Rows:
    users = [(i, u) for i, u in shop["users"].items() if u["email"] == given["email"]]
    return [(i, u["name"]["first_name"], len(_orders(shop, i))) for i, u in users]


def _bought_twice(shop: Shop, given: Mapping[str, Any]) -> Rows:
    variants = _variants(shop)
    counts: Counter[str] = Counter()
    for order in _orders(shop, given["customer"]):
        counts.update({variants[item["item_id"]][1]["name"] for item in order["items"]})
    return [(name, n) for name, n in counts.items() if n > 1]


def _without_delivered(shop: Shop, given: Mapping[str, Any]) -> Rows:
    rows = []
    for customer in given["customers"]:
        delivered = [o["order_id"] for o in _orders(shop, customer) if o["status"] == "delivered"]
        rows.append((customer, len(delivered)))
    return rows


QUESTIONS = (
    Question(
        "which orders of this customer are pending",
        "MATCH (c:Customer {id: $customer})-[:PLACED]->(o:Order) WHERE o.status = 'pending' RETURN o.id, o.status",
        _pending,
        {"customer": CUSTOMER},
    ),
    Question(
        "how many orders in which state",
        "MATCH (c:Customer {id: $customer})-[:PLACED]->(o:Order) "
        "RETURN o.status AS status, count(*) AS n ORDER BY n DESC, status",
        _statuses,
        {"customer": CUSTOMER},
        ordered=True,
    ),
    Question(
        "what is in this order, and is it still sold",
        "MATCH (o:Order {id: $order})-[:CONTAINS]->(v:Variant)-[:VARIANT_OF]->(p:Product) "
        "RETURN p.name, v.id, v.price, v.available",
        _items,
        {"order": "#W5918442"},
    ),
    Question(
        "which variants of this product are available in another colour",
        "MATCH (v:Variant {id: $item})-[:VARIANT_OF]->(p:Product)<-[:VARIANT_OF]-(w:Variant) "
        "WHERE w.available = true AND NOT coalesce(w.options.color, '') = coalesce(v.options.color, '') "
        "RETURN w.id, w.options.color AS colour, w.price",
        _others_in_stock,
        {"item": "9612497925"},
    ),
    Question(
        "what would be cheaper, the cheapest first",
        "MATCH (v:Variant {id: $item})-[:VARIANT_OF]->(:Product)<-[:VARIANT_OF]-(w:Variant) "
        "WHERE w.available AND w.price < v.price RETURN w.id, w.price ORDER BY w.price, w.id",
        _cheaper,
        {"item": "9612497925"},
        ordered=True,
    ),
    Question(
        "how can this customer pay",
        "MATCH (c:Customer {id: $customer})-[:PAYS_WITH]->(m:PaymentMethod) RETURN m.id, m.source, m.last_four",
        _payment_methods,
        {"customer": CUSTOMER},
    ),
    Question(
        "what was this order paid with",
        "MATCH (o:Order {id: $order})-[:PAID_WITH]->(m:PaymentMethod) RETURN m.id, m.source",
        _paid_with,
        {"order": "#W5918442"},
    ),
    Question(
        "who writes from this address, and how many orders are theirs",
        "MATCH (c:Customer {email: $email}) OPTIONAL MATCH (c)-[:PLACED]->(o:Order) "
        "RETURN c.id, c.name.first_name AS name, count(o) AS orders",
        _who,
        {"email": EMAIL},
    ),
    Question(
        "what has this customer bought in more than one order",
        "MATCH (c:Customer {id: $customer})-[:PLACED]->(o:Order)-[:CONTAINS]->(:Variant)-[:VARIANT_OF]->(p:Product) "
        "WITH p.name AS product, count(DISTINCT o) AS n WHERE n > 1 RETURN product, n",
        _bought_twice,
        {"customer": CUSTOMER},
    ),
    Question(
        "how many delivered orders each of these customers has, none included",
        "MATCH (c:Customer) WHERE c.id IN $customers "
        "OPTIONAL MATCH (c)-[:PLACED]->(o:Order) WHERE o.status = 'delivered' RETURN c.id, count(o) AS delivered",
        _without_delivered,
        {"customers": [CUSTOMER, "noah_brown_6181", "mei_kovacs_8020", "james_li_5688"]},
    ),
)
