import { describe, expect, it } from "vitest";
import {
  failureWords,
  type Outgoing,
  outgoingRequests,
  readAt,
  refusalWords,
  stateOf,
  toHash,
  waitingWords,
} from "../../../../assistant/web/webhooks/webhooks.ts";

const list = readAt("webhooks");

describe("the address of webhooks", () => {
  it.each([
    "#webhooks",
    "#webhooks?direction=incoming&search=lead&offset=50&hours=168",
    "#webhooks?hours=between&from=2026-11-20T10%3A00&to=2026-11-21T10%3A00",
    "#webhooks/outgoing/hook-1?hours=720&redelivery=abc",
    "#webhooks/incoming/a%2Fb",
  ])("is read and written alike: %s", (hash) => {
    expect(toHash(readAt(hash.slice(1)))).toBe(hash);
  });

  it("that is wrong is that of the last day's figures of outgoing ones", () => {
    expect(readAt("webhooks?hours=5&offset=-3&direction=sideways&from=2026-11-20T10:00")).toEqual(list);
    expect(readAt("webhooks/outgoing/%E0%A4%A")).toMatchObject({ id: "%E0%A4%A" });
  });
});

const hook = (given: Partial<Outgoing>): Outgoing => ({
  id: "hook-1",
  name: "CRM",
  event_type_id: "call.completed",
  method: "POST",
  url: "https://crm.example",
  is_signed: false,
  delivery_state: "ok",
  delivery_reason: null,
  failing_since: null,
  next_probe_at: null,
  is_paused: false,
  paused_at: null,
  paused_until: null,
  paused_by: null,
  waiting: null,
  attached_to: { count: 1, data: [] },
  stats: null,
  ...given,
});

it.each([
  [{}, "Active", ""],
  [{ attached_to: { count: 0, data: [] } }, "Unused", "Nothing names it, so it sends nothing."],
  [{ delivery_state: "failing", failing_since: "2026-11-21T10:00:00Z" }, "Failing", "Failing since Nov 21, 10:00."],
  [
    {
      delivery_state: "paused",
      delivery_reason: "requested",
      paused_by: "user:ann",
      paused_until: "2026-11-21T22:00:00Z",
    },
    "Paused",
    "Paused on request until Nov 21, 22:00 by ann.",
  ],
  [
    { delivery_state: "paused", delivery_reason: "requested", paused_by: "api_key:1" },
    "Paused",
    "Paused on request by an API key.",
  ],
  [
    { delivery_state: "paused", delivery_reason: "gone", paused_by: "system:deliver" },
    "Paused",
    "Paused: it answered 410 Gone.",
  ],
] as const)("the state %j is %s", (given, label, words) => {
  expect(stateOf(hook(given as Partial<Outgoing>), "UTC")).toMatchObject({ label, words });
});

it("the requests that change it have no masked password, and attach one that nothing names", () => {
  const url = "https://me:***@crm.example/[CALL_ID]";
  const bodies = outgoingRequests(hook({ url, attached_to: { count: 0, data: [] } })).map(({ body }) => body);
  expect(bodies).toContainEqual({ outgoing_webhooks: ["hook-1"] });
  expect(bodies).toContainEqual({ url: "https://me:PASSWORD@crm.example/[CALL_ID]" });
});

it("a failure is told by its status, or why there was no answer", () => {
  expect(failureWords({ response_status_code: 503, outcome: "refused", error: null })).toBe("answered 503");
  const late = { response_status_code: null, outcome: "timeout", error: "no answer in time" };
  expect(failureWords(late)).toBe("no answer within ten seconds (no answer in time)");
});

it("a refusal is told by the sentence of its answer", () => {
  expect(refusalWords('{"detail":{"code":"x","message":"No."}}')).toBe("No.");
  expect(refusalWords('{"detail":[{"msg":"one"},{"msg":"two"}]}')).toBe("one; two");
  expect(refusalWords("<html>")).toBe("");
});

it("what waits for a paused webhook is said, with what resuming does", () => {
  const waiting = { count: 1204, oldest_at: "2026-11-21T10:00:00.000Z", expires_at: "2026-12-21T10:00:00.000Z" };
  const paused = hook({ delivery_state: "paused", delivery_reason: "requested", waiting });
  expect(waitingWords(paused, "UTC")).toBe(
    "1,204 deliveries wait, the oldest since Nov 21, 10:00. Resuming sends them at once, as the calls were then; what still waits on Dec 21, 10:00 begins to be given up.",
  );
  expect(waitingWords(hook({ ...paused, waiting: { ...waiting, count: 1 } }), "UTC")).toMatch(
    /^1 delivery waits, .+ Resuming sends it at once/,
  );
  expect(waitingWords(hook({ ...paused, waiting: null }), "UTC")).toBe("Nothing waits for it.");
  expect(waitingWords(hook({}), "UTC")).toBe("");
});
