import { describe, expect, it, vi } from "vitest";
import type { IncomingRequest, OutgoingRequest } from "../../../ingest/delivery.ts";
import { anIncomingRequest, anOutgoingRequest, orgTwo, secondsIn } from "../../make.ts";
import { openPlatform } from "../../platform.ts";

const outgoing = "/api/v1/webhooks/outgoing-requests";
const incoming = "/api/v1/webhooks/incoming-requests";

async function openRig(records: readonly (OutgoingRequest | IncomingRequest)[]) {
  const rig = await openPlatform();
  await rig.platform.log.publish(
    records.map((record) => ({ topic: "webhook-deliveries", key: record.id, value: JSON.stringify(record) })),
  );
  const list = async (path: string, query = "", key = rig.one.key) => (await rig.get(path + query, key)).body;
  await vi.waitFor(async () => {
    const totals = await Promise.all(
      [outgoing, incoming].flatMap((path) => [rig.one.key, rig.two.key].map((key) => list(path, "", key))),
    );
    expect(totals.reduce((sum, { meta }) => sum + meta.total, 0)).toBe(records.length);
  }, 5000);
  const ids = async (path: string, query = "", key = rig.one.key): Promise<string[]> =>
    (await list(path, query, key)).data.map(({ id }: { id: string }) => id);
  return { ...rig, list, ids };
}

/** So many records, a second apart. */
const series = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    anOutgoingRequest({ id: `out-${index}`, created_at: secondsIn(index), updated_at: secondsIn(index) }),
  );

describe("the history of outgoing requests", () => {
  it("has exactly the specification's fields in each record", async () => {
    const rig = await openRig([
      anOutgoingRequest({
        headers: { authorization: "***", "x-a": "1" },
        ...{ response_headers: { server: "crm" }, source_ip: "203.0.113.7" },
      }),
    ]);
    expect((await rig.list(outgoing)).data).toEqual([
      {
        ...{ id: "out-1", outgoing_webhook_config_id: "hook-1", webhook_config_name: "CRM" },
        ...{ method: "POST", path: "/calls", query_string: "x=1", source_ip: "203.0.113.7" },
        ...{ headers: { authorization: "***", "x-a": "1" }, body: "{}" },
        ...{ response_status_code: 200, response_body: "ok", response_time_ms: 12 },
        response_headers: { server: "crm" },
        ...{ created_at: secondsIn(0), updated_at: secondsIn(1), event_type_id: "call.completed" },
        event_type: { id: "call.completed", name: "Call completed", internal_name: "call.completed" },
      },
    ]);
  });

  it("shows an attempt that nobody answered, and one for an event type that is no more", async () => {
    const unanswered = { outcome: "timeout", response_status_code: null, response_body: null } as const;
    const rig = await openRig([
      anOutgoingRequest({
        ...unanswered,
        response_time_ms: null,
        body: null,
        query_string: null,
        event_type_id: "gone",
      }),
    ]);
    expect((await rig.list(outgoing)).data[0]).toMatchObject({
      ...{ response_status_code: null, response_body: null, response_time_ms: null, body: null, query_string: null },
      ...{ event_type_id: "gone", event_type: null },
    });
  });

  it("comes newest first unless asked otherwise, and records of one instant in the order of their ids", async () => {
    const rig = await openRig([...series(3), anOutgoingRequest({ id: "out-0b", created_at: secondsIn(0) })]);
    expect(await rig.ids(outgoing)).toEqual(["out-2", "out-1", "out-0b", "out-0"]);
    expect(await rig.ids(outgoing, "?sort_direction=DESC")).toEqual(["out-2", "out-1", "out-0b", "out-0"]);
    expect(await rig.ids(outgoing, "?sort_direction=asc")).toEqual(["out-0", "out-0b", "out-1", "out-2"]);
  });

  it("comes in pages that fit together, and in an empty one for an organization without any", async () => {
    const rig = await openRig(series(5));
    const first = await rig.list(outgoing, "?limit=2");
    expect(first.meta).toEqual({
      ...{ limit: 2, offset: 0, count: 2, total: 5, has_more: true, next_offset: 2, previous_offset: null },
    });
    const pages = [await rig.ids(outgoing, "?limit=2&offset=2"), await rig.ids(outgoing, "?limit=2&offset=4")];
    expect([first.data.map(({ id }: { id: string }) => id), ...pages].flat()).toEqual(
      series(5)
        .map(({ id }) => id)
        .reverse(),
    );
    expect((await rig.list(outgoing, "?limit=2&offset=4")).meta).toEqual({
      ...{ limit: 2, offset: 4, count: 1, total: 5, has_more: false, next_offset: null, previous_offset: 2 },
    });
    expect(await rig.list(outgoing, "?offset=99")).toMatchObject({ data: [], meta: { count: 0, total: 5 } });
    expect(await rig.list(outgoing, "", rig.two.key)).toEqual({
      data: [],
      meta: {
        ...{ limit: 50, offset: 0, count: 0, total: 0, has_more: false, next_offset: null, previous_offset: null },
      },
    });
  });
});

describe("the history of incoming requests", () => {
  it("has exactly the specification's fields in each record", async () => {
    const rig = await openRig([
      anIncomingRequest({
        ...{ call_log_id: "call-1", query_string: "svc_auth_key=***", source_ip: "203.0.113.7", response_time_ms: 4 },
        ...{ headers: { a: "b" }, response_headers: { c: "d" }, response_body: '{"success":true}' },
      }),
    ]);
    expect((await rig.list(incoming)).data).toEqual([
      {
        ...{ id: "in-1", incoming_webhook_config_id: "receiver-1", webhook_config_name: "Leads" },
        ...{ webhook_config_type: "call_data", call_log_id: "call-1", transaction_id: "t-1" },
        ...{ method: "POST", path: "/call-data", query_string: "svc_auth_key=***", source_ip: "203.0.113.7" },
        ...{ headers: { a: "b" }, body: "{}" },
        ...{ response_status_code: 200, response_body: '{"success":true}', response_headers: { c: "d" } },
        ...{ response_time_ms: 4, created_at: secondsIn(0), updated_at: secondsIn(1) },
      },
    ]);
  });
});

describe("both histories", () => {
  it("are each organization's own, and apart from each other", async () => {
    const rig = await openRig([
      ...[anOutgoingRequest({ id: "sent" }), anOutgoingRequest({ id: "their-sent", org_id: orgTwo })],
      ...[anIncomingRequest({ id: "heard" }), anIncomingRequest({ id: "their-heard", org_id: orgTwo })],
    ]);
    expect([await rig.ids(outgoing), await rig.ids(incoming)]).toEqual([["sent"], ["heard"]]);
    const theirs = [await rig.ids(outgoing, "", rig.two.key), await rig.ids(incoming, "", rig.two.key)];
    expect(theirs).toEqual([["their-sent"], ["their-heard"]]);
    expect(await rig.ids(outgoing, `?org_id=${orgTwo}`)).toEqual(["sent"]);
    expect((await rig.list(outgoing, "", rig.two.key)).meta.total).toBe(1);
  });
});
