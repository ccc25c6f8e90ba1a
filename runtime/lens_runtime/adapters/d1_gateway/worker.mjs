// The gateway in front of D1. It runs fixed statements by name, for the actor of a verified token;
// the scopes it binds as ?1 are those it looked up itself. No SQL, and no scope, comes from outside.
import { reads, inspections, writes, commits, scopes, version, ceilings } from "./statements.mjs";

const MAX_STATEMENTS = 2_000;
const MAX_READS = 16;
const MAX_ATTEMPTS = 3;
const LEEWAY_SECONDS = 5;

class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

export default {
  async fetch(request, env) {
    try {
      const handler = { "POST /read": read, "POST /commit": commit, "POST /inspect": inspect, "POST /write": write }[
        `${request.method} ${new URL(request.url).pathname}`
      ];
      if (!handler) throw new Refusal(404, "NotFound", "there is no such operation");
      return Response.json(await handler(request, env));
    } catch (problem) {
      return refuse(problem);
    }
  },
};

async function read(request, env) {
  const { sub: actor } = await verifiedClaims(bearer(request), env);
  const { statements, context } = await scopedBody(request);
  if (statements.length > MAX_READS) throw new Refusal(400, "BadRequest", `one request reads at most ${MAX_READS} times`);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = await readOnce(env, statements, context, actor);
    if (answer) return answer;
  }
  throw new Refusal(503, "StoreBusy", "who may see what changed while this was read");
}

// One batch is one transaction, so the rows, the live projection and the actor's scopes are of one moment: where the
// scopes are no longer those that were bound, there is no answer.
async function readOnce(env, statements, context, actor) {
  // A session's later queries see at least what its earlier ones saw, on whichever replica they run.
  const database = env.DB.withSession("first-unconstrained");
  const state = [
    database.prepare(inspections.schema_version),
    database.prepare(inspections.live),
    database.prepare(scopes.text).bind(env.WORLD, context, actor),
  ];
  const [schema, live, before] = await query(database, state).catch((problem) => {
    throw /no such table/.test(problem.message) ? notBuilt(env) : problem;
  });
  checkVersion(schema.rows, env);
  if (live.rows[0]?.[0] !== env.WORLD) throw notBuilt(env);
  const held = byKind(before.rows);
  const bound = JSON.stringify(held);
  const looked = sum([schema, live, before]);
  const prepared = statements.map((one) => database.prepare(text(reads, one)).bind(bound, ...bounded(one, held, looked, env)));
  const [nowSchema, nowLive, after, ...results] = await query(database, [...state, ...prepared]);
  const same = [[schema, nowSchema], [live, nowLive], [before, after]];
  if (same.some(([old, now]) => JSON.stringify(old.rows) !== JSON.stringify(now.rows))) return null;
  // What full text reads of its index depends on all that is in it: of a search only what it found is told.
  const told = results.map((one, at) => (statements[at].name === "search" ? { read: one.rows.length } : one));
  const read = sum([schema, live, before, nowSchema, nowLive, after, ...told]);
  return { results: results.map(({ rows }) => rows), rows_read: read, world: env.WORLD, policy: live.rows[0][3] };
}

// What a session may keep: aggregates of records that its actor sees, under the world, context and policy of this
// database. A token that may do so is for a service that reduces for its callers, not for each of them.
async function commit(request, env) {
  const { sub: actor, may } = await verifiedClaims(bearer(request), env);
  if (!Array.isArray(may) || !may.includes("commit")) throw new Refusal(403, "MayNotCommit", "this token may only read");
  const { statements, context, world } = await scopedBody(request);
  if (world !== env.WORLD) throw new Refusal(409, "OtherWorld", `this store holds world ${env.WORLD}`);
  const state = [
    env.DB.prepare(inspections.schema_version),
    env.DB.prepare(scopes.text).bind(env.WORLD, context, actor),
  ];
  const [schema, granted] = await query(env.DB, state);
  checkVersion(schema.rows, env);
  const stamps = [JSON.stringify(byKind(granted.rows)), env.WORLD, context];
  await query(
    env.DB,
    statements.map((one) => env.DB.prepare(text(commits, one)).bind(...stamps, ...parameters(one))),
  );
  return { world: env.WORLD };
}

async function inspect(request, env) {
  await verifiedCompiler(bearer(request), env);
  const { statements } = await body(request);
  const prepared = statements.map((one) => env.DB.prepare(text(inspections, one)).bind(...parameters(one)));
  const results = await query(env.DB, prepared);
  return { results: results.map(({ rows }) => rows), rows_read: sum(results), world: env.WORLD };
}

async function write(request, env) {
  await verifiedCompiler(bearer(request), env);
  const { statements } = await body(request);
  await query(
    env.DB,
    statements.map((one) => env.DB.prepare(text(writes, one)).bind(...parameters(one))),
  );
  return { world: env.WORLD };
}

