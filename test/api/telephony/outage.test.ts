import { XMLParser } from "fast-xml-parser";
import { describe, expect, it, vi } from "vitest";
import { signatureOf } from "../../../api/telephony/twilio/access.ts";
import { type Clock, systemClock } from "../../../ingest/clock.ts";
import { type EventLog, LogError } from "../../../ingest/log/log.ts";
import { exampleConfig, lineOf } from "../../platform.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const token = "the account's token";
const publicUrl = "https://calls.example";
const begun = Date.now();
/** Ten times as fast: what is tried again after ten seconds is tried after one. */
const quick: Clock = {
  now: () => begun + 10 * (Date.now() - begun),
  sleep: (ms, signal) => systemClock.sleep(ms / 10, signal),
};

type Outage = "refuses what it is given" | "takes what it is given and says that it did not";
let outage: Outage | null = null;

/** A log that a test takes away from telephony; what the platform's other parts say goes through. */
const through = (log: EventLog): EventLog => ({
  ...log,
  async publish(messages) {
    const isCall = messages.some(({ topic }) => topic === "call-signals" || topic === "call-traces");
    if (outage === null || !isCall) return log.publish(messages);
    if (outage !== "refuses what it is given") await log.publish(messages);
    throw new LogError("log_unavailable", "The brokers cannot be used.");
  },
});

const { rig, join } = usePlatform({
  clock: quick,
  through,
  settings: {
    TWILIO_AUTH_TOKEN: token,
    PUBLIC_URL: publicUrl,
    ALLOW_PRIVATE_DESTINATIONS: "true",
    JAMBONZ_USERNAME: "switch",
    JAMBONZ_PASSWORD: "secret",
  },
});

interface Answered {
  readonly status: number;
  /** The number that is to be dialed; undefined where none is. */
  readonly dialed: string | undefined;
}

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "@", parseTagValue: false });

/** Each switch's way of telling that a caller dials `to`, under a name that it gives once. */
const switches = {
  async simulator(to: string, { key }: Member): Promise<Answered> {
    const headers = { "X-API-Key": key, "Content-Type": "application/json" };
    const body = JSON.stringify({ from: "+12125550123", to });
    const response = await fetch(`${rig().url}/telephony/simulator/calls`, { method: "POST", headers, body });
    const answer = await response.json();
    return { status: response.status, dialed: answer.destination?.number };
  },
  async twilio(to: string): Promise<Answered> {
    const path = "/telephony/twilio/voice";
    const form = { CallSid: `CA of ${to}`, From: "+12125550123", To: to, CallStatus: "ringing" };
    const headers = { "X-Twilio-Signature": signatureOf(token, publicUrl + path, form) };
    const response = await fetch(rig().url + path, { method: "POST", headers, body: new URLSearchParams(form) });
    const answer = await response.text();
    const dialed = response.ok ? parser.parse(answer).Response.Dial?.Number["#text"] : undefined;
    return { status: response.status, dialed };
  },
  async jambonz(to: string): Promise<Answered> {
    const login = Buffer.from("switch:secret").toString("base64");
    const headers = { Authorization: `Basic ${login}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ call_sid: `sid of ${to}`, from: "+12125550123", to });
    const response = await fetch(`${rig().url}/telephony/jambonz/call`, { method: "POST", headers, body });
    const answer = await response.json();
    return { status: response.status, dialed: response.ok ? answer[0].target?.[0].number : undefined };
  },
} as const;

let numbers = 100;

/** An organization whose campaign takes one call at a time, and two altogether. */
async function openMember() {
  const member = await join();
  const number = `+1800555${++numbers}0`;
  const about = { org_id: member.id, created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const documents = exampleConfig("http://127.0.0.1:9", [], member.id).map((each) => {
    if (each.type === "number") return { ...each, doc: { ...each.doc, number } };
    if (each.type !== "campaign") return each;
    const advanced_caps = [
      { type: "concurrency", limit: 1 },
      { type: "calls", period: "total", limit: 2 },
    ];
    return { ...each, doc: { ...about, ...each.doc, advanced_caps } };
  });
  await member.save(documents as Parameters<Member["save"]>[0]);
  const counts = () => done(member.get(`/api/v1/campaigns/${member.id}-campaign/counts`));
  const calls = async () => (await done(member.get("/api/v1/reports/calls"))).data;
  return { ...member, number, counts, calls };
}

describe.each(Object.keys(switches) as (keyof typeof switches)[])("a call of a switch (%s)", (name) => {
  it.each<Outage>(["refuses what it is given", "takes what it is given and says that it did not"])(
    "that is answered 503 as the log %s is over, counts for nobody, and is followed by the next",
    async (kind) => {
      const member = await openMember();
      outage = kind;
      const refused = await switches[name](member.number, member).finally(() => {
        outage = null;
      });
      expect(refused).toEqual({ status: 503, dialed: undefined });
      const placed = name === "simulator" ? 201 : 200;
      expect(await switches[name](member.number, member)).toEqual({ status: placed, dialed: lineOf("first") });
      await vi.waitFor(async () => {
        const [later, earlier] = await member.calls();
        expect(later).toMatchObject({ status: "incoming", failure_reason: null });
        expect(earlier).toMatchObject({ status: "failed", failure_reason: "platform_unavailable" });
        expect(await member.counts()).toMatchObject({ in_use: 1, caps: [{ used: 1, reached: false }] });
      }, 20_000);
    },
    60_000,
  );
});
