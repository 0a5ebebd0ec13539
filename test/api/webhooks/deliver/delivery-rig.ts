import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { createApiKeyStore } from "../../../../api/config/api-keys.ts";
import { createAuditOutbox } from "../../../../api/config/audit-outbox.ts";
import type { OrgConfig } from "../../../../api/config/org-config.ts";
import { definitions, type Resource, type ResourceType } from "../../../../api/config/registry.ts";
import { createResourceService, type ResourceService } from "../../../../api/config/service.ts";
import { openSnapshot, type Snapshot } from "../../../../api/config/snapshot.ts";
import { createConfigStore } from "../../../../api/config/store.ts";
import type { Database } from "../../../../api/database/database.ts";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import { noTimings } from "../../../../api/outbound/exchange-timer.ts";
import type { DeliveryAlert } from "../../../../api/webhooks/deliver/health-monitor.ts";
import { type DeliveryDeps, type DeliveryTerms, openDelivery } from "../../../../api/webhooks/deliver/open-delivery.ts";
import { toPendingRow } from "../../../../api/webhooks/deliver/pending-rows.ts";
import { type Exchange, errorClassOf, type Sender } from "../../../../api/webhooks/deliver/send.ts";
import type { FilledRequest } from "../../../../api/webhooks/deliver/template.ts";
import { type Clock, systemClock } from "../../../../ingest/clock.ts";
import type { OutgoingRequest } from "../../../../ingest/delivery.ts";
import type { CallEvent, CallEventName } from "../../../../ingest/event.ts";
import type { EventLog } from "../../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../../ingest/log/log-lmdb.ts";
import type { CallId, OrgId } from "../../../../ingest/primitives.ts";
import { anEvent, anOutgoingWebhook, orgOne, orgTwo, signalsOfCall } from "../../../make.ts";
import { temporaryFolder } from "../../../temporary.ts";

export const delivered: Exchange = {
  outcome: "delivered",
  status: 200,
  headers: {},
  body: "ok",
  error: null,
  errorClass: null,
  elapsedMs: 1,
  timings: noTimings,
};
export const anExchange = (given: Partial<Exchange> = {}): Exchange => {
  const exchange = { ...delivered, ...given };
  return { ...exchange, errorClass: errorClassOf(exchange.outcome, exchange.status) };
};
export const failed = (status = 500): Exchange => anExchange({ outcome: "refused", status });

type Webhook = Resource<"outgoing_webhook">;

/** The customers' systems: each request stays unanswered until the test answers it, unless `answer` does at once. */
export function createReceivers(answer?: (path: string, times: number) => Exchange) {
  const asked: string[] = [];
  const waiting = new Map<string, (exchange: Exchange) => void>();
  return {
    asked,
    /** How often a path has been asked. */
    times: (path: string): number => asked.filter((each) => each === path).length,
    send({ url }: FilledRequest): Promise<Exchange> {
      const path = new URL(url).pathname.slice(1);
      asked.push(path);
      const times = asked.filter((each) => each === path).length;
      if (answer !== undefined) return Promise.resolve(answer(path, times));
      return new Promise((resolve) => waiting.set(path, resolve));
    },
    answer(path: string, exchange: Partial<Exchange> = {}) {
      const resolve = waiting.get(path);
      if (resolve === undefined) throw new Error(`${path} was not asked`);
      resolve(anExchange(exchange));
    },
  };
}

export interface Config {
  readonly database: Database;
  readonly snapshot: Snapshot;
  readonly service: ResourceService;
  save(webhooks: readonly Webhook[]): Promise<void>;
  webhook(id: string): Webhook | undefined;
  audited(): Promise<string[]>;
}

export async function openConfig(webhooks: readonly Webhook[], clock: Clock = systemClock): Promise<Config> {
  const database = await openSqliteDatabase({ path: ":memory:" });
  onTestFinished(() => database.close());
  const store = createConfigStore(database, clock);
  const onTrouble = () => undefined;
  const apiKeys = createApiKeyStore(database, clock);
  const snapshot = await openSnapshot({ database, store, apiKeys, clock, onTrouble });
  onTestFinished(() => snapshot.close());
  // Audit records stay in the database, where the test reads them.
  const outbox = createAuditOutbox(database, { publish: () => new Promise(() => {}) });
  const { settled } = snapshot;
  const save = async (all: readonly Webhook[]) => {
    for (const id of new Set(all.map(({ org_id }) => org_id))) {
      await store.saveOrganization({ id, name: id, timezone: "UTC" });
      const own = all.filter(({ org_id }) => org_id === id);
      await store.save(
        id,
        own.map((doc) => ({ type: "outgoing_webhook", doc })),
      );
    }
    await settled();
  };
  await save(webhooks);
  return {
    database,
    snapshot,
    save,
    service: createResourceService({
      database,
      outbox,
      clock,
      definitions,
      settled,
      configOf: snapshot.config,
      onTrouble,
    }),
    webhook: (id) => [orgOne, orgTwo].flatMap((org) => snapshot.config(org)?.get("outgoing_webhook", id) ?? [])[0],
    audited: async () =>
      (await database.query("SELECT record FROM audit_outbox ORDER BY id")).map(({ record }) => {
        const { action, entity_id, actor_type } = JSON.parse(String(record));
        return `${actor_type} ${action} ${entity_id}`;
      }),
  };
}

