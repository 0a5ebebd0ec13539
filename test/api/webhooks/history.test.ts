import { describe, expect, it, vi } from "vitest";
import { anIncomingRequest, anOutgoingRequest, secondsIn } from "../../make.ts";
import { done, usePlatform } from "../use-platform.ts";
import { incoming, joinerWithHistory, outgoing, type Page, series } from "./stored-history.ts";

const platform = usePlatform();
const joinWith = joinerWithHistory(platform);

describe("the history of outgoing requests", () => {
  it("has exactly the specification's fields in each record", async () => {
    const { list } = await joinWith([
      anOutgoingRequest({
        headers: { authorization: "***", "x-a": "1" },
        response_headers: { server: "crm" },
        source_ip: "203.0.113.7",
      }),
    ]);
    expect((await list(outgoing)).data).toEqual([
      {
        id: "out-1",
        outgoing_webhook_config_id: "hook-1",
        webhook_config_name: "CRM",
        method: "POST",
        path: "/calls",
        query_string: "x=1",
        source_ip: "203.0.113.7",
        headers: { authorization: "***", "x-a": "1" },
        body: "{}",
        response_status_code: 200,
        response_body: "ok",
        response_time_ms: 12,
        response_headers: { server: "crm" },
        created_at: secondsIn(0),
        updated_at: secondsIn(1),
        event_type_id: "call.completed",
        event_type: { id: "call.completed", name: "Call completed", internal_name: "call.completed" },
      },
    ]);
  });

  it("shows an attempt that nobody answered, and one for an event type that is no more", async () => {
    const unanswered = { outcome: "timeout", response_status_code: null, response_body: null } as const;
    const { list } = await joinWith([
      anOutgoingRequest({
        ...unanswered,
        response_time_ms: null,
        body: null,
        query_string: null,
        event_type_id: "gone",
      }),
    ]);
    expect((await list(outgoing)).data[0]).toMatchObject({
      response_status_code: null,
      response_body: null,
      response_time_ms: null,
      body: null,
      query_string: null,
      event_type_id: "gone",
      event_type: null,
    });
  });

  it("comes newest first unless asked otherwise, and records of one instant in the order of their ids", async () => {
    const { ids } = await joinWith([...series(3), anOutgoingRequest({ id: "out-0b", created_at: secondsIn(0) })]);
    expect(await ids(outgoing)).toEqual(["out-2", "out-1", "out-0b", "out-0"]);
    expect(await ids(outgoing, "?sort_direction=DESC")).toEqual(["out-2", "out-1", "out-0b", "out-0"]);
    expect(await ids(outgoing, "?sort_direction=asc")).toEqual(["out-0", "out-0b", "out-1", "out-2"]);
  });

  it("comes in pages that fit together, and in an empty one for an organization without any", async () => {
    const { list, ids } = await joinWith(series(5));
    const first = await list(outgoing, "?limit=2");
    expect(first.meta).toEqual({
      limit: 2,
      offset: 0,
      count: 2,
      total: 5,
      has_more: true,
      next_offset: 2,
      previous_offset: null,
      next_cursor: expect.any(String),
      previous_cursor: null,
    });
    const pages = [await ids(outgoing, "?limit=2&offset=2"), await ids(outgoing, "?limit=2&offset=4")];
    expect([first.data.map(({ id }) => id), ...pages].flat()).toEqual(
      series(5)
        .map(({ id }) => id)
        .reverse(),
    );
    expect((await list(outgoing, "?limit=2&offset=4")).meta).toEqual({
      limit: 2,
      offset: 4,
      count: 1,
      total: 5,
      has_more: false,
      next_offset: null,
      previous_offset: 2,
      next_cursor: null,
      previous_cursor: expect.any(String),
    });
    expect(await list(outgoing, "?offset=99")).toMatchObject({ data: [], meta: { count: 0, total: 5 } });
    expect(await (await joinWith([])).list(outgoing)).toEqual({
      data: [],
      meta: {
        limit: 50,
        offset: 0,
        count: 0,
        total: 0,
        has_more: false,
        next_offset: null,
        previous_offset: null,
        next_cursor: null,
        previous_cursor: null,
      },
    });
  });

  it("opens one record with what is known of it beside the list's fields", async () => {
    const next_attempt_at = secondsIn(30);
    const { list, member } = await joinWith([
      anOutgoingRequest({
        outcome: "timeout",
        error: "no answer in 10 s",
        error_class: "timeout",
        attempt: 2,
        next_attempt_at,
        delivery_id: "delivery-1",
        trigger: "probe",
        remote_address: "203.0.113.9",
        dns_ms: 3,
        connect_ms: 20,
        first_byte_ms: null,
      }),
    ]);
    expect(await done(member.get(`${outgoing}/out-1`))).toEqual({
      ...(await list(outgoing)).data[0],
      url: "https://crm.example/calls?x=1",
      may_redeliver: true,
      event_id: "call-1:call.completed",
      call_id: "call-1",
      attempt: 2,
      outcome: "timeout",
      error: "no answer in 10 s",
      error_class: "timeout",
      next_attempt_at,
      delivery_id: "delivery-1",
      trigger: "probe",
      remote_address: "203.0.113.9",
      dns_ms: 3,
      connect_ms: 20,
      first_byte_ms: null,
    });
  });
});

