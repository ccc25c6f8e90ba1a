"""One producer at work for the anchors of a query: what stands is taken from the graph, the rest is reduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lens_dsl.errors import AccessDenied, OverBudget, StoreError
from lens_runtime.aggregation.cache import PROMOTED, Entry, Kept, Key, commit_statements, seek, sought
from lens_runtime.aggregation.collect import Group, collect
from lens_runtime.aggregation.fingerprint import canonical, fingerprint, input_hash, instruction
from lens_runtime.aggregation.flights import Flights
from lens_runtime.aggregation.leaves import leaf
from lens_runtime.aggregation.producer import Producer, Role
from lens_runtime.aggregation.production import Made, Outcome, Production
from lens_runtime.aggregation.reduction import Reply, reduce_items
from lens_runtime.aggregation.run import Run
from lens_runtime.aggregation.steering import Steering
from lens_runtime.cuts import Cut
from lens_runtime.graph import Coordinate, Node, Value
from lens_runtime.hydration import Freshness
from lens_runtime.ports import ReductionRequest
from lens_runtime.projection.identity import aggregate_id
from lens_runtime.scope import UNGUARDED

_FLIGHTS: Flights[tuple[Reply, Made | None, bool]] = Flights()


@dataclass(frozen=True, slots=True)
class Task:
    """One leaf that is asked for: the records it is collected around, and what it is kept under."""

    anchor: Coordinate | None
    records: tuple[str, ...]
    key: Key
    anchor_key: Value


@dataclass
class Bench:
    """One producer under one steering. ``warnings`` say what could not be kept."""

    producer: Producer
    steering: Steering
    run: Run
    freshness: tuple[Freshness, ...] = ()
    warnings: list[str] = field(default_factory=list)

    @property
    def role(self) -> Role:
        """What reduces: the producer's role, or the one that the query names."""
        return self.run.aggregation.roles[self.steering.model or self.producer.reduce.role]

    @property
    def cached(self) -> bool:
        """Whether the graph is asked and told."""
        return self.producer.kept and not self.steering.transient

    def task(self, node: Node) -> Task:
        """The leaf of one anchor, under its own key and its own owner."""
        rule = self.producer.collect
        record = node.coordinate.entity_id
        value = node.properties.get(rule.anchor_key or "id")
        key = canonical([record] if value is None else value)
        owner = self.run.aggregation.policy.guard(rule.anchor, node.properties) or UNGUARDED
        return Task(node.coordinate, (record,), self._key(owner, key), value)

    def shared_task(self, nodes: Sequence[Node]) -> Task:
        """The one leaf of the whole batch: around the actor's principal where it has one of the anchors' kind."""
        actor, rule = self.run.scope.actor, self.producer.collect
        principal = Coordinate.parse(actor.principal) if actor.principal else None
        if principal is not None and principal.entity_type == rule.anchor:
            key = self._key(str(principal), str(principal))
            return Task(principal, (principal.entity_id,), key, str(principal))
        records = tuple(sorted(node.coordinate.entity_id for node in nodes))
        return Task(None, records, self._key(UNGUARDED, self.run.scope.context), self.run.scope.context)

    def produce(self, tasks: Sequence[Task], *, authorize: bool) -> list[Production | Cut]:
        """What became of each task; a cut where something visible is missing from what would be reduced."""
        keys = [task.key for task in tasks]
        further = seek(keys, self.run.scope.world) if self.cached and not self.steering.fresh else None
        records = [task.records for task in tasks]
        collected = collect(self.producer.collect, records, further, self.run, authorize=authorize)
        self.freshness = collected.freshness
        kept = sought(collected.rows, keys)
        leaves = [self._leaf(t, group) for t, group in zip(tasks, collected.groups, strict=True)]
        taken = [one.settled(kept[one.task.key]) for one in leaves]
        self._check_ceiling(sum(result is None for result in taken))
        return [
            one.reduced() if result is None else result for one, result in zip(leaves, taken, strict=True)
        ]

    def keep(self, entry: Entry) -> bool:
        """Whether the leaf was committed; where it could not be, the query has it all the same, and says so."""
        try:
            statements = commit_statements(entry, fresh=self.steering.fresh)
            self.run.store.commit(statements, self.run.scope, self.run.deadline)
        except (StoreError, AccessDenied) as problem:
            warning = (
                f"what {self.producer.name} made could not be kept ({problem.code}), and will be made again"
            )
            if warning not in self.warnings:
                self.warnings.append(warning)
            return False
        return True

    def _key(self, owner: str, anchor: str) -> Key:
        scope, name = self.run.scope, self.producer.name
        context = PROMOTED if name in self.run.aggregation.policy.promotions else scope.context
        return Key(scope.world, context, scope.policy_revision, name, owner, anchor, self.steering.band.name)

    def _leaf(self, task: Task, group: Group) -> _Leaf:
        effective = instruction(self.producer, self.steering)
        made_by = fingerprint(self.producer, self.role, effective, self.steering.band)
        # Contexts have other records of the same content: what they share is known by its texts alone.
        shared = task.key.context == PROMOTED
        items = tuple(("", text) for _, text in group.items) if shared else group.items
        return _Leaf(self, task, group, effective, made_by, input_hash(items))

    def _check_ceiling(self, calls: int) -> None:
        meter, ceiling = self.run.meter, self.run.budget.model_calls
        if meter.model_calls + calls > ceiling:
            raise OverBudget(
                "ModelCallsExceeded",
                f"the query needs {meter.model_calls + calls:,} calls of a model; the ceiling is {ceiling:,}",
                hint="narrow the query, or raise the ceiling (--max-model-calls)",
                phase="runtime",
            )


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One task with what was collected for it."""

    bench: Bench
    task: Task
    group: Group
    instruction: str
    fingerprint: str
    input_hash: str

    def settled(self, kept: Sequence[Kept]) -> Production | Cut | None:
        """The outcome that needs no reduction; None where one is needed."""
        if self.group.cut is not None:
            return self.group.cut
        if self.group.fault is not None:
            return replace(self._production(), outcome="failed", reason=self.group.fault)
        if not any(text.strip() for _, text in self.group.items):
            return self._production()
        stands = (self.group.audience, self.input_hash, self.fingerprint)
        found = next((k for k in kept if (k.audience, k.input_hash, k.fingerprint) == stands), None)
        if found is None:
            return None
        return replace(
            self._production(), outcome="hit", node=self._node(found.made), made=found.made, kept=True
        )

    def reduced(self) -> Production:
        """The outcome of a reduction, shared with whoever asks for the very same at this moment."""
        clock = self.bench.run.clock
        began = clock.now()
        flight = (self._node_id(), self.input_hash, self.fingerprint, str(self.bench.cached))
        if self.bench.cached and not self.bench.steering.fresh:
            (reply, made, kept), led = _FLIGHTS.share(flight, self._reduce, self.bench.run.deadline)
        else:
            (reply, made, kept), led = self._reduce(), True
        spent = replace(
            self._production(),
            calls=reply.calls if led else 0,
            tokens_in=reply.tokens_in if led else None,
            tokens_out=reply.tokens_out if led else None,
            milliseconds=clock.now() - began,
            reason=reply.reason,
        )
        if made is None:
            return replace(spent, outcome="miss" if reply.outcome == "miss" else "failed")
        outcome: Outcome = "transient" if not self.bench.cached else "generated" if led else "hit"
        return replace(spent, outcome=outcome, node=self._node(made), made=made, kept=kept)

    def _reduce(self) -> tuple[Reply, Made | None, bool]:
        """The reply, what it made, and whether that was committed."""
        bench, run = self.bench, self.bench.run
        steering, producer = bench.steering, bench.producer
        texts = tuple(text for _, text in self.group.items if text.strip())
        request = ReductionRequest(
            producer.reduce.using, self.instruction, texts, steering.band.words, steering.hint
        )
        reducer = run.aggregation.reducers[bench.role.reducer]
        count = run.meter.model_call
        reply = reduce_items(reducer, request, run.deadline, lambda: count(run.budget.model_calls))
        if reply.value is None:
            return reply, None, False
        made = Made(reply.value, len(self.group.items), reply.model, self.group.untrusted, run.clock.now())
        kept = Kept(self.group.audience, self.input_hash, self.fingerprint, made)
        entry = Entry(self.task.key, kept, self.group.inputs)
        return reply, made, bench.cached and bench.keep(entry)

    def _node(self, made: Made) -> Node:
        bench, task = self.bench, self.task
        hashes = (self.fingerprint, self.input_hash)
        ontology = bench.run.sources.ontology
        return leaf(self._node_id(), bench.producer, task.key, task.anchor_key, made, hashes, ontology)

    def _production(self) -> Production:
        task, band = self.task, self.bench.steering.band.name
        return Production(
            self.bench.producer.name,
            task.anchor,
            band,
            "empty",
            fingerprint=self.fingerprint,
            input_hash=self.input_hash,
        )

    def _node_id(self) -> str:
        """The committed node's id; of a transient one its own, which no other steering has."""
        node_id = self.task.key.node_id(self.group.audience)
        if self.bench.cached:
            return node_id
        return aggregate_id(node_id, "transient", canonical(self.bench.steering.plain()))
