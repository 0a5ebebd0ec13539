import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createApiKeyStore } from "../../../../api/auth/api-keys.ts";
import { openDuckdbDatabase } from "../../../../api/config/database-duckdb.ts";
import type { OrgConfig } from "../../../../api/config/org-config.ts";
import type { Resource, ResourceType } from "../../../../api/config/registry.ts";
import { openSnapshot, type Snapshot } from "../../../../api/config/snapshot.ts";
import { createConfigStore } from "../../../../api/config/store.ts";
import { runDeliver } from "../../../../api/webhooks/deliver/run.ts";
import type { Exchange } from "../../../../api/webhooks/deliver/send.ts";
import type { FilledRequest } from "../../../../api/webhooks/deliver/template.ts";
import { systemClock } from "../../../../ingest/clock.ts";
import type { OutgoingRequest } from "../../../../ingest/delivery.ts";
import type { CallEvent, CallEventName } from "../../../../ingest/event.ts";
import type { EventLog } from "../../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../../ingest/log/log-lmdb.ts";
import type { CallId, OrgId } from "../../../../ingest/primitives.ts";
import { anEvent, anIncoming, anOutgoingWebhook, orgOne, orgTwo, signalsOfCall } from "../../../make.ts";
import { temporaryFolder } from "../../../temporary.ts";

const delivered: Exchange = {
  ...{ outcome: "delivered", status: 200, headers: {}, body: "ok", error: null, elapsedMs: 1 },
};

/** The customers' systems: each request stays unanswered until the test answers it, unless they answer at once. */
function createReceivers({ atOnce }: { atOnce: boolean }) {
  const asked: string[] = [];
  const waiting = new Map<string, (exchange: Exchange) => void>();
  return {
    asked,
    send({ url }: FilledRequest): Promise<Exchange> {
      const path = new URL(url).pathname.slice(1);
      asked.push(path);
      if (atOnce) return Promise.resolve(delivered);
      return new Promise((resolve) => waiting.set(path, resolve));
    },
    answer(path: string, exchange: Partial<Exchange> = {}) {
      const resolve = waiting.get(path);
      if (resolve === undefined) throw new Error(`${path} was not asked`);
      resolve({ ...delivered, ...exchange });
    },
    close: async () => undefined,
  };
}

async function openConfig(webhooks: readonly Resource<"outgoing_webhook">[]) {
  const database = await openDuckdbDatabase({ path: ":memory:" });
  onTestFinished(() => database.close());
  const store = createConfigStore(database, systemClock);
  for (const id of [orgOne, orgTwo]) {
    await store.saveOrganization({ id, name: id, timezone: "UTC" });
    const own = webhooks.filter(({ org_id }) => org_id === id);
    await store.save(
      id,
      own.map((doc) => ({ type: "outgoing_webhook", doc })),
    );
  }
  const apiKeys = createApiKeyStore(database, systemClock);
  return openSnapshot({ database, store, apiKeys, clock: systemClock, onTrouble: () => undefined });
}

interface Given {
  /** Whether the customers' systems answer by themselves. */
  readonly atOnce?: boolean;
  /** A webhook that got into the config by another way than through its border. */
  readonly stored?: Resource<"outgoing_webhook">;
}

const withWebhook = (snapshot: Snapshot, webhook: Resource<"outgoing_webhook">) => ({
  config(orgId: string): OrgConfig | undefined {
    const config = snapshot.config(orgId);
    const get = (type: ResourceType, id: string | undefined) => (id === webhook.id ? webhook : config?.get(type, id));
    return config && { ...config, get: get as OrgConfig["get"] };
  },
});

function nested(depth: number): Record<string, unknown> {
  let body: Record<string, unknown> = {};
  for (let level = 0; level < depth; level += 1) body = { a: body };
  return body;
}

async function openRig(webhooks: readonly Resource<"outgoing_webhook">[], { atOnce = true, stored }: Given = {}) {
  const dir = join(temporaryFolder(), "log");
  const config = await openConfig(webhooks);
  const snapshot = stored === undefined ? config : withWebhook(config, stored);
  const sender = createReceivers({ atOnce });
  const troubles: unknown[] = [];
  const open = async () => {
    const log = await openLmdbLog({ dir });
    const consumer = runDeliver({
      log,
      snapshot,
      sender,
      clock: systemClock,
      onTrouble: (error) => troubles.push(error),
    });
    return { log, consumer };
  };
  let running = await open();
  const stop = async () => {
    await running.consumer.stop();
    await running.log.close();
  };
  onTestFinished(stop);
  return {
    ...{ sender, troubles },
    publish: (...events: CallEvent[]) => publish(running.log, events),
    publishRaw: (value: string) => running.log.publish([{ topic: "call-events", key: "x", value }]),
    records: () => readRecords(running.log),
    log: () => running.log,
    stopping: () => running.consumer.stop(),
    async restart() {
      await stop();
      running = await open();
    },
  };
}