// Rows as arrays, in the order of the statement's columns; a test holds that no two of them are called alike.
async function query(database, prepared) {
  if (!prepared.length) return [];
  const answers = await database.batch(prepared);
  return answers.map(({ results, meta }) => ({ rows: results.map(Object.values), read: meta.rows_read ?? 0 }));
}

function byKind(rows) {
  const held = {};
  for (const [kind, vis] of rows) (held[kind] ??= []).push(vis);
  return held;
}

const sum = (results) => results.reduce((total, { read }) => total + read, 0);

async function body(request) {
  const value = await request.json().catch(() => null);
  const statements = value?.statements;
  if (!Array.isArray(statements) || statements.length > MAX_STATEMENTS) {
    throw new Refusal(400, "BadRequest", `the body must hold at most ${MAX_STATEMENTS} statements`);
  }
  return value;
}

async function scopedBody(request) {
  const value = await body(request);
  if (typeof value.context !== "string") throw new Refusal(400, "BadRequest", "context is missing");
  return value;
}

function text(registry, statement) {
  if (typeof statement?.name !== "string" || !Object.hasOwn(registry, statement.name)) {
    throw new Refusal(400, "UnknownStatement", "no fixed statement has this name; deploy the gateway anew?");
  }
  return registry[statement.name];
}

function parameters(statement) {
  const values = statement.parameters ?? [];
  const plain = (value) => value === null || typeof value === "string" || typeof value === "number";
  if (!Array.isArray(values) || !values.every(plain)) {
    throw new Refusal(400, "BadRequest", "a parameter must be null, a number or a text");
  }
  return values;
}

// A token lets its actor read, within the ceilings that a budget has. What is bound is what was checked, written
// anew: of a key that stands twice SQLite would take another value than JSON.parse.
function bounded(statement, held, looked, env) {
  if (statement.name === "search") return searched(parameters(statement), held, looked, env);
  if (statement.name !== "traverse") return parameters(statement);
  const [anchors, plan] = parameters(statement).map(exactly);
  checkCeilings(plan);
  checkAnchors(anchors, plan.n);
  checkHeld(plan, held, looked);
  checkGroups(plan.s, held);
  const steps = plan.s.map(({ bit, from, skip, into, go, tests, need }) => ({ bit, from, skip, into, go, tests, need }));
  const { n, f, w, e, k, r } = plan;
  return [anchors, { world: env.WORLD, n, f, w, e, k, r, s: steps }].map((value) => JSON.stringify(value));
}

// A word is what lens_dsl.words gives: no character of ASCII but small letters and digits, so that the index takes it
// as it is, and none of its operators.
function searched([request], held, looked, env) {
  const { n, k, r, kinds, words } = exactly(request) ?? {};
  const plain = Array.isArray(words) && words.every((one) => typeof one === "string" && /^(?:[a-z0-9]|[^\x00-\x7f])+$/.test(one));
  if (!texts(kinds) || !plain || !words.length) throw unreadable();
  if (!within(n, ceilings.candidates) || words.length > ceilings.words) throw beyond("the search asks");
  checkHeld({ k, r }, held, looked);
  checkSought(scopesOf(kinds, held));
  return [JSON.stringify({ world: env.WORLD, n, k, r, kinds, words })];
}

// Numbers that JavaScript would round keep their text.
function exactly(text) {
  const keep = (key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) ? JSON.rawJSON(source) : value;
  try {
    return JSON.parse(text, keep);
  } catch {
    throw unreadable();
  }
}

