"""An open world declares nothing: its one module is a graph."""

from __future__ import annotations

from lens_runtime.worlds.checking.sheet import Sheet

_MAPPED = ("records", "relationships")


def check_open(world: Sheet, ontology: Sheet, modules: Sheet) -> None:
    """Note what an open world declares or maps, and a graph in a world that is not open."""
    if world.shape is None or modules.shape is None:
        return
    graphs = {name for name, module in modules.shape.items() if module.source.graph is not None}
    if not world.shape.open:
        for name in sorted(graphs):
            modules.report(
                (name, "source", "graph"), "is for open worlds alone: write open: true in world.yml"
            )
        return
    if len(modules.shape) != 1 or not graphs:
        world.report(("open",), "an open world has one module, whose source is a graph: {graph: FILE}")
    for name in sorted(graphs):
        for field in _MAPPED:
            if getattr(modules.shape[name], field):
                modules.report(
                    (name, field), "are not mapped in an open world: the graph has them as they are"
                )
    for table in ("kinds", "relationships"):
        for name in sorted(ontology.names(table) or ()):
            ontology.report((table, name), "is declared, and an open world declares nothing")
