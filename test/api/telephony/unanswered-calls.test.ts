import { describe, expect, it, vi } from "vitest";
import { type Database, DatabaseError } from "../../../api/database/database.ts";
import { releaseForgotten } from "../../../api/routing/call-stats/reservations.ts";
import { callIdAtCarrier, findCall } from "../../../api/telephony/call-sid.ts";
import type { OutboxMessage } from "../../../api/telephony/outbox.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import { applySignal } from "../../../ingest/lifecycle/fold.ts";
import { LogError } from "../../../ingest/log/log.ts";
import type { CallId } from "../../../ingest/primitives.ts";
import { signalSchema } from "../../../ingest/signal.ts";
import { orgOne } from "../../make.ts";
import {
  aBidder,
  aLine,
  anArriving,
  aPlanOf,
  openSwitchboard,
  type Switchboard,
  toFormula,
  toTarget,
} from "./switchboard.ts";

const away = () => new LogError("log_unavailable", "The brokers cannot be used.");
const minute = 60_000;

/** Whatever is told, or steps with a signal of this kind. */
type Telling = boolean | "dialing";
interface Fails extends Record<"beforeCommit" | "afterCommit" | "dies", boolean> {
  beforePublishing: Telling;
  afterPublishing: Telling;
}

/** A log, and a database, that a test takes away; each may take what it is given and fail to say so. */
async function openRig({ asksFirst = false } = {}) {
  const fails: Fails = {
    beforePublishing: false,
    afterPublishing: false,
    beforeCommit: false,
    afterCommit: false,
    dies: false,
  };
  const failTelling = (place: "beforePublishing" | "afterPublishing") => async (told: readonly OutboxMessage[]) => {
    await meanwhile[place]?.(told);
    const kinds = told.map(({ value }) => ("kind" in value ? value.kind : null));
    if (fails[place] === true || kinds.some((kind) => kind === fails[place])) throw away();
  };
  /** What happens at these places beside what the test itself does. */
  const meanwhile: Partial<Record<"beforePublishing" | "beforeStep", (told: readonly OutboxMessage[]) => unknown>> & {
    afterPublishing?: never;
  } = {};
  const failIf = (condition: boolean) => {
    if (condition) throw new DatabaseError("unavailable", "The database cannot be reached.");
  };
  const through = (database: Database): Database => ({
    ...database,
    async transaction(work) {
      failIf(fails.beforeCommit);
      await meanwhile.beforeStep?.([]);
      const done = await database.transaction(work);
      fails.beforeCommit = fails.dies;
      failIf(fails.dies || fails.afterCommit);
      return done;
    },
  });
  // A buyer that bids nothing: until it has answered, the call is left to be routed.
  const plan = asksFirst ? aPlanOf(toFormula("asked"), toTarget("a")) : aPlanOf(toTarget("a"));
  const [campaign] = plan.campaign ?? [];
  const board = await openSwitchboard({
    documents: {
      ...plan,
      campaign: [{ ...campaign, advanced_caps: [{ type: "concurrency", limit: 1 }] }],
      target: [aLine("a", { max_concurrency: 1 })],
      rtb_formula: [aBidder("asked")],
    },
    beforePublishing: failTelling("beforePublishing"),
    afterPublishing: failTelling("afterPublishing"),
    through,
    onTrouble: () => undefined,
  });
  const inUse = async () => {
    await board.held.refresh();
    const holders = [
      { kind: "campaign", id: "cmp-1" },
      { kind: "target", id: "a" },
    ] as const;
    return holders.map((holder) => board.held.inUse(orgOne, holder));
  };
  return { ...board, fails, meanwhile, inUse };
}

/** By call, what the lifecycle makes of the signals. */
function eventsOf({ signals }: Pick<Switchboard, "signals">, callId: string): CallEvent[] {
  let call: Parameters<typeof applySignal>[0];
  const events: CallEvent[] = [];
  const own = signals().filter(({ call_id }) => call_id === callId);
  for (const [position, signal] of own.entries()) {
    const applied = applySignal(call, signalSchema.parse(signal), position);
    if (applied.kind !== "applied") continue;
    call = applied.call;
    events.push(...applied.events);
  }
  return events;
}

const ended = ["call.incoming", "call.failure", "call.completed"];

