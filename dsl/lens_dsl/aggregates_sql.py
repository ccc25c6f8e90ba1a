"""The statements of committed aggregates: how a session seeks them, and the only ones by which it writes.

What is committed is readable to whoever may see every one of its inputs, and to nobody else; an input that was
deleted or revoked makes it unreadable at once. So holds the store, whatever a client asks for.
"""

from __future__ import annotations

# An input that ``i`` names and that these scopes (?1) do not open, or that is gone.
_UNSEEN = """SELECT 1 FROM json_each({inputs}) i
  LEFT JOIN context_nodes n ON n.generation = +g.generation AND n.id = +i.value
  WHERE n.nid IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(?1, '$."' || n.entity_type || '"') s WHERE s.value = n.vis OR s.value = n.vis_any)"""

# ?2 keys [[context, producer, owner, anchor, band], ...], the context '' where the policy promotes the producer
# ?3 world -> (position of the key, audience, input hash, fingerprint, value, count, model, untrusted, when).
# A promoted one is shared with contexts that have other records of the same content: its hash alone decides there.
AGGREGATES = f"""
SELECT k.key AS position, a.audience, a.input_hash, a.fingerprint, a.value, a.count, a.model, a.untrusted,
  a.generated_at
FROM json_each(?2) k
CROSS JOIN context_generation g ON g.world = +?3
CROSS JOIN context_aggregates a ON a.world = +g.world AND a.producer = +(k.value->>1) AND a.anchor = +(k.value->>3)
  AND a.band = +(k.value->>4) AND a.context = +(k.value->>0) AND a.policy = +g.policy AND a.owner = +(k.value->>2)
WHERE a.context = '' OR NOT EXISTS ({_UNSEEN.format(inputs="a.inputs")})
ORDER BY k.key, a.audience
"""

# ?2 world and ?3 context are bound by the store. Where the session knows another policy (?5) than the live one,
# or does not see an input, the policy is NULL, so that NOT NULL fails the whole write.
# ?4 [[id, producer, owner, anchor, band, audience, input hash, fingerprint, value, count, model, untrusted, when,
#      [input id, ...], promoted], ...]
# ?6 1: write it even where the same content was committed meanwhile.
PUT_AGGREGATES = f"""
INSERT INTO context_aggregates (id, world, context, policy, producer, owner, anchor, band, audience, input_hash,
  fingerprint, value, count, model, untrusted, generated_at, inputs)
SELECT r.value->>0, g.world, CASE WHEN r.value->>14 THEN '' ELSE +?3 END,
  CASE WHEN g.policy = +?5 AND NOT EXISTS ({_UNSEEN.format(inputs="r.value, '$[13]'")}) THEN g.policy END,
  r.value->>1, r.value->>2,
  r.value->>3, r.value->>4, r.value->>5, r.value->>6, r.value->>7, r.value->>8, r.value->>9, r.value->>10,
  r.value->>11, r.value->>12, r.value->'$[13]'
FROM json_each(?4) r
CROSS JOIN context_generation g ON g.world = +?2
WHERE true
ON CONFLICT (id) DO UPDATE SET input_hash = excluded.input_hash, fingerprint = excluded.fingerprint,
  value = excluded.value, count = excluded.count, model = excluded.model, untrusted = excluded.untrusted,
  generated_at = excluded.generated_at, inputs = excluded.inputs
WHERE +?6 OR input_hash <> excluded.input_hash OR fingerprint <> excluded.fingerprint
"""

# What was made for these anchors under a policy that is no longer live: it can never be served again.
SWEEP_AGGREGATES = """
DELETE FROM context_aggregates WHERE rowid IN (
  SELECT a.rowid FROM json_each(?4) r
  CROSS JOIN context_generation g ON g.world = +?2
  CROSS JOIN context_aggregates a ON a.world = +g.world AND a.producer = +(r.value->>1) AND a.anchor = +(r.value->>3)
  WHERE a.policy <> g.policy)
"""

# The store binds the actor's scopes as ?1, and ?2 world and ?3 context; a statement's own follow from ?4.
COMMITS: dict[str, str] = {"put_aggregates": PUT_AGGREGATES, "sweep_aggregates": SWEEP_AGGREGATES}
