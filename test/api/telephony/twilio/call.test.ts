import { XMLParser } from "fast-xml-parser";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { ConfigInput } from "../../../../api/config/registry.ts";
import { signatureOf } from "../../../../api/telephony/twilio/access.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";
import { sql, text } from "../../../../warehouse/statement.ts";
import { exampleConfig, lineOf, trackingNumber } from "../../../platform.ts";
import { openBuyer } from "../../routing/rtb/buyer.ts";
import { usePlatform } from "../../use-platform.ts";

const token = "the account's token";
const publicUrl = "https://calls.example";
const { rig, join } = usePlatform({
  settings: { TWILIO_AUTH_TOKEN: token, PUBLIC_URL: publicUrl, ALLOW_PRIVATE_DESTINATIONS: "true" },
});
const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "@", parseTagValue: false });

/** Sends a form as the carrier does, to an address that it was set to or given; returns what it is told to do. */
async function send(address: string, form: Record<string, string>) {
  const path = address.replace(publicUrl, "");
  const signature = signatureOf(token, publicUrl + path, form);
  const headers = { "X-Twilio-Signature": signature };
  const response = await fetch(rig().url + path, { method: "POST", body: new URLSearchParams(form), headers });
  expect(response.status).toBe(200);
  return parser.parse(await response.text()).Response;
}

/** The fields that the carrier sends with every callback about a caller's leg. */
const caller = {
  AccountSid: "AC0123456789abcdef0123456789abcdef",
  ApiVersion: "2010-04-01",
  Direction: "inbound",
  From: "+12125550123",
  To: trackingNumber,
  Caller: "+12125550123",
  Called: trackingNumber,
  FromCity: "NEW YORK",
  FromState: "NY",
  FromZip: "10001",
  FromCountry: "US",
  CallerName: "",
};
const aLeg = (sid: string, parent: string, status: string, more: Record<string, string> = {}) => ({
  CallSid: sid,
  ParentCallSid: parent,
  CallStatus: status,
  Direction: "outbound-dial",
  ...more,
});

async function callOf(sid: string) {
  const { rows } = await rig().platform.warehouse.query(
    sql`SELECT call_id, status, attempts, connected_at, termination_by, caller_zip, recording_url, connect_duration
        FROM calls WHERE call_sid = ${text(sid)}`,
  );
  return rows[0];
}
const eventsOf = async (callId: unknown) =>
  (
    await rig().platform.warehouse.query(
      sql`SELECT event FROM call_events WHERE call_id = ${text(String(callId))} ORDER BY version`,
    )
  ).rows.map(({ event }) => event);