describe.each(["beforePublishing", "afterPublishing"] as const)("a call in an outage of the log (%s)", (place) => {
  it("is refused, holds nothing from then on, and ends as soon as the log can be told", async () => {
    const rig = await openRig();
    rig.fails[place] = true;
    await expect(rig.arrive()).rejects.toThrow(away().message);
    expect(await rig.inUse()).toEqual([0, 0]);
    expect(rig.given).toMatchObject([{ number: "+18005550100", caller: "+12125550123" }]);

    rig.fails[place] = false;
    await rig.openCalls.publishPending();
    const [incoming] = rig.signals();
    const events = eventsOf(rig, incoming?.call_id ?? "");
    expect(events.map(({ event }) => event)).toEqual(ended);
    expect(events.at(-1)).toMatchObject({ status: "failed", failure_reason: "platform_unavailable" });
    expect(await rig.arrive()).toMatchObject({ action: "dial" });
  });

  it("that begins while it is being routed ends too, with the destination's place", async () => {
    const rig = await openRig();
    rig.fails[place] = "dialing";
    await expect(rig.arrive()).rejects.toThrow(away().message);
    expect(await rig.inUse()).toEqual([0, 0]);
    rig.fails[place] = false;
    await rig.openCalls.publishPending();
    const events = eventsOf(rig, rig.signals()[0]?.call_id ?? "");
    expect(events.map(({ event }) => event)).toEqual(ended);
  });

  it("is another call when its switch tells of it again, and reports by its name are on that one", async () => {
    const rig = await openRig();
    rig.fails[place] = true;
    const given = { call_sid: "CA1", provider: "twilio" } as const;
    for (let repeat = 0; repeat < 3; repeat += 1) await expect(rig.arrive(given)).rejects.toThrow(away().message);
    rig.fails[place] = false;
    const arrived = await rig.arrive(given);
    expect(arrived).toMatchObject({ action: "dial" });
    const first = callIdAtCarrier("twilio", "CA1");
    expect(arrived.call_id).not.toBe(first);
    expect(eventsOf(rig, first).map(({ event }) => event)).toEqual(ended);
    expect(await findCall(rig.openCalls)("twilio", "CA1")).toEqual({ org_id: orgOne, call_id: arrived.call_id });
    expect((await rig.arrive(given)).call_id).toBe(arrived.call_id);
  });
});

describe("a call that was told twice", () => {
  it("is not ended by the first one's failure where the second one was answered", async () => {
    const rig = await openRig();
    const given = anArriving({ call_sid: "CA1", provider: "twilio" });
    const answered = await rig.arrive(given);
    await rig.unanswered.refuse(
      { orgId: orgOne, callId: answered.call_id, number: "+18005550100", caller: "+12125550123" },
      "failed",
    );
    expect(await rig.calls.report(orgOne, answered.call_id, { type: "answer", dial: 1 })).toMatchObject({
      kind: "taken",
    });
    expect(rig.given).toEqual([]);
  });
});

describe("a call whose refusal waits for the database, and that is asked for again meanwhile", () => {
  const given = { call_sid: "CA1", provider: "twilio" } as const;
  async function openWaiting(of?: Parameters<typeof openRig>[0]) {
    const rig = await openRig(of);
    rig.fails.dies = true;
    await expect(rig.arrive(given)).rejects.toThrow("cannot be reached");
    Object.assign(rig.fails, { dies: false, beforeCommit: false });
    return rig;
  }
  const isDialing = ({ value }: OutboxMessage) => "kind" in value && value.kind === "dialing";

  it.each([
    ["before the decision is stored", "beforeStep"],
    ["before the log has the decision", "beforePublishing"],
  ] as const)("goes on as another call where it is ended %s", async (_when, place) => {
    const rig = await openWaiting({ asksFirst: true });
    let waits = true;
    rig.meanwhile[place] = async (told) => {
      if (!waits || (place === "beforePublishing" && !told.some(isDialing))) return;
      waits = false;
      await rig.unanswered.retry();
    };
    const answered = await rig.arrive(given);
    expect(answered).toMatchObject({ action: "dial" });
    expect(waits).toBe(false);
    expect(await rig.calls.report(orgOne, answered.call_id, { type: "answer" })).toMatchObject({ kind: "taken" });
    await rig.openCalls.publishPending();
    expect(eventsOf(rig, answered.call_id).map(({ event }) => event)).toContain("call.connected");
  });

  it("is not ended once its switch reports on it", async () => {
    const rig = await openWaiting();
    const answered = await rig.arrive(given);
    let waits = true;
    rig.meanwhile.beforePublishing = async () => {
      if (!waits) return;
      waits = false;
      await rig.unanswered.retry();
    };
    await rig.calls.report(orgOne, answered.call_id, { type: "ringing" });
    expect(waits).toBe(false);
    expect(await rig.calls.report(orgOne, answered.call_id, { type: "answer" })).toMatchObject({ kind: "taken" });
  });
});