const unreadable = () => new Refusal(400, "BadRequest", "the parameters of a traversal or search cannot be read");
const beyond = (what) => new Refusal(422, "InvalidBudget", `${what} for more than any budget allows`);
const texts = (value) => Array.isArray(value) && value.every((one) => typeof one === "string" && !/["\\]/.test(one));

const within = (value, ceiling) => Number.isSafeInteger(value) && value >= 0 && value <= ceiling;

function checkCeilings(plan) {
  const { n, f, w, e, s } = plan ?? {};
  const each = within(n, ceilings.nodes) && within(f, ceilings.fanout) && within(w, ceilings.window);
  if (!each || !within(e, ceilings.examined) || n * f > ceilings.edges) throw beyond("the plan asks");
  if (!Array.isArray(s)) throw unreadable();
  if (s.length > ceilings.steps) throw new Refusal(422, "TooManySteps", "the plan has more steps than a stage takes");
}

function checkAnchors(anchors, n) {
  if (!Array.isArray(anchors) || !anchors.every((line) => texts(line?.[1]) && Array.isArray(line[3]))) throw unreadable();
  const values = anchors.reduce((sum, [, , , sought]) => sum + sought.length, 0);
  const groups = anchors.reduce((sum, [, kinds, , sought]) => sum + kinds.length * sought.length, 0);
  if (values > ceilings.anchors || groups * (n + 1) > ceilings.sought) throw beyond("the anchors ask");
}

// What the plan was stated for: more scopes of a kind, or a longer look-up of them, would cost more than it says.
function checkHeld({ k, r }, held, looked) {
  const most = Math.max(0, ...Object.values(held).map((scopes) => scopes.length));
  if (!Number.isSafeInteger(k) || most > k) throw new Refusal(422, "TooManyScopes", `${most} scopes of one kind, and ${k}`);
  if (r !== null && !(looked <= r)) throw new Refusal(422, "TooManyScopes", `${looked} rows to look them up, and ${r}`);
}

// As lens_dsl.sql.groups_sought and scopes_searched count them.
const scopesOf = (kinds, held) => kinds.reduce((sum, kind) => sum + (held[kind]?.length ?? 0), 0);

function checkSought(count) {
  if (count > ceilings.groups) throw new Refusal(422, "TooManyGroups", String(count));
}

function checkGroups(steps, held) {
  const followed = ({ go }) => Array.isArray(go) && go.every((one) => typeof one?.[0] === "string" && texts(one[2]));
  if (!steps.every((step) => step && followed(step))) throw unreadable();
  checkSought(Math.max(0, ...steps.map(({ go }) => go.reduce((sum, [, , kinds]) => sum + scopesOf(kinds, held), 0))));
}

// The message of these three is the one fact that the client words its error with.
function checkVersion(rows, env) {
  if (rows[0]?.[0] !== version) throw new Refusal(409, "SchemaVersion", env.WORLD);
}

const notBuilt = (env) => new Refusal(409, "NotBuilt", env.WORLD);

function bearer(request) {
  const match = /^Bearer ([\x21-\x7e]+)$/.exec(request.headers.get("authorization") ?? "");
  if (!match) throw new Refusal(401, "Unauthenticated", "a bearer token is needed");
  return match[1];
}

// The compiler has a key of its own; comparing digests takes the same time whatever is sent.
async function verifiedCompiler(token, env) {
  if (!env.WRITER_KEY) throw new Refusal(403, "Forbidden", "this gateway has no writer");
  const digest = async (value) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(value));
  const [sent, expected] = await Promise.all([digest(token), digest(env.WRITER_KEY)]);
  const differs = new Uint8Array(sent).reduce((bits, byte, at) => bits | (byte ^ new Uint8Array(expected)[at]), 0);
  if (differs) throw new Refusal(403, "Forbidden", "this key may not do that");
}

// HS256 only: whatever algorithm a token names, it is verified as this one.
async function verifiedClaims(token, env) {
  const denied = new Refusal(401, "Unauthenticated", "the token is not valid here");
  const parts = token.split(".");
  if (parts.length !== 3 || !env.TOKEN_KEY) throw denied;
  let header, claims, signature;
  try {
    [header, claims] = parts.slice(0, 2).map((part) => JSON.parse(new TextDecoder().decode(base64url(part))));
    signature = base64url(parts[2]);
  } catch {
    throw denied;
  }
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(env.TOKEN_KEY), algorithm, false, ["verify"]);
  const signed = new TextEncoder().encode(`${parts[0]}.${parts[1]}`);
  const genuine = await crypto.subtle.verify("HMAC", key, signature, signed);
  const now = Date.now() / 1000;
  const audiences = Array.isArray(claims?.aud) ? claims.aud : [claims?.aud];
  const valid =
    genuine && header?.alg === "HS256" && typeof claims?.sub === "string" && claims.sub !== "" &&
    typeof claims.exp === "number" && claims.exp > now - LEEWAY_SECONDS &&
    (claims.nbf === undefined || claims.nbf <= now + LEEWAY_SECONDS) && audiences.includes(env.AUDIENCE);
  if (!valid) throw denied;
  return claims;
}

function base64url(value) {
  const plain = value.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
}

const KINDS = { SQLITE_TOOBIG: [413, "TooBig"], SQLITE_CONSTRAINT: [409, "ConstraintFailed"] };

// What D1 says goes to the operator's log; only its kind goes out.
function refuse(problem) {
  if (problem instanceof Refusal) {
    return Response.json({ error: { code: problem.code, message: problem.message } }, { status: problem.status });
  }
  const message = String(problem?.message ?? problem);
  console.error(message);
  const [, kind = ""] = /(SQLITE_[A-Z]+)/.exec(message) ?? [];
  const busy = /overloaded|Network connection lost|object to be reset|code was updated|transient/.test(message);
  const [status, code] = busy ? [503, "StoreBusy"] : (KINDS[kind] ?? [500, "StoreFailed"]);
  return Response.json({ error: { code, message: `D1 could not run it ${kind}`.trim() } }, { status });
}
