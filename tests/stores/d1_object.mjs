// D1's inner service, for tests: what workerd's own D1 binding (cloudflare-internal:d1-api) talks to, over a
// SQLite-backed Durable Object. Same SQLite build, authorizer and limits as D1; the 2 MB a value are enforced here.
import { DurableObject } from "cloudflare:workers";

const MAX_BYTES = 2_000_000;
const PLAIN = new Set(["string", "number"]);

export class D1Object extends DurableObject {
  async fetch(request) {
    const sent = await request.json();
    const columnar = new URL(request.url).searchParams.get("resultsFormat") === "ROWS_AND_COLUMNS";
    const queries = Array.isArray(sent) ? sent : [sent];
    try {
      const answers = this.ctx.storage.transactionSync(() => queries.map((one) => this.run(one, columnar)));
      return Response.json(answers, { headers: { "x-cf-d1-session-commit-token": await this.bookmark() } });
    } catch (problem) {
      return Response.json({ success: false, error: String(problem.message ?? problem) }, { status: 500 });
    }
  }

  run({ sql, params }, columnar) {
    const started = performance.now();
    const cursor = this.ctx.storage.sql.exec(sql, ...(params ?? []).map(parameter));
    const columns = cursor.columnNames;
    const rows = Array.from(cursor.raw());
    const meta = { duration: performance.now() - started, rows_read: cursor.rowsRead, rows_written: cursor.rowsWritten };
    const objects = () => rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
    return { success: true, results: columnar ? { columns, rows } : objects(), meta };
  }

  async bookmark() {
    return this.ctx.storage.getCurrentBookmark();
  }
}

function parameter(value) {
  if (value === null || PLAIN.has(typeof value)) {
    const bytes = typeof value === "string" ? new TextEncoder().encode(value).length : 0;
    if (bytes > MAX_BYTES) throw new Error("string or blob too big: SQLITE_TOOBIG");
    return value;
  }
  throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${value}'`);
}

export default {
  fetch: (request, env) => env.OBJECT.get(env.OBJECT.idFromName("d1")).fetch(request),
};
