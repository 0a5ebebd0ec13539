import { beforeAll, describe, expect, it } from "vitest";
import { anIncomingRequest, anOutgoingRequest, secondsIn } from "../../make.ts";
import { type Member, usePlatform } from "../use-platform.ts";
import { incoming, joinerWithHistory, outgoing, series } from "./stored-history.ts";

const platform = usePlatform();
const joinWith = joinerWithHistory(platform);

describe("a filter", () => {
  let one: Awaited<ReturnType<typeof joinWith>>;
  beforeAll(async () => {
    one = await joinWith([
      anOutgoingRequest({ id: "ok" }),
      anOutgoingRequest({ id: "late", created_at: secondsIn(60), call_id: "call-2", event_type_id: "call.hangup" }),
      anOutgoingRequest({ id: "gone", response_status_code: 410, outcome: "gone", url: "https://gone.example/A%20b" }),
      anOutgoingRequest({ id: "silent", response_status_code: null, outcome: "timeout", response_body: null }),
      anOutgoingRequest({ id: "other", outgoing_webhook_config_id: "hook-2", response_body: "Überfüllt: 100%" }),
      anIncomingRequest({ id: "data", call_id: "call-1", body: '{"lead_score":42}' }),
      anIncomingRequest({
        id: "tags",
        webhook_config_type: "update_tags",
        transaction_id: "t-2",
        created_at: secondsIn(60),
      }),
      anIncomingRequest({ id: "refused", response_status_code: 401, incoming_webhook_config_id: "receiver-2" }),
    ]);
  });

  it.each([
    [outgoing, "webhook_id=hook-2", ["other"]],
    [outgoing, "event_type_id=call.hangup", ["late"]],
    [outgoing, "call_id=call-2", ["late"]],
    [outgoing, "response_status=410", ["gone"]],
    [outgoing, "response_status=4xx", ["gone"]],
    [outgoing, "response_status=4XX", ["gone"]],
    [outgoing, "response_status=none", ["silent"]],
    [outgoing, "response_status=5xx", []],
    [outgoing, "outcome=timeout", ["silent"]],
    [outgoing, `start_date=${secondsIn(60)}`, ["late"]],
    [outgoing, `start_date=${secondsIn(1)}&end_date=${secondsIn(60)}`, []],
    [outgoing, `end_date=${secondsIn(60)}&webhook_id=hook-1`, ["gone", "ok", "silent"]],
    [outgoing, "start_date=2026-11-03", []],
    [outgoing, "text=ÜBERFÜLLT", ["other"]],
    [outgoing, "text=100%25", ["other"]],
    [outgoing, "text=GONE.example", ["gone"]],
    [outgoing, "text=gone.+", []],
    [outgoing, "text=CALL-2", ["late"]],
    [incoming, "webhook_id=receiver-2", ["refused"]],
    [incoming, "call_id=call-1", ["data"]],
    [incoming, "response_status=2xx", ["data", "tags"]],
    [incoming, "type=update_tags", ["tags"]],
    [incoming, "transaction_id=t-2", ["tags"]],
    [incoming, 'text="LEAD_SCORE":42}', ["data"]],
    [incoming, "text=T-2", ["tags"]],
  ])("of %s by %s leaves %j", async (path, query, wanted) => {
    const { data, meta } = await one.list(path, `?${query}`);
    expect([data.map(({ id }) => id).toSorted(), meta["total"]]).toEqual([wanted, wanted.length]);
  });

  it("holds for the pages that a cursor leads to", async () => {
    const query = "?webhook_id=hook-1&limit=3";
    const { meta } = await one.list(outgoing, query);
    expect(await one.list(outgoing, `${query}&cursor=${meta["next_cursor"]}`)).toMatchObject({
      data: [{ id: "gone" }],
      meta: { total: 4, offset: 3, has_more: false },
    });
  });
});

describe("what cannot be asked of a history", () => {
  let member: Member;
  let cursor: unknown;
  beforeAll(async () => {
    const one = await joinWith(series(3));
    member = one.member;
    cursor = (await one.list(outgoing, "?limit=1")).meta["next_cursor"];
  });

  it.each([
    [outgoing, "event_type_id=call.lost", "event_type_id"],
    [outgoing, "outcome=perhaps", "outcome"],
    [outgoing, "response_status=6xx", "response_status"],
    [outgoing, "response_status=20", "response_status"],
    [outgoing, "text=", "text"],
    [outgoing, `text=${"a".repeat(201)}`, "text"],
    [outgoing, "webhook_id=", "webhook_id"],
    [outgoing, "start_date=soon", "start_date"],
    [outgoing, `start_date=${secondsIn(1)}&end_date=${secondsIn(0)}`, "start_date"],
    [outgoing, "sort_direction=up", "sort_direction"],
    [outgoing, "limit=201", "limit"],
    [outgoing, "offset=-1", "offset"],
    [outgoing, "cursor=WyJhZnRlciJd", "cursor"],
    [outgoing, `cursor=${"a".repeat(2049)}`, "cursor"],
    [incoming, "type=call-data", "type"],
    [incoming, "transaction_id=", "transaction_id"],
  ])("of %s by %s is refused at %s", async (path, query, field) => {
    const { status, body } = await member.get(`${path}?${query}`);
    expect([status, body.detail[0]?.loc]).toEqual([422, ["query", field]]);
  });

  it.each([
    ["offset=1", "offset"],
    ["sort_direction=asc", "sort_direction"],
  ])("by a cursor together with %s is refused at %s", async (query, field) => {
    expect((await member.get(`${outgoing}?cursor=${cursor}`)).status).toBe(200);
    const { status, body } = await member.get(`${outgoing}?cursor=${cursor}&${query}`);
    expect([status, body.detail[0]?.loc]).toEqual([422, ["query", field]]);
  });
});

it("the document says of every filter but time that it costs more than the whole list", async () => {
  type Described = { get: { parameters: { name: string; description?: string }[] } };
  const answer = await fetch(`${platform.rig().url}/openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, Described> };
  const plain = ["limit", "offset", "sort_direction", "cursor", "start_date", "end_date"];
  for (const path of [outgoing, incoming]) {
    const filters = (paths[path]?.get.parameters ?? []).filter(({ name }) => !plain.includes(name));
    expect(filters).toHaveLength(6);
    for (const { name, description } of filters) expect(description, name).toContain("costs more");
  }
});
