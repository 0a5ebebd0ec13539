import { isoTime } from "../../ingest/clock.ts";
import { type CallEvent, callEventSchema } from "../../ingest/event.ts";
import type { Topic } from "../../ingest/log/log.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { anInboundPing, anIncomingRequest, anOutboundPing, anOutgoingRequest, orgOne, orgTwo } from "../make.ts";
import { openEmptyWarehouse } from "../migrated-files.ts";

/** A Saturday; last month is October, this quarter began on October 1. */
export const now = Date.parse("2026-11-21T15:00:00.000Z");
export const zone = "America/New_York";
const hourMs = 3_600_000;

const campaigns = ["Solar East", "Solar West", "Medicare Advantage", "March Madness"];
const publishers = ["Blue Lake Media", "Acme Media", "Red Hill"];
const buyers = ["Sunny Group", "Acme", null];
const targets = ["Best Quote Desk", "Acme", null];
const states = ["TX", "FL", "CA", "NY", null];
const pick = <T>(all: readonly T[], index: number): T | null => all[index % all.length] ?? null;

/** The nth call, every 11 hours back from now, so that all hours, weekdays and months to early August have some. */
export function aCall(index: number, orgId: OrgId): CallEvent {
  const startedAt = now - (index + 1) * 11 * hourMs;
  const connected = index % 3 !== 2;
  const converted = connected && index % 4 === 0;
  const revenue = converted ? 20 + (index % 7) * 2.5 : connected ? 0 : null;
  const payout = revenue === null ? null : revenue * 0.6;
  const duration = 20 + ((index * 37) % 600);
  return callEventSchema.parse({
    v: 1,
    id: `${orgId}-event-${index}`,
    event: "call.completed",
    occurred_at: isoTime(startedAt),
    call_id: `${orgId}-call-${index}`,
    org_id: orgId,
    version: 1,
    campaign_name: pick(campaigns, index),
    publisher_name: pick(publishers, index),
    caller_id: `+1212555${String(index % 40).padStart(4, "0")}`,
    caller_state: pick(states, index),
    target_name: connected ? pick(targets, index) : null,
    buyer_name: connected ? pick(buyers, index) : null,
    status: connected ? "completed" : "failed",
    started_at: isoTime(startedAt),
    connected_at: connected ? isoTime(startedAt + 10_000) : null,
    duration,
    connect_duration: connected ? duration - 10 : null,
    failure_reason: connected ? null : "no_answer",
    attempts: 1 + (index % 2),
    revenue,
    payout,
    profit: revenue === null || payout === null ? null : revenue - payout,
    converted,
    is_duplicate: index % 10 === 9,
    recording_url: connected && index % 3 === 0 ? `https://switch.example/r/${index}` : null,
    tags: { utm_source: index % 2 === 0 ? "google" : "bing" },
    created_at: isoTime(startedAt),
    updated_at: isoTime(startedAt),
    terms: {},
    published: [],
    last_signal: 0,
  });
}

function anOrganization(orgId: OrgId, count: number) {
  const at = (index: number) => ({
    org_id: orgId,
    created_at: isoTime(now - (index + 1) * 5 * hourMs),
    updated_at: isoTime(now),
  });
  const indexes = Array.from({ length: count }, (_, index) => index);
  const delivery = (index: number) =>
    anOutgoingRequest({
      id: `${orgId}-out-${index}`,
      ...at(index),
      webhook_config_name: index % 2 === 0 ? "CRM push" : "Billing hook",
      outcome: index % 5 === 0 ? "timeout" : "delivered",
      response_time_ms: index % 5 === 0 ? null : 40 + index,
    });
  const received = (index: number) =>
    anIncomingRequest({
      id: `${orgId}-in-${index}`,
      ...at(index),
      webhook_config_type: index % 3 === 0 ? "update-revenue" : "call-data",
    });
  return {
    "call-events": indexes.map((index) => aCall(index, orgId)),
    "webhook-deliveries": indexes.flatMap((index) => [delivery(index), received(index)]),
    "rtb-requests": indexes.flatMap((index) => [
      anInboundPing({
        request_id: `${orgId}-ping-${index}`,
        org_id: orgId,
        created_at: at(index).created_at,
        publisher_name: pick(publishers, index),
      }),
      anOutboundPing({
        id: `${orgId}-bid-${index}`,
        org_id: orgId,
        created_at: at(index).created_at,
        buyer_name: "Acme",
        outcome: index % 2 === 0 ? "bid" : "no_bid",
        bid: index % 2 === 0 ? 10 + index : null,
      }),
    ]),
  } satisfies Partial<Record<Topic, readonly object[]>>;
}

/** A real warehouse with two organizations; the second one's names are its own. Its file is gone when it is closed. */
export async function openExampleWarehouse(): Promise<GuardedWarehouse> {
  const warehouse = await openEmptyWarehouse();
  await fillExample(warehouse);
  return warehouse;
}

export async function fillExample(warehouse: Pick<Warehouse, "store">): Promise<void> {
  const one = anOrganization(orgOne, 240);
  const two = anOrganization(orgTwo, 60);
  for (const topic of ["call-events", "webhook-deliveries", "rtb-requests"] as const) {
    const values = [...one[topic], ...two[topic]].map((message) => JSON.stringify(message));
    await warehouse.store({ topic, partition: 0, firstOffset: 0, nextOffset: values.length, values });
  }
}
