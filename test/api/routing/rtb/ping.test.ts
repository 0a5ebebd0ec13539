import { describe, expect, it } from "vitest";
import { createPingControls } from "../../../../api/routing/rtb/controls.ts";
import { createPing } from "../../../../api/routing/rtb/ping.ts";
import { outcomeOf } from "../../../../api/routing/rtb/ping-record.ts";
import type { PingSender } from "../../../../api/routing/rtb/pinger.ts";
import { outboundRtbRequestSchema } from "../../../../ingest/rtb.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { openBuyer, openPinger } from "./buyer.ts";
import { aFormula, aPingContext, aStep } from "./formula.ts";

const aBid = { body: JSON.stringify({ bid: 5, phone: "+18885550101" }) };

function openPing(sender: PingSender = openPinger()) {
  const clock = createManualClock(startOfTime);
  const ping = createPing({ controls: createPingControls({ clock }), sender, clock });
  return { clock, ask: (given: Parameters<typeof aFormula>[0]) => ping(aFormula(given), aPingContext(), {}) };
}

describe("a buyer", () => {
  it("that failed three times hears nothing for a minute, and then exactly one of ten at once", async () => {
    const { url, asked } = await openBuyer(() => ({ status: 500 }));
    const { clock, ask } = openPing();
    const given = { steps: [aStep({ url })], outbound_ping_backoff_enabled: true };
    const reasons = [];
    for (let times = 0; times < 4; times++) reasons.push((await ask(given)).kind);
    expect(reasons).toEqual(["refused", "refused", "refused", "not_asked"]);
    clock.advance(59_999);
    expect(await ask(given)).toEqual({ kind: "not_asked", reason: "ping_backoff" });
    expect(asked).toHaveLength(3);
    clock.advance(1);
    await Promise.all(Array.from({ length: 10 }, () => ask(given)));
    expect(asked).toHaveLength(4);
  });

  it("is not held off for bidding nothing, nor for what it refuses", async () => {
    const answers = [{ status: 204 }, { status: 404 }, { status: 400 }, { body: "?" }, aBid];
    const { url } = await openBuyer(() => answers.shift() ?? {});
    const { ask } = openPing();
    const kinds = [];
    const given = { steps: [aStep({ url })], outbound_ping_backoff_enabled: true };
    for (let times = 0; times < 5; times++) kinds.push((await ask(given)).kind);
    expect(kinds).toEqual(["refused", "refused", "refused", "refused", "bid"]);
  });

  it("is asked as often as it may be, retries counting as one", async () => {
    const { url, asked } = await openBuyer(() => ({ status: 503 }));
    const { ask } = openPing();
    const given = { steps: [aStep({ url })], outbound_ping_rate_limit: 2, misc_settings: { retryCount: 1 } };
    await ask(given);
    await ask(given);
    expect(await ask(given)).toEqual({ kind: "not_asked", reason: "ping_rate_limited" });
    expect(asked).toHaveLength(4);
  });

  it("is asked by as many at once as may be, and again once they have ended", async () => {
    const { url, asked } = await openBuyer(() => aBid);
    const { ask } = openPing();
    const given = { steps: [aStep({ url })], outbound_ping_max_inflight: 1 };
    const [first, second] = await Promise.all([ask(given), ask(given)]);
    expect([first?.kind, second]).toEqual(["bid", { kind: "not_asked", reason: "ping_inflight_limited" }]);
    expect((await ask(given)).kind).toBe("bid");
    expect(asked).toHaveLength(2);
  });

  it("is let go though asking it failed by a fault of ours", async () => {
    const { ask } = openPing({ send: () => Promise.reject(new Error("a fault of ours")) });
    for (let times = 0; times < 2; times++) {
      await expect(ask({ outbound_ping_max_inflight: 1 })).rejects.toThrow("a fault of ours");
    }
  });
});

it("every reason counts as one of the outcomes that histories know, and none as a bid", () => {
  const { outcome } = outboundRtbRequestSchema.shape;
  const reasons = ["no_bid", "ping_timeout", "ping_backoff", "ping_unreachable", "no_destination_number"] as const;
  for (const reason of [...reasons, null]) expect(outcome.safeParse(outcomeOf(reason)).success).toBe(true);
  expect([outcomeOf(null), outcomeOf("ping_unreachable"), outcomeOf("not_accepted")]).toEqual([
    "bid",
    "http_error",
    "no_bid",
  ]);
});
