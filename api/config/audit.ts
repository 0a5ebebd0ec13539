import { isDeepStrictEqual } from "node:util";
import { v7 as uuidv7 } from "uuid";
import type { AuditRecord } from "../../ingest/audit.ts";
import { isoTime } from "../../ingest/clock.ts";
import type { EventLog } from "../../ingest/log/log.ts";
import type { Caller } from "../serve/caller.ts";
import type { Database, Queryable } from "./database.ts";
import type { ResourceDefinition } from "./resource.ts";

/** Who changes config, and by which request. */
export interface Actor {
  readonly caller: Caller;
  readonly requestId: string | null;
  readonly sourceIp: string | null;
}

type Document = Readonly<Record<string, unknown>>;

/** Fields that change with every write or are shown elsewhere. */
const unaudited = ["id", "org_id", "created_at", "updated_at", "resumed_at"];

/** The fields that differ, old and new; secrets stand as `***`, wherever they are nested. */
export function diffDocuments(
  definition: ResourceDefinition,
  old: Document,
  changed: Document,
): AuditRecord["changes"] {
  const secrets = new Set(definition.secrets);
  const names = [...new Set([...Object.keys(old), ...Object.keys(changed)])].filter(
    (name) => !unaudited.includes(name),
  );
  return names
    .filter((name) => !isDeepStrictEqual(old[name], changed[name]))
    .map((field) => ({ field, old: mask(old[field], field, secrets), new: mask(changed[field], field, secrets) }));
}

function mask(value: unknown, name: string, secrets: ReadonlySet<string>): unknown {
  if (value === undefined || value === null) return null;
  if (secrets.has(name)) return "***";
  if (Array.isArray(value)) return value.map((each) => mask(each, "", secrets));
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mask(each, key, secrets)]));
}

export interface Change {
  readonly action: AuditRecord["action"];
  readonly entity: { readonly type: string; readonly id: string; readonly name: string | null };
  readonly changes: AuditRecord["changes"];
  readonly now: number;
}

/** Records of one instant sort as they were made, as those of one request are. */
let sequence = 0;
const nextSequence = (): number => {
  sequence = (sequence + 1) % 2 ** 31;
  return sequence;
};

/** Writes the record of a change beside the change itself, in its transaction: neither can be without the other. */
export async function recordChange(
  db: Queryable,
  { caller, requestId, sourceIp }: Actor,
  change: Change,
): Promise<void> {
  const record: AuditRecord = {
    v: 1,
    id: uuidv7({ msecs: change.now, seq: nextSequence() }),
    org_id: caller.orgId,
    created_at: isoTime(change.now),
    actor_type: caller.actor.type,
    actor_id: caller.actor.id,
    actor_name: caller.actor.name,
    action: change.action,
    entity_type: change.entity.type,
    entity_id: change.entity.id,
    entity_name: change.entity.name,
    changes: change.changes,
    request_id: requestId,
    source_ip: sourceIp,
  };
  await db.query("INSERT INTO audit_outbox (id, record) VALUES ($1, $2)", [record.id, JSON.stringify(record)]);
}

const recordsPerRound = 500;

/** Hands waiting audit records to the log. A record handed over twice keeps its id and is stored once. */
export function createAuditOutbox(database: Database, log: Pick<EventLog, "publish">) {
  let draining: Promise<void> = Promise.resolve();

  async function drain(): Promise<void> {
    for (;;) {
      const rows = await database.query(`SELECT id, record FROM audit_outbox ORDER BY id LIMIT ${recordsPerRound}`);
      if (rows.length === 0) return;
      await log.publish(
        rows.map(({ record }) => {
          const value = String(record);
          return { topic: "audit-log", key: (JSON.parse(value) as AuditRecord).entity_id, value };
        }),
      );
      const places = rows.map((_, index) => `$${index + 1}`).join(", ");
      await database.query(
        `DELETE FROM audit_outbox WHERE id IN (${places})`,
        rows.map(({ id }) => id ?? null),
      );
      if (rows.length < recordsPerRound) return;
    }
  }

  return {
    /** One round at a time; what was written before the call has been handed over when it resolves. */
    drain(): Promise<void> {
      draining = draining.catch(() => undefined).then(drain);
      return draining;
    },
  };
}
export type AuditOutbox = ReturnType<typeof createAuditOutbox>;
