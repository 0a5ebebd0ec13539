import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigInput, ResourceInput } from "../../api/config/registry.ts";
import { placeholdersOf } from "../../api/outbound/webhook-placeholders.ts";
import { fillRequest } from "../../api/webhooks/deliver/template.ts";
import type { CallEvent } from "../../ingest/event.ts";
import type { CallId, EventId } from "../../ingest/primitives.ts";
import { startService } from "../compiled-service.ts";
import { anEvent, anOutgoingWebhook, signalsOfCall } from "../make.ts";
import type { Bench } from "./bench.ts";
import type { LoadResult } from "./processes/load.ts";
import { openReceiver, sendBare } from "./processes/processes.ts";
import { about, fillLog, org, planOfOneTarget, seedService } from "./seed-service.ts";

const settings = { ALLOW_PRIVATE_DESTINATIONS: "true" };
const trackingNumber = "+18005550100";
/** Events that wait in the log when the service starts. */
const waiting = 10_000;
/** Together 200 deliveries a second, of calls that leave the service time for them. */
const callsPerSecond = 40;
const deliveriesOfCall = 5;
/** Events that a receiver which never answers has waiting, beside those of the calls. */
const waitingForDead = 2000;

/**
 * Deliveries of a backlog, beside a program that only sends the same requests; and the delay of a delivery, from the
 * moment at which the request was due that caused it. Service, receiver, program and load are processes of their own.
 */
export async function openDeliveryBench(): Promise<Bench> {
  const receiver = await openReceiver({ answers: true });
  const dead = await openReceiver({ answers: false });
  const { url } = receiver;

  async function bare(atOnce: number): Promise<LoadResult> {
    const heard = receiver.hear(waiting);
    const request = fillRequest(anOutgoingWebhook({ body }), placeholdersOf(example));
    await sendBare({ url, count: waiting, atOnce, body: request.body ?? "" });
    return heard;
  }

  async function fromBacklog(concurrency: number): Promise<LoadResult> {
    const told = { id: "told", url: `${url}/[CALL_ID]`, concurrency };
    const heard = receiver.hear(waiting);
    return withService({ hooks: [told], events: eventsFor("told", waiting) }, () => heard);
  }

  /** Calls come at a rate, and each is told the receiver several times, and the others, which have events waiting. */
  async function fromCalls(others: readonly Hook[]): Promise<LoadResult> {
    const hooks = Array.from({ length: deliveriesOfCall }, (_, index) => ({
      id: `told-${index}`,
      // One of them is timed.
      url: index === deliveriesOfCall - 1 ? `${url}/[CALLER_ID_NUMERIC]` : `${url}/others`,
      event_type_id: "call.incoming" as const,
    }));
    const events = others.flatMap(({ id }) => eventsFor(id, waitingForDead));
    return withService({ hooks: [...hooks, ...others], events }, async (service) => {
      const calls = {
        url: `${service.url}/telephony/simulator/calls`,
        headers: { "x-api-key": service.key },
        body: JSON.stringify({ from: "+{caller}", to: trackingNumber }),
        rate: callsPerSecond,
      };
      await receiver.cause({ ...calls, seconds: 3 });
      return receiver.cause({ ...calls, seconds: 8 });
    });
  }

  const hookOfDead = { id: "dead", url: `${dead.url}/[CALL_ID]`, event_type_id: "call.incoming" } as const;

  return {
    comparisons: [],
    loads: [
      ...[10, 50].map((concurrency) => ({
        title: `${waiting} events that wait for one endpoint, ${concurrency} requests at once`,
        rounds: 3,
        baseline: { name: "a program that sends the same", load: () => bare(concurrency) },
        subjects: [{ name: "deliveries", load: () => fromBacklog(concurrency), atLeast: 0.5 }],
      })),
      {
        title: `The delay of a delivery from the request that its call is placed by, ${callsPerSecond * deliveriesOfCall} deliveries a second`,
        rounds: 3,
        baseline: { name: "one endpoint", load: () => fromCalls([]) },
        subjects: [
          {
            name: `beside one that never answers and has ${waitingForDead} waiting`,
            load: () => fromCalls([hookOfDead]),
          },
        ],
      },
    ],
    async close() {
      for (const each of [receiver, dead]) each.close();
    },
  };
}

type Hook = Partial<ResourceInput<"outgoing_webhook">> & { readonly id: string };

interface Given {
  readonly hooks: readonly Hook[];
  /** In the log when the service starts. */
  readonly events: readonly CallEvent[];
}

async function withService<T>(
  { hooks, events }: Given,
  work: (service: { readonly url: string; readonly key: string }) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  try {
    const key = await seedService(dataDir, documents(hooks));
    await fillLog(
      dataDir,
      events.map((each) => ({ topic: "call-events", key: each.call_id, value: JSON.stringify(each) })),
    );
    const service = await startService(dataDir, settings);
    try {
      return await work({ url: service.url, key });
    } finally {
      await service.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const body = {
  call: "[CALL_ID]",
  caller: "[CALLER_ID]",
  campaign: "[CAMPAIGN_NAME]",
  target: "[TARGET_NAME]",
  seconds: "[DURATION_NUMERIC]",
  revenue: "[REVENUE_PAID_OUT_NUMERIC]",
};
const example = anEvent("call.completed", signalsOfCall(16));

const eventsFor = (hook: string, count: number): CallEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    ...example,
    id: `${hook}-${index}:call.completed` as EventId,
    call_id: `${hook}-${index}` as CallId,
    org_id: org,
    terms: { ...example.terms, campaign_webhook_ids: [hook] },
  }));

const documents = (hooks: readonly Hook[]): ConfigInput[] => [
  ...planOfOneTarget,
  { type: "number", doc: { ...about, id: "number", number: trackingNumber } },
  ...hooks.map(
    (hook): ConfigInput => ({
      type: "outgoing_webhook",
      doc: anOutgoingWebhook({ ...about, name: hook.id, body, ...hook }),
    }),
  ),
  {
    type: "campaign",
    doc: {
      ...about,
      id: "campaign",
      name: "Campaign",
      routing_plan_id: "plan",
      outgoing_webhooks: hooks.map(({ id }) => id),
      number_group_items: [{ id: "n1", number_id: "number", publisher_id: "publisher" }],
    },
  },
];