const publish = (log: EventLog, events: readonly CallEvent[]) =>
  log.publish(events.map((event) => ({ topic: "call-events", key: event.call_id, value: JSON.stringify(event) })));

async function readRecords(log: EventLog): Promise<OutgoingRequest[]> {
  const records: OutgoingRequest[] = [];
  for await (const { value } of log.read({ topic: "webhook-deliveries", partition: 0, offset: 0 })) {
    records.push(JSON.parse(value));
  }
  return records;
}

const hook = (event_type_id: CallEventName, id: string = event_type_id, org_id: OrgId = orgOne) =>
  anOutgoingWebhook({ id, org_id, event_type_id, url: `https://crm.example/[CALL_ID]/${id}` });

/** An event of a call whose campaign, and target if told so, have these webhooks attached. */
function told(name: CallEventName, { call = "call-1", campaign = [name] as string[], target = [] as string[] } = {}) {
  const event = anEvent(name, signalsOfCall(16, { call_id: call as CallId }));
  const terms = { ...event.terms, campaign_webhook_ids: campaign, target_webhook_ids: target };
  return { ...event, terms };
}

describe("telling customers' systems", () => {
  it("goes in the events' order within one call, the next only after the answer to the one before", async () => {
    const rig = await openRig([hook("call.incoming"), hook("call.connected")], { atOnce: false });
    await rig.publish(told("call.incoming"), told("call.connected"));
    await vi.waitFor(() => expect(rig.sender.asked).toEqual(["call-1/call.incoming"]));
    await rig.publish(told("call.incoming", { call: "call-2" }));
    // When the later call has been asked, the earlier one's second event has had its chance, too.
    await vi.waitFor(() => expect(rig.sender.asked).toEqual(["call-1/call.incoming", "call-2/call.incoming"]));
    rig.sender.answer("call-1/call.incoming", { outcome: "refused", status: 500 });
    await vi.waitFor(() => expect(rig.sender.asked.at(-1)).toBe("call-1/call.connected"));
    rig.sender.answer("call-1/call.connected");
    rig.sender.answer("call-2/call.incoming");
  });

  it("goes on for other calls and other webhooks while one does not answer", async () => {
    const rig = await openRig([hook("call.incoming"), hook("call.incoming", "second")], { atOnce: false });
    await rig.publish(told("call.incoming", { campaign: ["call.incoming", "second"] }));
    await rig.publish(told("call.incoming", { call: "call-2", campaign: ["second"] }));
    await vi.waitFor(() =>
      expect(new Set(rig.sender.asked)).toEqual(new Set(["call-1/call.incoming", "call-1/second", "call-2/second"])),
    );
    rig.sender.answer("call-2/second");
    rig.sender.answer("call-1/second");
    await vi.waitFor(async () => expect(await rig.records()).toHaveLength(2));
    rig.sender.answer("call-1/call.incoming");
  });

  it("happens once for a webhook that is attached to campaign and target alike", async () => {
    const rig = await openRig([hook("call.completed")]);
    await rig.publish(
      told("call.completed", { campaign: ["call.completed", "call.completed"], target: ["call.completed"] }),
    );
    await rig.publish(told("call.completed", { call: "call-2" }));
    await vi.waitFor(() => expect(rig.sender.asked).toEqual(["call-1/call.completed", "call-2/call.completed"]));
  });

  it("happens for the event that the webhook is for, and for no other, unknown or foreign webhook", async () => {
    const rig = await openRig([hook("call.completed"), hook("call.completed", "theirs", orgTwo)]);
    const campaign = ["call.completed", "theirs", "deleted"];
    await rig.publish(told("call.incoming", { campaign }), told("call.completed", { campaign }));
    await rig.publish(told("call.completed", { call: "call-2" }));
    await vi.waitFor(() => expect(rig.sender.asked).toEqual(["call-1/call.completed", "call-2/call.completed"]));
  });

  it("leaves a record of each attempt, failed ones too", async () => {
    const rig = await openRig([hook("call.completed")], { atOnce: false });
    await rig.publish(told("call.completed"));
    await vi.waitFor(() => expect(rig.sender.asked).toHaveLength(1));
    rig.sender.answer("call-1/call.completed", { outcome: "timeout", status: null, error: "late" });
    await vi.waitFor(async () =>
      expect(await rig.records()).toMatchObject([
        { outgoing_webhook_config_id: "call.completed", outcome: "timeout", response_status_code: null, error: "late" },
      ]),
    );
  });

  it("passes over what is no call event, and says so", async () => {
    const rig = await openRig([hook("call.completed")]);
    await rig.publishRaw("{broken");
    await rig.publishRaw('{"event":"call.completed"}');
    await rig.publish(told("call.completed"));
    await vi.waitFor(() => expect(rig.sender.asked).toHaveLength(1));
    expect(rig.troubles.map(String)).toEqual([
      "Error: call-events 0:0 is no call event of ours: skipped",
      "Error: call-events 0:1 is no call event of ours: skipped",
    ]);
  });
});