/** A target first, then two bidders against each other. */
function biddersConfig(org_id: OrgId, buyers: string): ConfigInput[] {
  const about = { org_id, created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const bidder = (id: string): ConfigInput => ({
    type: "rtb_formula",
    doc: {
      ...about,
      id,
      rtb_name: id,
      buyer_id: "bids-buyer",
      mapped_response: { bid: "$.bid", phone_number: "$.phone" },
      steps: [{ url: `${buyers}/${id}`, method: "POST", api_response: {} }],
    },
  });
  const routes = [
    { id: "r1", action: "route-to-target", target_id: "busy", priority: 1 },
    { id: "r2", action: "route-to-rtb-group", rtb_group_id: "bidders", priority: 2 },
  ];
  const line = { type: "number", number: lineOf("first"), revenue: 30 } as const;
  const links = ["low", "high"].map((id) => ({ id: `link-${id}`, rtb_formula_id: id }));
  return [
    { type: "buyer", doc: { ...about, id: "bids-buyer", name: "Sunny Group" } },
    { type: "target", doc: { ...about, id: "busy", name: "Busy desk", buyer_id: "bids-buyer", ...line } },
    ...["low", "high"].map(bidder),
    { type: "rtb_group", doc: { ...about, id: "bidders", name: "Bidders", rtb_formulas: links } },
    { type: "routing_plan", doc: { ...about, id: "bids-plan", name: "Bids", routes } },
    { type: "number", doc: { ...about, id: "bids-number", number: "+18005550197" } },
    {
      type: "campaign",
      doc: {
        ...about,
        id: "bids-campaign",
        name: "Bids",
        routing_plan_id: "bids-plan",
        number_group_items: [{ id: "bids-row", number_id: "bids-number" }],
      },
    },
  ];
}

beforeAll(async () => {
  const member = await join();
  const documents = exampleConfig("http://127.0.0.1:9", [], member.id);
  for (const { type, doc } of documents) if (type === "number") Object.assign(doc, { number: trackingNumber });
  await member.save(documents);
});

describe("a call of the carrier", () => {
  it("fails over from a busy target to one that answers, though callbacks come twice and out of order", async () => {
    const leg = { ...caller, CallSid: "CA1" };
    const voice = () => send("/telephony/twilio/voice", { ...leg, CallStatus: "ringing" });
    const first = await voice();
    expect(first.Dial.Number["#text"]).toBe(lineOf("first"));
    expect(first.Dial["@record"]).toBe("record-from-answer-dual");
    // Its answer was lost on the way: the carrier asks again, and one call is placed.
    expect(await voice()).toEqual(first);
    await send(first.Dial.Number["@statusCallback"], aLeg("CA2", "CA1", "ringing", { SequenceNumber: "1" }));
    const busy = { ...leg, CallStatus: "in-progress", DialCallStatus: "busy", DialCallSid: "CA2" };
    const second = await send(first.Dial["@action"], busy);
    expect(second.Dial.Number["#text"]).toBe(lineOf("second"));
    expect(await send(first.Dial["@action"], busy)).toEqual(second);
    await send(first.Dial.Number["@statusCallback"], aLeg("CA2", "CA1", "busy", { SequenceNumber: "2" }));

    const onSecond = second.Dial.Number["@statusCallback"];
    const answered = aLeg("CA3", "CA1", "in-progress", { Timestamp: new Date().toUTCString(), SequenceNumber: "2" });
    await send(onSecond, answered);
    await send(onSecond, aLeg("CA3", "CA1", "ringing", { SequenceNumber: "1" }));
    await send(onSecond, answered);
    // Late, and about the dial before: nobody is hung up for it.
    await send(first.Dial["@action"], busy);
    await send(first.Dial.Number["@statusCallback"], aLeg("CA2", "CA1", "gone-fishing"));
    const recording = { CallSid: "CA1", RecordingSid: "RE1", RecordingUrl: "https://api.example/RE1" };
    await send(second.Dial["@recordingStatusCallback"], { ...recording, RecordingStatus: "completed" });
    const ended = {
      ...leg,
      ...recording,
      CallStatus: "in-progress",
      DialCallStatus: "completed",
      DialCallDuration: "0",
    };
    expect(await send(second.Dial["@action"], ended)).toEqual({ Hangup: "" });
    await send("/telephony/twilio/status", { ...leg, CallStatus: "completed", CallDuration: "9" });
    await send(onSecond, aLeg("CA3", "CA1", "completed", { SequenceNumber: "3" }));
    expect(await send(second.Dial["@action"], ended)).toEqual({ Hangup: "" });

    await vi.waitFor(async () => {
      const call = await callOf("CA1");
      expect(call).toMatchObject({
        status: "completed",
        attempts: 2,
        termination_by: "target",
        caller_zip: null,
        recording_url: recording.RecordingUrl,
      });
      // Not every store fills all tables at once.
      const events = await eventsOf(call?.["call_id"]);
      expect(events.filter((event) => event !== "call.updated")).toEqual([
        "call.incoming",
        "call.connected",
        "call.hangup",
        "call.completed",
      ]);
    }, 5000);
  });

  it("goes through its plan, a failover, an auction and a conversion, and its timeline tells so", async () => {
    const bidding = await openBuyer(({ path }) => ({
      body: JSON.stringify({ bid: path === "/high" ? 42 : 17, phone: "+18885550177" }),
    }));
    const member = await join();
    await member.save(biddersConfig(member.id, bidding.url));
    const leg = { ...caller, To: "+18005550197", Called: "+18005550197", CallSid: "CA30" };
    const first = await send("/telephony/twilio/voice", { ...leg, CallStatus: "ringing" });
    const busy = { ...leg, CallStatus: "in-progress", DialCallStatus: "busy", DialCallSid: "CA31" };
    const second = await send(first.Dial["@action"], busy);
    expect(second.Dial.Number["#text"]).toBe("+18885550177");
    const answered = { Timestamp: new Date().toUTCString(), SequenceNumber: "2" };
    await send(second.Dial.Number["@statusCallback"], aLeg("CA32", "CA30", "ringing", { SequenceNumber: "1" }));
    await send(second.Dial.Number["@statusCallback"], aLeg("CA32", "CA30", "in-progress", answered));
    await send(second.Dial["@action"], { ...leg, CallStatus: "in-progress", DialCallStatus: "completed" });

    await vi.waitFor(async () => expect(await callOf("CA30")).toMatchObject({ status: "completed" }), 5000);
    const { call_id } = (await callOf("CA30")) ?? {};
    const lines = async () => {
      const { body } = await member.get(`/api/v1/reports/calls/${call_id}/timeline`);
      return body.data as { seq: number; at: string; event: string; detail: Record<string, unknown> }[];
    };
    await vi.waitFor(async () => {
      expect((await lines()).map(({ event }) => event)).toEqual([
        "call.incoming",
        "plan.selected",
        "dial.started",
        "dial.failed",
        "ping.sent",
        "ping.sent",
        "ping.result",
        "ping.result",
        "auction.won",
        "dial.started",
        "dial.ringing",
        "call.connected",
        "call.hangup",
        "conversion.evaluated",
        "call.converted",
        "call.completed",
      ]);
    }, 5000);
    const told = await lines();
    const detailOf = (event: string) => told.findLast((line) => line.event === event)?.detail;
    expect(detailOf("auction.won")).toMatchObject({ rtb_id: "high", bid: 42, bids: 2 });
    expect(detailOf("dial.started")).toMatchObject({ kind: "rtb_formula", id: "high", revenue: 42 });
    expect(detailOf("conversion.evaluated")).toMatchObject({ converted: true });
    await vi.waitFor(async () => {
      const { body } = await member.get(`/api/v1/outbound-rtb/requests?call_id=${call_id}`);
      const asked = body.data.map(({ rtb_id, won }: { rtb_id: string; won: boolean }) => `${rtb_id} ${won}`);
      expect(asked.toSorted()).toEqual(["high true", "low false"]);
    }, 5000);
  });

  it("is over when its caller hangs up while the target rings, and dials nobody else", async () => {
    const leg = { ...caller, CallSid: "CA10", From: "+12125550124" };
    const { Dial } = await send("/telephony/twilio/voice", { ...leg, CallStatus: "ringing" });
    await send("/telephony/twilio/status", { ...leg, CallStatus: "no-answer" });
    const gone = { ...leg, CallStatus: "no-answer", DialCallStatus: "canceled" };
    expect(await send(Dial["@action"], gone)).toEqual({ Hangup: "" });
    await vi.waitFor(async () => expect(await callOf("CA10")).toMatchObject({ attempts: 1, connected_at: null }), 5000);
    const { call_id } = (await callOf("CA10")) ?? {};
    await vi.waitFor(async () => expect(await eventsOf(call_id)).toContain("call.completed"), 5000);
  });

  it("to a number is of the organization that has it, and of another one once that one has given it up", async () => {
    const [first, second] = [await join(), await join()];
    const { id } = (await first.post("/api/v1/numbers", { number: "+18005550198" })).body;
    expect((await second.post("/api/v1/numbers", { number: "+18005550198" })).status).toBe(409);
    const call = (CallSid: string) =>
      send("/telephony/twilio/voice", { ...caller, CallSid, To: "+18005550198", CallStatus: "ringing" });
    const ownerOf = async (sid: string) => {
      const { rows } = await rig().platform.warehouse.query(
        sql`SELECT org_id FROM calls WHERE call_sid = ${text(sid)}`,
      );
      return rows[0]?.["org_id"];
    };
    await call("CA20");
    await vi.waitFor(async () => expect(await ownerOf("CA20")).toBe(first.id), 5000);
    await first.delete(`/api/v1/numbers/${id}`);
    await second.post("/api/v1/numbers", { number: "+18005550198" });
    await rig().platform.settled();
    await call("CA21");
    await vi.waitFor(async () => expect(await ownerOf("CA21")).toBe(second.id), 5000);
  });
});
