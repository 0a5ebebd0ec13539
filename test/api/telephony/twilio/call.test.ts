import { XMLParser } from "fast-xml-parser";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { signatureOf } from "../../../../api/telephony/twilio/signature.ts";
import { sql, text } from "../../../../warehouse/statement.ts";
import { exampleConfig, lineOf, trackingNumber } from "../../../platform.ts";
import { usePlatform } from "../../use-platform.ts";

const token = "the account's token";
const publicUrl = "https://calls.example";
const { rig, join } = usePlatform({ settings: { TWILIO_AUTH_TOKEN: token, PUBLIC_URL: publicUrl } });
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
  ...{ AccountSid: "AC0123456789abcdef0123456789abcdef", ApiVersion: "2010-04-01", Direction: "inbound" },
  ...{ From: "+12125550123", To: trackingNumber, Caller: "+12125550123", Called: trackingNumber },
  ...{ FromCity: "NEW YORK", FromState: "NY", FromZip: "10001", FromCountry: "US", CallerName: "" },
};
const aLeg = (sid: string, parent: string, status: string, more: Record<string, string> = {}) => ({
  ...{ CallSid: sid, ParentCallSid: parent, CallStatus: status, Direction: "outbound-dial", ...more },
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

beforeAll(async () => {
  const member = await join();
  await member.save(exampleConfig("http://127.0.0.1:9", [], member.id));
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

    await vi.waitFor(async () => expect(await callOf("CA1")).toMatchObject({ status: "completed" }), 5000);
    const call = await callOf("CA1");
    expect(call).toMatchObject({
      ...{ attempts: 2, termination_by: "target", caller_zip: null, recording_url: recording.RecordingUrl },
    });
    const events = await eventsOf(call?.["call_id"]);
    expect(events.filter((event) => event !== "call.updated")).toEqual([
      ...["call.incoming", "call.connected", "call.hangup", "call.completed"],
    ]);
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

  it("to a number of two organizations is refused", async () => {
    const member = await join();
    const number = { id: "theirs", number: "+18005550198", org_id: member.id };
    const about = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
    await member.save([{ type: "number", doc: { ...number, ...about } }]);
    const other = await join();
    await other.save([{ type: "number", doc: { ...number, ...about, id: "too", org_id: other.id } }]);
    const to = { ...caller, CallSid: "CA20", To: number.number, CallStatus: "ringing" };
    expect(await send("/telephony/twilio/voice", to)).toEqual({ Reject: { "@reason": "rejected" } });
    // Once one of them has released it, it is the other's: there it leads nowhere, but it is known.
    await member.patch("/api/v1/numbers/theirs", { status: "released" });
    await rig().platform.settled();
    await send("/telephony/twilio/voice", to);
    await vi.waitFor(async () => expect(await callOf("CA20")).toMatchObject({ status: "failed" }), 5000);
  });
});