export interface RigGiven {
  /** What receivers answer; without it, that all is well. */
  readonly answer?: (path: string, times: number) => Exchange;
  /** Whether each request waits for the test's answer. */
  readonly unanswered?: boolean;
  /** In place of those receivers. */
  readonly sender?: Pick<Sender, "send">;
  readonly clock?: Clock;
  readonly terms?: Partial<DeliveryTerms>;
  readonly config?: Config;
  readonly log?: EventLog;
  readonly random?: () => number;
  readonly leaseMs?: number;
  /** A webhook that got into the config by another way than through its border. */
  readonly stored?: Webhook;
}

/** Waits until it holds; a machine that is busy may take its time. */
export const eventually = <T>(holds: () => T | Promise<T>): Promise<T> => vi.waitFor(holds, { timeout: 15_000 });

export const hourMs = 60 * 60 * 1000;
const usualTerms: DeliveryTerms = {
  pausesMs: [5, 30, 120, 600, 3600, 21_600, 86_400].map((seconds) => seconds * 1000),
  pauseAfterMs: 24 * hourMs,
  probeEveryMs: hourMs / 6,
  keepMs: 30 * 24 * hourMs,
};

const withWebhook = (snapshot: Snapshot, webhook: Webhook | undefined) => ({
  settled: snapshot.settled,
  config(orgId: string): OrgConfig | undefined {
    const config = snapshot.config(orgId);
    const get = (type: ResourceType, id: string | undefined) => (id === webhook?.id ? webhook : config?.get(type, id));
    return config && { ...config, get: get as OrgConfig["get"] };
  },
});

/** Deliveries on a real log and database, to receivers that do as the test says. */
export async function openRig(webhooks: readonly Webhook[], given: RigGiven = {}) {
  const { clock = systemClock, terms = {}, stored, answer = () => delivered } = given;
  const receivers = createReceivers(given.unanswered ? undefined : answer);
  const config = given.config ?? (await openConfig(webhooks, clock));
  const snapshot = stored === undefined ? config.snapshot : withWebhook(config.snapshot, stored);
  const dir = join(temporaryFolder(), "log");
  const alerts: DeliveryAlert[] = [];
  const troubles: unknown[] = [];
  const open = async () => {
    const log = given.log ?? (await openLmdbLog({ dir }));
    const deps: DeliveryDeps = {
      log,
      database: config.database,
      snapshot,
      edit: config.service.edit,
      clock,
      sender: given.sender ?? receivers,
      terms: { ...usualTerms, ...terms },
      random: given.random ?? (() => 0.5),
      ...(given.leaseMs === undefined ? {} : { leaseMs: given.leaseMs }),
      onAlert: (alert) => void alerts.push(alert),
      onTrouble: (error) => void troubles.push(error),
    };
    return { log, delivery: openDelivery(deps) };
  };
  let running = await open();
  const stop = async () => {
    await running.delivery.close();
    if (given.log === undefined) await running.log.close();
  };
  onTestFinished(stop);
  return {
    config,
    receivers,
    alerts,
    troubles,
    stop,
    delivery: () => running.delivery,
    publish: (...events: CallEvent[]) => publishEvents(running.log, events),
    publishRaw: (value: string) => running.log.publish([{ topic: "call-events", key: "x", value }]),
    records: () => readRecords(running.log),
    log: () => running.log,
    waitingCount: async () =>
      Number((await config.database.query("SELECT count(*) AS n FROM pending_deliveries"))[0]?.n),
    waiting: async () =>
      (await config.database.query("SELECT * FROM pending_deliveries ORDER BY queued_at, version, id")).map(
        toPendingRow,
      ),
    async restart() {
      await stop();
      running = await open();
    },
  };
}
export type Rig = Awaited<ReturnType<typeof openRig>>;

export const publishEvents = (log: EventLog, events: readonly CallEvent[]) =>
  log.publish(events.map((event) => ({ topic: "call-events", key: event.call_id, value: JSON.stringify(event) })));

export async function readRecords(log: EventLog): Promise<OutgoingRequest[]> {
  const records: OutgoingRequest[] = [];
  for await (const { value } of log.read({ topic: "webhook-deliveries", partition: 0, offset: 0 })) {
    records.push(JSON.parse(value));
  }
  return records;
}

export const hook = (event_type_id: CallEventName, id: string = event_type_id, org_id: OrgId = orgOne): Webhook =>
  anOutgoingWebhook({ id, org_id, event_type_id, url: `https://crm.example/[CALL_ID]/${id}` });

interface ToldGiven {
  readonly call?: string;
  readonly campaign?: readonly string[];
  readonly target?: readonly string[];
  readonly org?: OrgId;
}

/** An event of a call whose campaign, and target if told so, have these webhooks attached. */
export function told(
  name: CallEventName,
  { call = "call-1", campaign = [name], target = [], org = orgOne }: ToldGiven = {},
): CallEvent {
  const event = anEvent(name, signalsOfCall(16, { call_id: call as CallId, org_id: org }));
  const terms = { ...event.terms, campaign_webhook_ids: [...campaign], target_webhook_ids: [...target] };
  return { ...event, terms };
}
