import { expect, vi } from "vitest";
import { exampleConfig, lineOf, trackingNumberOf } from "../../../platform.ts";
import { wholeTopic } from "../../../whole-topic.ts";
import { done, type Member, usePlatform } from "../../use-platform.ts";

export const paths = ["call-data", "update-revenue", "update-tags", "update-fields"] as const;
export type Path = (typeof paths)[number];

interface Sent {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly method?: string;
}
interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON was answered; tests assert on it.
  readonly body: any;
}

let phone = 2_125_550_100;
export const newCaller = () => `+1${++phone}`;

/** A call of so many seconds that ended just now, answered by the first target; 30 is owed and 20 paid for ten of them. */
export async function call(
  member: Member,
  from: string,
  { seconds = 12 }: { seconds?: number | null } = {},
): Promise<string> {
  const now = Date.now();
  const at = (before: number) => new Date(now - before * 1000).toISOString();
  const begins = at((seconds ?? 0) + 1);
  const { call_id, destination } = await done(
    member.post("/telephony/simulator/calls", { from, to: trackingNumberOf(member.id), at: begins }),
  );
  expect(destination.number).toBe(lineOf("first"));
  if (seconds === null) return call_id;
  const report = (body: object) => done(member.post(`/telephony/simulator/calls/${call_id}/events`, body));
  await report({ type: "answer", at: at(seconds) });
  await report({ type: "hangup", at: at(0) });
  return call_id;
}

export const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000 });

export async function recordsOf(member: Member) {
  const { data } = await done(member.get("/api/v1/webhooks/incoming-requests?sort_direction=asc&limit=200"));
  return data;
}

/** One platform for a test file, whose organizations have webhooks. */
export function useReceiver(settings: Record<string, string>) {
  const { rig, join } = usePlatform({ settings });

  /** An organization with a campaign, and a webhook of each type. */
  async function joinWithWebhooks() {
    const member = await join();
    await member.save(exampleConfig("https://nobody.example", [], member.id));
    const keys = new Map<Path, string>();
    for (const path of paths) {
      const body = { name: `Our ${path}`, type: path.replace("-", "_"), lifespan: 60 };
      keys.set(path, (await done(member.post("/api/v1/incoming-webhooks", body))).auth_key);
    }
    await done(member.post("/api/v1/custom-tags", { key: "lead_type" }));
    await done(member.post("/api/v1/custom-tags", { key: "lead_score", data_type: "number" }));
    await rig().platform.settled();
    async function send(path: Path, given: unknown, sent: Sent = {}): Promise<Answered> {
      const { key = keys.get(path) ?? "", headers = {}, method = "POST" } = sent;
      const query = sent.query ?? `?svc_auth_key=${key}`;
      const body = typeof given === "string" || given === undefined ? given : JSON.stringify(given);
      const type = { "Content-Type": "application/json" };
      const response = await fetch(`${rig().url}/${path}${query}`, {
        method,
        headers: { ...type, ...headers },
        ...(body === undefined ? {} : { body: body as string }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
    }
    return { member, keys, send };
  }
  /** What the log has told of a call last. */
  async function lastOf(callId: string) {
    // biome-ignore lint/suspicious/noExplicitAny: an event, of which tests look at single fields.
    let last: any;
    for await (const { key, value } of wholeTopic(rig().platform.log, "call-events")) {
      if (key === callId) last = JSON.parse(value);
    }
    return last;
  }
  const completed = (callId: string) =>
    eventually(async () => expect((await lastOf(callId))?.status).toMatch(/completed|failed/));

  return { rig, joinWithWebhooks, lastOf, completed };
}
export type World = Awaited<ReturnType<ReturnType<typeof useReceiver>["joinWithWebhooks"]>>;