describe("what would break the telling of one call", () => {
  it("such as a template nested too deep leaves a record with the reason, and the rest goes on", async () => {
    const rig = await openRig([hook("call.completed")], {
      stored: { ...hook("call.completed", "deep"), body: nested(100_000) },
    });
    await rig.publish(told("call.completed", { campaign: ["deep"] }), told("call.completed", { call: "call-2" }));
    await vi.waitFor(async () => expect(await rig.records()).toHaveLength(2));
    const [first] = await rig.records();
    expect(first).toMatchObject({ outgoing_webhook_config_id: "deep", outcome: "invalid", response_status_code: null });
    expect(first?.error).toContain("The template cannot be filled");
    expect(rig.sender.asked).toEqual(["call-2/call.completed"]);
  });

  it("such as half a surrogate pair in a tag does not", async () => {
    const rig = await openRig([{ ...hook("call.incoming"), url: "https://crm.example/[NAME]" }]);
    const event = anEvent("call.incoming", [anIncoming({ tags: { name: "\ud800" } })]);
    await rig.publish({ ...event, terms: { ...event.terms, campaign_webhook_ids: ["call.incoming"] } });
    await vi.waitFor(() => expect(rig.sender.asked).toEqual([encodeURIComponent("\ufffd")]));
  });

  it("such as a record that is too large for the log is recorded cut", async () => {
    const rig = await openRig([hook("call.completed")], { atOnce: false });
    await rig.publish(told("call.completed"));
    await vi.waitFor(() => expect(rig.sender.asked).toHaveLength(1));
    rig.sender.answer("call-1/call.completed", { body: "x".repeat(2 * 1024 * 1024) });
    await vi.waitFor(async () => expect((await rig.records())[0]?.response_body).toMatch(/… \[cut\]$/), 5000);
  });
});

describe("a fault of our own", () => {
  it("stops the telling for all to see, with the event not committed", async () => {
    const log = await openLmdbLog({ dir: join(temporaryFolder(), "log") });
    onTestFinished(() => log.close());
    const snapshot = {
      config() {
        throw new Error("the config is gone");
      },
    };
    const sender = createReceivers({ atOnce: true });
    const consumer = runDeliver({ log, snapshot, sender, clock: systemClock, onTrouble: () => undefined });
    await publish(log, [told("call.completed")]);
    await expect(consumer.finished).rejects.toThrow("the config is gone");
  });
});

describe("after a restart", () => {
  it("what was recorded is not sent again", async () => {
    const rig = await openRig([hook("call.incoming"), hook("call.completed")]);
    await rig.publish(told("call.incoming"), told("call.completed"));
    await vi.waitFor(async () => expect(await rig.records()).toHaveLength(2));
    await rig.restart();
    await rig.publish(told("call.incoming", { call: "call-2" }));
    await vi.waitFor(() => expect(rig.sender.asked).toHaveLength(3));
    expect(rig.sender.asked.at(-1)).toBe("call-2/call.incoming");
  });

  it("what was not begun when the reader stopped is sent, and what was begun has been finished", async () => {
    const webhooks = [hook("call.incoming"), hook("call.incoming", "second"), hook("call.connected")];
    const rig = await openRig(webhooks, { atOnce: false });
    const campaign = ["call.incoming", "second", "call.connected"];
    await rig.publish(told("call.incoming", { campaign }), told("call.connected", { campaign }));
    await vi.waitFor(() => expect(rig.sender.asked).toEqual(["call-1/call.incoming", "call-1/second"]));
    const stopped = rig.stopping();
    rig.sender.answer("call-1/call.incoming");
    rig.sender.answer("call-1/second");
    await stopped;
    expect(rig.sender.asked).toHaveLength(2);
    expect(await rig.records()).toHaveLength(2);
    await rig.restart();
    await vi.waitFor(() => expect(rig.sender.asked).toHaveLength(3));
    expect(rig.sender.asked.at(-1)).toBe("call-1/call.connected");
    rig.sender.answer("call-1/call.connected");
  });
});