describe("the history of incoming requests", () => {
  it("has exactly the specification's fields in each record, and one more in a record alone", async () => {
    const { list, member } = await joinWith([
      anIncomingRequest({
        call_id: "call-1",
        call_log_id: "call-1",
        query_string: "svc_auth_key=***",
        source_ip: "203.0.113.7",
        headers: { a: "b" },
        response_headers: { c: "d" },
        response_body: '{"success":true}',
        response_time_ms: 4,
      }),
    ]);
    const record = {
      id: "in-1",
      incoming_webhook_config_id: "receiver-1",
      webhook_config_name: "Leads",
      webhook_config_type: "call_data",
      call_log_id: "call-1",
      transaction_id: "t-1",
      method: "POST",
      path: "/call-data",
      query_string: "svc_auth_key=***",
      source_ip: "203.0.113.7",
      headers: { a: "b" },
      body: "{}",
      response_status_code: 200,
      response_body: '{"success":true}',
      response_headers: { c: "d" },
      response_time_ms: 4,
      created_at: secondsIn(0),
      updated_at: secondsIn(1),
    };
    expect((await list(incoming)).data).toEqual([record]);
    expect(await done(member.get(`${incoming}/in-1`))).toEqual({ ...record, call_id: "call-1" });
  });
});

describe("both histories", () => {
  it("are each organization's own, and apart from each other", async () => {
    const one = await joinWith([anOutgoingRequest({ id: "sent" }), anIncomingRequest({ id: "heard" })]);
    const two = await joinWith([anOutgoingRequest({ id: "their-sent" }), anIncomingRequest({ id: "their-heard" })]);
    expect([await one.ids(outgoing), await one.ids(incoming)]).toEqual([["sent"], ["heard"]]);
    expect([await two.ids(outgoing), await two.ids(incoming)]).toEqual([["their-sent"], ["their-heard"]]);
    expect(await one.ids(outgoing, `?org_id=${two.member.id}`)).toEqual(["sent"]);
    expect((await two.list(outgoing)).meta["total"]).toBe(1);
    for (const path of [`${outgoing}/their-sent`, `${incoming}/their-heard`, `${incoming}/sent`, `${outgoing}/none`]) {
      const { status, body } = await one.member.get(path);
      expect([status, body.detail.code], path).toEqual([404, "not_found"]);
    }
  });

  it("are not opened to others by a cursor of theirs", async () => {
    const one = await joinWith(series(3));
    const two = await joinWith(series(3).map((record) => ({ ...record, id: `their-${record.id}` })));
    const { meta } = await one.list(outgoing, "?limit=1");
    const theirs = await two.ids(outgoing, `?limit=9&cursor=${meta["next_cursor"]}`);
    expect(theirs).toEqual(["their-out-1", "their-out-0"]);
  });
});

describe("cursors", () => {
  it.each(["asc", "desc"])(
    "lead through the list and back, in the direction %s that it was asked for in",
    async (direction) => {
      const { list, ids } = await joinWith(series(5));
      const whole = await ids(outgoing, `?sort_direction=${direction}`);
      const there: Page[] = [await list(outgoing, `?limit=2&sort_direction=${direction}`)];
      for (let { meta } = there[0] as Page; meta["next_cursor"] !== null; { meta } = there.at(-1) as Page) {
        there.push(await list(outgoing, `?limit=2&cursor=${meta["next_cursor"]}`));
      }
      expect(there.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(whole);
      expect(there.map(({ meta }) => [meta["offset"], meta["count"], meta["total"], meta["has_more"]])).toEqual([
        [0, 2, 5, true],
        [2, 2, 5, true],
        [4, 1, 5, false],
      ]);
      const last = there.at(-1) as Page;
      const back = await list(outgoing, `?limit=2&sort_direction=${direction}&cursor=${last.meta["previous_cursor"]}`);
      expect(back).toEqual(there[1]);
      expect(await list(outgoing, `?limit=2&cursor=${back.meta["previous_cursor"]}`)).toEqual(there[0]);
    },
  );

  it("stay where they are when newer records come", async () => {
    const { list, member } = await joinWith(series(4));
    const { meta } = await list(outgoing, "?limit=2");
    const newer = { ...anOutgoingRequest({ id: "newer", created_at: secondsIn(99) }), org_id: member.id };
    await platform
      .rig()
      .platform.log.publish([{ topic: "webhook-deliveries", key: "newer", value: JSON.stringify(newer) }]);
    await vi.waitFor(async () => {
      const { data, meta } = await list(outgoing);
      expect([data.length, meta["total"]]).toEqual([5, 5]);
    }, 10_000);
    const page = await list(outgoing, `?limit=2&cursor=${meta["next_cursor"]}`);
    expect(page.data.map(({ id }) => id)).toEqual(["out-1", "out-0"]);
    expect(page.meta).toMatchObject({ offset: 3, total: 5, has_more: false, next_offset: null, previous_offset: 1 });
  });

  it("lead on from a short page before a row, by offset too", async () => {
    const { list } = await joinWith(series(5));
    const { meta } = await list(outgoing, "?limit=3&offset=1");
    const page = await list(outgoing, `?limit=3&cursor=${meta["previous_cursor"]}`);
    expect(page.data.map(({ id }) => id)).toEqual(["out-4"]);
    expect(page.meta).toMatchObject({ offset: 0, count: 1, has_more: true, next_offset: 1, previous_cursor: null });
  });
});
