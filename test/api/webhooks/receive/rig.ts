import { onTestFinished, vi } from "vitest";
import { createOrgConfig } from "../../../../api/config/org-config.ts";
import { type ResourceInput, toDocument } from "../../../../api/config/registry.ts";
import type { Database } from "../../../../api/database/database.ts";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import { openCallStore } from "../../../../api/routing/call-stats/call-store.ts";
import { createOpenCallStore, type OpenCallStore } from "../../../../api/telephony/open-calls.ts";
import { publishTo, signalMessage } from "../../../../api/telephony/outbox.ts";
import { type Body, parseRequest } from "../../../../api/webhooks/receive/change-planner.ts";
import type { CallFinderDeps } from "../../../../api/webhooks/receive/find-call.ts";
import { createReceiver } from "../../../../api/webhooks/receive/receiver.ts";
import { type CallEvent, callEventSchema } from "../../../../ingest/event.ts";
import { runLifecycle } from "../../../../ingest/lifecycle/run.ts";
import { type EventLog, LogError } from "../../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../../ingest/log/log-lmdb.ts";
import type { CallId } from "../../../../ingest/primitives.ts";
import type { Signal } from "../../../../ingest/signal.ts";
import { readStoredCall } from "../../../../warehouse/calls/stored-call.ts";
import { runLoader } from "../../../../warehouse/loader.ts";
import { aDialing, aFailed, aHungUp, anAnswered, anIncoming, orgOne, secondsIn, startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { openEmptyWarehouse } from "../../../migrated-files.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { anOpenCall } from "../../telephony/make-open-call.ts";

/** When requests come, by default: an hour after the example calls. */
export const laterMs = 60 * 60 * 1000;

const times = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
export const aWebhook = (given: Partial<ResourceInput<"incoming_webhook">> = {}) =>
  toDocument("incoming_webhook", { ...times, id: "hook-1", name: "Leads", auth_key: "key", ...given });

/** An organization whose custom tags are a text, a number, a truth value and one that is switched off. */
export function aConfig() {
  const { config, put } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  for (const [key, data_type, is_active] of [
    ["lead_type", "string", true],
    ["lead_score", "number", true],
    ["is_owner", "boolean", true],
    ["retired", "string", false],
  ] as const) {
    put({ type: "custom_tag", doc: toDocument("custom_tag", { ...times, id: key, key, data_type, is_active }) });
  }
  return config;
}

interface Process {
  /** Stops it at once, before or after what it tells the log. */
  readonly dies?: "before telling" | "after telling" | "never";
  /** Whether the log takes nothing now. */
  refusesToTell?(): boolean;
  /** Its own way to the database that all share. */
  readonly handle?: Database;
  /** What it remembers of callers. */
  statsOf?: CallFinderDeps["statsOf"];
}

/** The memory of a process that knows no calls, and that it does not. */
export const noneKnown: CallFinderDeps["statsOf"] = () => ({
  earlierCalls: () => [],
  callsKnownSince: () => Number.POSITIVE_INFINITY,
});

interface RigGiven {
  /** Of another test server; without it one of the rig's own. */
  readonly database?: Database;
  /** Whether the loader is at work; without it the warehouse is as far behind the log as it can be. */
  readonly loads?: boolean;
}

/** A receiver over real stores, with the lifecycle and the loader at work. */
export async function openRig({ database: given, loads = true }: RigGiven = {}) {
  const clock = createManualClock(startOfTime + laterMs);
  const log = await openLmdbLog({ dir: temporaryFolder(), clock });
  const warehouse = await openEmptyWarehouse();
  const database = given ?? (await openSqliteDatabase({ path: ":memory:" }));
  const troubles: unknown[] = [];
  const onTrouble = (error: unknown) => troubles.push(error);
  const lifecycle = runLifecycle({ log, clock, onTrouble });
  const loaders = loads ? runLoader({ log, warehouse, clock, pauseMs: 0, onTrouble }) : [];
  const stats = await openCallStore({ log, warehouse, clock, lookbackDays: () => 0, onTrouble });
  onTestFinished(async () => {
    await stats.close();
    await Promise.all([lifecycle, ...loaders].map((consumer) => consumer.stop()));
    if (given === undefined) await database.close();
    await warehouse.close();
    await log.close();
  });
  const config = aConfig();
  const ownStatsOf: CallFinderDeps["statsOf"] = (orgId) => ({
    earlierCalls: (caller) => stats.earlierCalls(orgId, caller),
    callsKnownSince: () => stats.callsKnownSince(orgId),
  });

  function openProcess({ statsOf = ownStatsOf, handle = database, ...faults }: Process = {}) {
    const mortal = createMortal(handle, log, faults);
    const openCalls = createOpenCallStore({
      database: mortal.database,
      clock,
      publish: publishTo(mortal.log),
      onTrouble,
    });
    const receiver = createReceiver({
      database: mortal.database,
      log: mortal.log,
      warehouse,
      openCalls,
      clock,
      onTrouble,
      statsOf,
    });
    const send = (type: Body["type"], body: object, webhook: Parameters<typeof aWebhook>[0] = {}) =>
      receiver.receive({ config, webhook: aWebhook({ type, ...webhook }), body: parseRequest(type, body) });
    /** The answer, read. */
    const ask = async (...sent: Parameters<typeof send>) => JSON.parse((await send(...sent)).body);
    return { receiver, openCalls, send, ask };
  }

  async function events(callId: string): Promise<CallEvent[]> {
    const all: CallEvent[] = [];
    for await (const { key, value } of log.read({ topic: "call-events", partition: 0, offset: 0 })) {
      if (key === callId) all.push(callEventSchema.parse(JSON.parse(value)));
    }
    return all;
  }
  const last = async (callId: string) => (await events(callId)).at(-1);

  return {
    clock,
    log,
    warehouse,
    database,
    config,
    stats,
    troubles,
    openProcess,
    events,
    last,
    /** Publishes a call's signals and waits until routing's memory has its end. */
    async take(signals: readonly Signal[]): Promise<void> {
      const callId = signals[0]?.call_id ?? "";
      await log.publish(signals.map((value) => ({ topic: "call-signals", key: callId, value: JSON.stringify(value) })));
      const isOver = signals.some(({ kind }) => kind === "hung_up" || kind === "failed");
      const isAnswered = signals.some(({ kind }) => kind === "answered");
      const statuses = isOver ? ["completed", "failed"] : [isAnswered ? "connected" : "incoming"];
      const reach = clock.now() - 32 * 86_400_000;
      await vi.waitFor(async () => {
        const told = await last(callId);
        const known = stats.earlierCalls(orgOne, told?.caller_id ?? "").find(({ call_id }) => call_id === callId);
        // What is older than routing's memory, the log alone knows.
        const { status } = (Date.parse(told?.started_at ?? "") < reach ? told : known) ?? {};
        if (!statuses.includes(status ?? "")) throw new Error(`${callId} is ${status}`);
      }, 10_000);
    },
    /** Waits until the warehouse has the call. */
    loaded: (callId: string) =>
      vi.waitFor(async () => {
        if ((await readStoredCall(warehouse, orgOne, callId)) === null) throw new Error(`${callId} is not stored yet`);
      }, 10_000),
    /** The first step of a call that its switch goes on to report on. */
    begin: (openCalls: OpenCallStore, id: string) =>
      openCalls.open({ callId: id, orgId: orgOne }, async () => {
        const tags = { b: "2" };
        const incoming = anIncoming({ call_id: id as CallId, at: new Date(clock.now()).toISOString(), tags });
        return { call: anOpenCall({ call_id: id as CallId, tags }), messages: [signalMessage(incoming)] };
      }),
    /** Its last one. */
    end: (openCalls: OpenCallStore, id: string) =>
      openCalls.step(orgOne, id, (call) => ({
        call: { ...call, state: "ended" },
        messages: [signalMessage(aFailed({ call_id: call.call_id, at: new Date(clock.now()).toISOString() }))],
      })),
    /** Waits until the call has taken so many updates; the rest of what was published is then folded, too. */
    async folded(callId: string, updates: number): Promise<CallEvent> {
      const marker = `marker-${++markers}` as CallId;
      const at = new Date(clock.now()).toISOString();
      const value = JSON.stringify(anIncoming({ call_id: marker, at }));
      await log.publish([{ topic: "call-signals", key: marker, value }]);
      await vi.waitFor(async () => {
        if ((await events(marker)).length === 0) throw new Error("not yet");
      }, 10_000);
      const event = await last(callId);
      if (event?.updates.length !== updates) throw new Error(`${callId} has taken ${event?.updates.length} updates`);
      return event;
    },
  };
}
let markers = 0;

interface CallGiven {
  readonly id: string;
  readonly from?: string;
  /** When it came in, seconds after the start of time. */
  readonly begins?: number;
  readonly tags?: Record<string, string>;
  /** How far it has come. */
  readonly until?: "incoming" | "connected" | "completed" | "failed";
}

/** A call of 16 seconds, for which 30 is owed and 20 paid; or so much of it. */
export function aCall({ id, from = "+12125550123", begins = 0, tags = {}, until = "completed" }: CallGiven): Signal[] {
  const at = (second: number) => ({ call_id: id as CallId, at: secondsIn(begins + second) });
  const signals = [anIncoming({ ...at(0), from, tags }), aDialing(at(0)), anAnswered(at(0)), aHungUp(at(16))];
  if (until === "failed") return [...signals.slice(0, 2), aFailed(at(5))];
  return signals.slice(0, { incoming: 1, connected: 3, completed: 4 }[until]);
}

function createMortal(database: Database, log: EventLog, { dies = "never", refusesToTell }: Process) {
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Error("the process is gone");
  };
  const alive = () => (isDead ? die() : undefined);
  return {
    database: {
      ...database,
      query: async (...of) => alive() ?? database.query(...of),
      transaction: async (work) => alive() ?? database.transaction(work),
    } satisfies Database as Database,
    log: {
      ...log,
      async publish(messages) {
        alive();
        if (dies === "before telling") die();
        if (refusesToTell?.()) throw new LogError("log_full", "full");
        const positions = await log.publish(messages);
        return dies === "after telling" ? die() : positions;
      },
    } satisfies EventLog as EventLog,
  };
}