describe("a call in an outage of the database", () => {
  it("that may have been kept is ended once the database answers", async () => {
    const rig = await openRig();
    rig.fails.afterCommit = true;
    await expect(rig.arrive()).rejects.toThrow("cannot be reached");
    rig.fails.beforeCommit = true;
    await expect(rig.unanswered.retry()).rejects.toThrow("cannot be reached");
    expect(rig.signals()).toEqual([]);
    Object.assign(rig.fails, { afterCommit: false, beforeCommit: false });
    await rig.unanswered.retry();
    expect(await rig.inUse()).toEqual([0, 0]);
    await rig.openCalls.publishPending();
    const events = eventsOf(rig, rig.signals()[0]?.call_id ?? "");
    expect(events.map(({ event }) => event)).toEqual(ended);
  });

  it("that was not kept gives back what it took before, and is none", async () => {
    const rig = await openRig();
    rig.fails.beforeCommit = true;
    await expect(rig.arrive()).rejects.toThrow("cannot be reached");
    rig.fails.beforeCommit = false;
    await rig.unanswered.retry();
    await rig.openCalls.publishPending();
    expect(rig.given).toHaveLength(1);
    expect(rig.signals()).toEqual([]);
  });
});

describe("a call that nobody answered", () => {
  it("as its process was killed is ended by another one, in two minutes", async () => {
    const rig = await openRig({ asksFirst: true });
    // The process dies before it can refuse: what it wrote is all there is of it.
    rig.fails.dies = true;
    await expect(rig.arrive()).rejects.toThrow("cannot be reached");
    Object.assign(rig.fails, { dies: false, beforeCommit: false });
    await rig.openCalls.publishPending();
    const another = rig.openParts();
    await another.unanswered.endAbandoned();
    expect(rig.signals().map(({ kind }) => kind)).toEqual(["incoming"]);
    rig.clock.advance(2 * minute);
    await another.unanswered.endAbandoned();
    await vi.waitFor(() => expect(rig.signals().map(({ kind }) => kind)).toEqual(["incoming", "failed"]));
    expect(await rig.inUse()).toEqual([0, 0]);
  });

  it("is ended though a thousand before it cannot be read", async () => {
    const rig = await openRig({ asksFirst: true });
    rig.fails.dies = true;
    await expect(rig.arrive()).rejects.toThrow("cannot be reached");
    Object.assign(rig.fails, { dies: false, beforeCommit: false });
    await rig.openCalls.publishPending();
    const odd = Array.from({ length: 1000 }, (_, index) => `('odd ${index}', $1, 1, '{"state":"routing"}', '')`);
    await rig.database.query(
      `INSERT INTO open_calls (call_id, org_id, version, doc, updated_at) VALUES ${odd.join(", ")}`,
      [orgOne],
    );
    rig.clock.advance(2 * minute);
    await rig.openParts().unanswered.endAbandoned();
    await vi.waitFor(() => expect(rig.signals().map(({ kind }) => kind)).toEqual(["incoming", "failed"]));
  });

  it("as its client was gone by then is ended, unless that can ask for it again", async () => {
    const rig = await openRig();
    const gone = AbortSignal.abort();
    const { call_id } = await rig.calls.arrive(orgOne, anArriving(), gone);
    expect(await rig.inUse()).toEqual([0, 0]);
    expect(await rig.calls.report(orgOne, call_id, { type: "answer" })).toMatchObject({ kind: "stale" });
    const named = await rig.calls.arrive(orgOne, anArriving({ call_sid: "mine" }), gone);
    expect(await rig.calls.report(orgOne, named.call_id, { type: "answer" })).toMatchObject({ kind: "taken" });
  });

  it("and of which its switch says nothing holds its places for a quarter of an hour", async () => {
    const rig = await openRig();
    await rig.arrive();
    rig.clock.advance(14 * minute);
    await releaseForgotten(rig.database, rig.clock.now());
    expect(await rig.inUse()).toEqual([1, 1]);
    rig.clock.advance(2 * minute);
    await releaseForgotten(rig.database, rig.clock.now());
    expect(await rig.inUse()).toEqual([0, 0]);
  });

  it("while one that was answered holds them for as long as switches let parties speak", async () => {
    const rig = await openRig();
    const { call_id } = await rig.arrive();
    await rig.calls.report(orgOne, call_id as CallId, { type: "answer" });
    rig.clock.advance(239 * minute);
    await releaseForgotten(rig.database, rig.clock.now());
    expect(await rig.inUse()).toEqual([1, 1]);
    rig.clock.advance(2 * minute);
    await releaseForgotten(rig.database, rig.clock.now());
    expect(await rig.inUse()).toEqual([0, 0]);
  });
});
