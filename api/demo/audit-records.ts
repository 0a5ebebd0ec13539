import { v7 as uuidv7 } from "uuid";
import type { AuditRecord } from "../../ingest/audit.ts";
import { isoTime } from "../../ingest/clock.ts";
import { diffDocuments } from "../config/audit-diff.ts";
import { toPauseState } from "../config/pause.ts";
import { definitionOf, toDocument } from "../config/registry.ts";
import type { DemoOrganization } from "./documents.ts";
import { fictionalNumber } from "./organization.ts";
import { between, chance, pick, type Random, wholeBetween } from "./random.ts";

/** The people who change the setup, by the ids of their sign-in. */
const people: readonly [Person, ...Person[]] = [
  { id: "maya", name: "Maya Lindqvist" },
  { id: "tomas", name: "Tomas Herrera" },
  { id: "grace", name: "Grace Okafor" },
];
interface Person {
  readonly id: string;
  readonly name: string;
}

export interface AuditedDays {
  /** When calls of the organization come in, ms, in order; nothing is paused while there are some. */
  readonly arrivals: readonly number[];
  readonly from: number;
  readonly to: number;
}

type Entity = Pick<AuditRecord, "entity_type" | "entity_id" | "entity_name">;
interface Change extends Pick<AuditRecord, "action" | "changes"> {
  readonly at: number;
  readonly by: Person;
  readonly entity: Entity;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * Returns the audit log of an organization, in order of time: the creation of its config, then changes that lead to its
 * present state and that no call of the history contradicts.
 */
export function auditRecordsOf(random: Random, organization: DemoOrganization, days: AuditedDays): AuditRecord[] {
  const updates = drawUpdates(random, organization, days);
  const changes = [
    ...creations(organization, updates),
    ...updates,
    ...drawPauses(random, organization, days),
    ...drawBlockedCallers(random, days),
  ].toSorted((one, other) => one.at - other.at);
  return changes.map(({ at, by, entity, action, changes }, seq) => ({
    v: 1,
    id: uuidv7({ msecs: at, seq, random: drawBytes(random) }),
    org_id: organization.org_id,
    created_at: isoTime(at),
    actor_type: "user",
    actor_id: by.id,
    actor_name: by.name,
    action,
    ...entity,
    changes,
    request_id: uuidv7({ msecs: at, random: drawBytes(random) }),
    source_ip: "198.51.100.24",
  }));
}

const drawBytes = (random: Random): Uint8Array => Uint8Array.from({ length: 16 }, () => random() * 256);

/** Everything as it was created: without what is said of it later. */
function creations({ documents }: DemoOrganization, updates: readonly Change[]): Change[] {
  return documents.map((document) => {
    const { type, doc } = document;
    const later = updates.filter(({ entity }) => entity.entity_id === doc.id).flatMap(({ changes }) => changes);
    const created = { ...toDocument(type, doc), ...Object.fromEntries(later.map(({ field, old }) => [field, old])) };
    return {
      at: Date.parse(String(doc.created_at)),
      by: people[0],
      entity: entityOf(document),
      action: "create",
      changes: diffDocuments(definitionOf(type), {}, created),
    };
  });
}

type Documents = DemoOrganization["documents"];

function entityOf({ type, doc }: Documents[number]): Entity {
  const name: unknown = new Map<string, unknown>(Object.entries(doc)).get(definitionOf(type).nameField ?? "name");
  return { entity_type: type, entity_id: doc.id, entity_name: typeof name === "string" ? name : null };
}

const formerTimeouts = [20, 30, 40] as const;

/** Some targets rang for another time at first, and some webhooks had no description. */
function drawUpdates(random: Random, { documents }: DemoOrganization, { from, to }: AuditedDays): Change[] {
  return documents.flatMap((document): Change[] => {
    const { type, doc } = document;
    if ((type !== "target" && type !== "outgoing_webhook") || chance(random, 0.5)) return [];
    const [field, old, is] =
      type === "target"
        ? ["connection_timeout", pick(random, formerTimeouts), doc.connection_timeout]
        : ["description", null, doc.description];
    return [
      {
        at: Math.floor(between(random, from, to)),
        by: pick(random, people),
        entity: entityOf(document),
        action: "update",
        changes: [{ field, old, new: is ?? null }],
      },
    ];
  });
}

/** Each week a target is paused for a while in the longest time without a call. */
function drawPauses(random: Random, { documents }: DemoOrganization, { arrivals, from, to }: AuditedDays): Change[] {
  const [first, ...others] = documents.filter(({ type }) => type === "target");
  if (first === undefined) return [];
  const changes: Change[] = [];
  for (let week = from; week + 7 * day <= to; week += 7 * day) {
    const quiet = longestGap([week, ...arrivals.filter((at) => at >= week && at < week + 7 * day), week + 7 * day]);
    // A call is routed within three minutes, and pinged for up to five before.
    const [begin, end] = [quiet.from + 3 * minute, quiet.to - 5 * minute];
    const by = pick(random, people);
    const entity = entityOf(pick(random, [first, ...others]));
    const reason = "Maintenance of the buyer's phone system";
    if (end - begin < 2 * minute) continue;
    const [pausedAt, resumedAt] = [Math.floor(between(random, begin, (begin + end) / 2)), Math.floor(end)];
    const pause = toPauseState({ reason }, by.name, pausedAt);
    changes.push(
      { at: pausedAt, by, entity, action: "pause", changes: [{ field: "pause", old: null, new: { ...pause } }] },
      { at: resumedAt, by, entity, action: "resume", changes: [{ field: "pause", old: { ...pause }, new: null }] },
    );
  }
  return changes;
}

function longestGap(times: readonly number[]): { readonly from: number; readonly to: number } {
  let longest = { from: times[0] ?? 0, to: times[0] ?? 0 };
  for (const [index, to] of times.entries()) {
    const from = times[index - 1] ?? to;
    if (to - from > longest.to - longest.from) longest = { from, to };
  }
  return longest;
}

/** Callers who asked not to be connected, for some days each; their numbers are no caller's of the history. */
function drawBlockedCallers(random: Random, { from, to }: AuditedDays): Change[] {
  return [0, 1, 2].flatMap((index): Change[] => {
    const at = Math.floor(from + ((index + random()) / 3) * (to - from - 3 * day));
    const by = pick(random, people);
    const number = fictionalNumber("700", wholeBetween(random, 100, 199));
    const id = uuidv7({ msecs: at, random: drawBytes(random) });
    const entity = { entity_type: "blocked_caller", entity_id: id, entity_name: number };
    const fields = [
      ["number", number],
      ["reason", "Asked not to be called"],
    ] as const;
    const created = fields.map(([field, value]) => ({ field, old: null, new: value }));
    const deleted = fields.map(([field, value]) => ({ field, old: value, new: null }));
    return [
      { at, by, entity, action: "create", changes: created },
      { at: at + 2 * day, by, entity, action: "delete", changes: deleted },
    ];
  });
}
