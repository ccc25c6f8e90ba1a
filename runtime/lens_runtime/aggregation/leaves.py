"""From what was made to the node a query binds: real, stamped, derived."""

from __future__ import annotations

from lens_dsl.ontology import Ontology
from lens_runtime.aggregation.cache import Key
from lens_runtime.aggregation.part import iso
from lens_runtime.aggregation.producer import Producer
from lens_runtime.aggregation.production import Made
from lens_runtime.graph import Coordinate, Node, Value

TRUST = "derived"


def leaf(
    node_id: str,
    producer: Producer,
    key: Key,
    anchor_key: Value,
    made: Made,
    hashes: tuple[str, str],
    ontology: Ontology,
) -> Node:
    """The node of the target kind; of its properties those that the kind declares. ``hashes``: fingerprint, inputs."""
    declared = ontology.relationships[producer.edge_type]
    kind = ontology.kinds[declared.targets[0]]
    fields: dict[str, Value] = {
        "band": key.band,
        "count": made.count,
        "generatedAt": iso(made.generated_at),
        "model": made.model,
        "trust": TRUST,
        "fingerprint": hashes[0],
        "inputHash": hashes[1],
        "worldId": key.world,
        "contextId": key.context,
        "policyRevision": key.policy,
        producer.anchor_key_field: anchor_key,
        producer.reduce.into: made.value,
        producer.identity_field: node_id,
    }
    return Node(
        node_id,
        Coordinate(kind.module, kind.name, node_id),
        hashes[1],
        f"{producer.name}:{key.owner}:{anchor_key}:{key.band}",
        declared.visibility,
        made.generated_at,
        {name: fields[name] for name in kind.properties if name in fields},
        (kind.name,),
        hydrated=True,
    )
