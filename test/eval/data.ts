import { demoOrganizations } from "../../api/demo/documents.ts";
import { demoHistory } from "../../api/demo/history.ts";
import { auditRecordSchema } from "../../ingest/audit.ts";
import type { Call } from "../../ingest/call.ts";
import { isoTime } from "../../ingest/clock.ts";
import type { CallEvent } from "../../ingest/event.ts";
import { applySignal } from "../../ingest/lifecycle/fold.ts";
import type { NewMessage, Topic } from "../../ingest/log/log.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { type Signal, signalSchema } from "../../ingest/signal.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";

/** Saturday, 10:00 in New York: last month is October, this quarter began on October 1. */
export const evalNow = Date.parse("2026-11-21T15:00:00.000Z");
export const evalZone = "America/New_York";
const seed = 7;
const days = 90;
export const evalCalls = 3000;

const organizations = demoOrganizations({ seed, now: evalNow, receiverUrl: "https://receiver.example.com" });
const [asking, other] = organizations;
if (asking === undefined || other === undefined) throw new Error("The evaluation needs two organizations.");
/** Who asks. */
export const evalOrg: OrgId = asking.org_id;
/** Whose data must never show. */
export const otherOrg: OrgId = other.org_id;

/** The demo's ninety days up to the pinned instant, as the lifecycle and the loader would have stored them. */
export async function fillWarehouse(warehouse: Warehouse, calls = evalCalls): Promise<void> {
  const stores = new Map<Topic, Map<string, string>>();
  const signals = new Map<string, Signal[]>();
  const put = (topic: Topic, key: string, value: string) => {
    const store = stores.get(topic) ?? new Map<string, string>();
    stores.set(topic, store.set(key, value));
  };
  for (const { messages } of demoHistory(organizations, { seed, calls, now: evalNow, days })) {
    for (const message of messages) {
      if (message.topic === "call-signals") gather(signals, message);
      // The evaluation has an audit log of its own, with more kinds of changes.
      else if (message.topic !== "audit-log")
        put(message.topic, message.key, message.topic === "rtb-requests" ? unlinked(message.value) : message.value);
    }
  }
  for (const [callId, all] of signals) put("call-events", callId, JSON.stringify(lastEvent(all)));
  for (const record of auditRecords()) put("audit-log", record.id, JSON.stringify(record));
  for (const [topic, store] of stores) await storeAll(warehouse, topic, [...store.values()]);
}

function gather(signals: Map<string, Signal[]>, { key, value }: NewMessage): void {
  const known = signals.get(key) ?? [];
  known.push(signalSchema.parse(JSON.parse(value)));
  signals.set(key, known);
}

/** The event after which the call stood as it stands. */
function lastEvent(signals: readonly Signal[]): CallEvent {
  let call: Call | undefined;
  let last: CallEvent | undefined;
  for (const [position, signal] of signals.entries()) {
    const applied = applySignal(call, signal, position);
    if (applied.kind !== "applied") continue;
    call = applied.call;
    last = applied.events.at(-1) ?? last;
  }
  if (call === undefined || last === undefined) throw new Error("A call of the evaluation has no event.");
  return { ...last, ...call };
}

/** A ping is recorded before its call comes in, so its record never knows the call. */
function unlinked(value: string): string {
  const record: unknown = JSON.parse(value);
  if (typeof record !== "object" || record === null || !("kind" in record) || record.kind !== "inbound") return value;
  return JSON.stringify({ ...record, call_id: null });
}

const batch = 2000;
async function storeAll(warehouse: Warehouse, topic: Topic, all: readonly string[]): Promise<void> {
  for (let first = 0; first < all.length; first += batch) {
    const values = all.slice(first, first + batch);
    await warehouse.store({ topic, partition: 0, firstOffset: first, nextOffset: first + values.length, values });
  }
}

const people = ["Dana Whitcomb", "Luis Ortega", "Priya Raman"] as const;
const entities = [
  ["campaign", "Medicare Advantage Q4"],
  ["target", "Keystone Senior Benefits East"],
  ["buyer", "Cedarbridge Mutual"],
  ["publisher", "Lantern Search Media"],
  ["routing_plan", "Auto Insurance - English plan"],
] as const;
const actions = ["update", "update", "create", "pause", "resume", "delete", "expire_pause"] as const;
const hourMs = 3_600_000;

/** A change every nine hours by one of three people, a key or the system; every fifth is the other organization's. */
function auditRecords() {
  return Array.from({ length: 220 }, (_, index) => {
    const action = actions[((index * index + index) % 23) % actions.length] ?? "update";
    const [entity_type, entity_name] = entities[(index * 3 + Math.floor(index / 5)) % entities.length] ?? entities[0];
    const bySystem = action === "expire_pause";
    const byKey = !bySystem && index % 4 === 3;
    const person = people[((index * index) % 11) % people.length] ?? people[0];
    const name = bySystem ? null : byKey ? "Reporting sync key" : person;
    const isOther = index % 5 === 4;
    return auditRecordSchema.parse({
      id: `audit-${String(index).padStart(4, "0")}`,
      org_id: isOther ? otherOrg : evalOrg,
      created_at: isoTime(evalNow - (index + 1) * 9 * hourMs),
      actor_type: bySystem ? "system" : byKey ? "api_key" : "user",
      actor_id: bySystem ? "system" : isOther ? "someone-else" : (name ?? "system"),
      actor_name: isOther && name !== null ? "Morgan Elsewhere" : name,
      action,
      entity_type,
      entity_id: isOther ? `other-${entity_type}` : `${entity_type}-1`,
      entity_name: isOther ? "Somebody Else's" : entity_name,
      changes: [{ field: "name", old: null, new: entity_name }],
      source_ip: byKey ? "203.0.113.7" : null,
    });
  });
}
