import { describe, expect, it } from "vitest";
import type { Call } from "../../../ingest/call.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import { applySignal, applyTime } from "../../../ingest/lifecycle/fold.ts";
import type { Signal } from "../../../ingest/signal.ts";
import {
  aDialFailed,
  aDialing,
  aFailed,
  aHungUp,
  anAnswered,
  anIncoming,
  aRecorded,
  secondsIn,
  signalsOfCall,
  startOfTime,
} from "../../make.ts";

/** Folds the signals as the log would give them, from offset 0. */
function fold(signals: readonly Signal[], from: { call: Call; position: number } | null = null) {
  let call = from?.call;
  const events: CallEvent[] = [];
  signals.forEach((signal, index) => {
    const applied = applySignal(call, signal, (from?.position ?? -1) + 1 + index);
    if (applied.kind !== "applied") return;
    call = applied.call;
    events.push(...applied.events);
  });
  if (call === undefined) throw new Error("no call came of it");
  return { call, events, names: events.map(({ event }) => event) };
}

describe("the events of a call", () => {
  it("come in the specification's order, with the marks that were reached before the hangup", () => {
    expect(fold(signalsOfCall(16)).names).toEqual([
      "call.incoming",
      "call.connected",
      "call.on_5_secs_mark",
      "call.on_15_secs_mark",
      "call.hangup",
      "call.converted",
      "call.completed",
    ]);
  });

  it.each([
    [4.999, 0],
    [5, 1],
    [29.999, 2],
    [30, 3],
    [45, 4],
    [59.999, 4],
    [60, 5],
    [600, 5],
  ])("of %f connected seconds include %i marks", (seconds, marks) => {
    expect(fold(signalsOfCall(seconds)).names.filter((name) => name.endsWith("_mark"))).toHaveLength(marks);
  });

  it("leave out the conversion when neither side's condition is met", () => {
    const { names, call } = fold(signalsOfCall(9.999));
    expect(names).not.toContain("call.converted");
    expect(call).toMatchObject({ status: "completed", converted: false, revenue: 0, payout: 0, profit: 0 });
  });

  it("carry the final amounts in completed", () => {
    const completed = fold(signalsOfCall(10)).events.at(-1);
    expect(completed).toMatchObject({
      event: "call.completed",
      status: "completed",
      revenue: 30,
      payout: 20,
      profit: 10,
      converted: true,
      duration: 10,
      connect_duration: 10,
      termination_by: "caller",
      converted_at: secondsIn(10),
    });
  });

  it("tell a mark as the call stood at the mark, though its hangup is known already", () => {
    const mark = fold(signalsOfCall(16)).events.find(({ event }) => event === "call.on_5_secs_mark");
    expect(mark).toMatchObject({ occurred_at: secondsIn(5), ended_at: null, duration: null, status: "connected" });
  });

  it("have rising versions and times that never go back", () => {
    const { events } = fold(signalsOfCall(70));
    expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
    const times = events.map(({ occurred_at }) => occurred_at);
    expect(times).toEqual([...times].sort());
  });

  it("are a failure and completed when no target could be connected", () => {
    const signals = [anIncoming(), aDialing(), aDialFailed({ at: secondsIn(2) }), aFailed({ at: secondsIn(2) })];
    const { names, call } = fold(signals);
    expect(names).toEqual(["call.incoming", "call.failure", "call.completed"]);
    expect(call).toMatchObject({ status: "failed", failure_reason: "busy", attempts: 1, revenue: 0, duration: 2 });
  });

  it("are a hangup, a failure and completed when the caller gives up before anybody answers", () => {
    const { names, call } = fold([anIncoming(), aDialing(), aHungUp({ at: secondsIn(7) })]);
    expect(names).toEqual(["call.incoming", "call.hangup", "call.failure", "call.completed"]);
    expect(call).toMatchObject({ status: "failed", failure_reason: "caller_hangup", connected_at: null });
  });

  it("name the target that answered after a failover, on its own terms", () => {
    const second = aDialing({
      target: { id: "tgt-2", name: "Second Roofs", type: "sip" },
      buyer_terms: { revenue: 8 },
    });
    const { call } = fold([
      anIncoming(),
      aDialing(),
      aDialFailed(),
      second,
      anAnswered(),
      aHungUp({ at: secondsIn(3) }),
    ]);
    expect(call).toMatchObject({ target_id: "tgt-2", attempts: 2, revenue: 8, failure_reason: null });
  });
});

describe("a signal that comes again", () => {
  it("changes nothing when it was applied before", () => {
    const { call } = fold(signalsOfCall(16));
    expect(applySignal(call, aHungUp({ at: secondsIn(99) }), 3)).toEqual({ kind: "repeated" });
  });

  it("changes nothing when the switch sends it anew", () => {
    const { call } = fold(signalsOfCall(16));
    for (const signal of signalsOfCall(99)) expect(applySignal(call, signal, 50)).toEqual({ kind: "repeated" });
  });

  it("for a call that nobody announced is not applied", () => {
    expect(applySignal(undefined, anAnswered(), 0)).toEqual({ kind: "unknown_call" });
  });
});

describe("a dial that is told again", () => {
  it("is no second attempt while it is open", () => {
    expect(fold([anIncoming(), aDialing(), aDialing(), anAnswered()]).call.attempts).toBe(1);
  });

  it("is another attempt after it has failed", () => {
    expect(fold([anIncoming(), aDialing(), aDialFailed(), aDialing(), anAnswered()]).call.attempts).toBe(2);
  });
});

describe("publishing that was broken off", () => {
  it("goes on with the same events, wherever it stopped", () => {
    const whole = fold(signalsOfCall(31));
    const beforeHangup = fold(signalsOfCall(31).slice(0, 3));
    for (const [index, event] of whole.events.entries()) {
      const { v: _v, id: _id, event: _name, occurred_at: _at, ...restored } = event;
      const before = index < beforeHangup.events.length ? signalsOfCall(31).slice(restored.last_signal + 1) : [];
      const rest = fold([...before], { call: restored, position: restored.last_signal });
      const timed = applyTime(rest.call, startOfTime + 31_000);
      const ids = [...whole.events.slice(0, index + 1), ...rest.events, ...timed.events].map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      if (restored.last_signal === 3) expect(ids).toEqual(whole.events.map(({ id }) => id));
    }
  });
});

describe("time", () => {
  it("brings each mark once, as it is reached", () => {
    let { call } = fold(signalsOfCall(0).slice(0, 3));
    const names: string[] = [];
    for (const seconds of [4, 5, 6, 15, 30, 45, 60, 61]) {
      const step = applyTime(call, startOfTime + seconds * 1000);
      call = step.call;
      names.push(...step.events.map(({ event }) => event));
    }
    expect(names).toEqual([5, 15, 30, 45, 60].map((seconds) => `call.on_${seconds}_secs_mark`));
  });

  const forgotten = () => applyTime(fold(signalsOfCall(0).slice(0, 3)).call, startOfTime + 5 * 3600 * 1000);

  it("ends a call that its switch has forgotten four hours after it was heard of, and nobody pays for it", () => {
    const { call, events } = forgotten();
    expect(call).toMatchObject({ status: "completed", termination_by: "system", ended_at: secondsIn(4 * 3600) });
    expect(call).toMatchObject({ failure_reason: "lost", revenue: 0, payout: 0, profit: 0, converted: false });
    expect(events.map(({ event }) => event)).not.toContain("call.converted");
    expect(events.at(-1)?.event).toBe("call.completed");
  });

  it("gives such a call its true end when that is told after all", () => {
    const applied = applySignal(forgotten().call, aHungUp({ at: secondsIn(16) }), 3);
    expect(applied).toMatchObject({
      kind: "applied",
      call: { ended_at: secondsIn(16), connect_duration: 16, failure_reason: null, revenue: 30, payout: 20 },
      events: [{ event: "call.converted" }, { event: "call.updated" }],
    });
  });

  it("is late by as much as the last signal was, and stands still for a call that is told after the fact", () => {
    const [incoming, dialing, answered] = signalsOfCall(0);
    for (const [lagSeconds, marks] of [
      [0, 1],
      [1, 0],
      [20, 0],
      [3600, 0],
    ] as const) {
      const call = [incoming, dialing, answered].reduce<Call | undefined>((before, signal, position) => {
        const applied = signal && applySignal(before, signal, position, startOfTime + lagSeconds * 1000);
        return applied?.kind === "applied" ? applied.call : before;
      }, undefined);
      if (call === undefined) throw new Error("no call");
      expect(applyTime(call, startOfTime + 5000).events).toHaveLength(marks);
      const later = applyTime(call, startOfTime + (lagSeconds + 5) * 1000);
      expect(later.events).toHaveLength(lagSeconds > 30 ? 0 : 1);
    }
  });
});

describe("a recording", () => {
  it("becomes a correction of a call that was completed", () => {
    const { names, call } = fold([...signalsOfCall(16), aRecorded({ at: secondsIn(40) })]);
    expect(names.at(-1)).toBe("call.updated");
    expect(call.recording_url).toBe("https://switch.example/r/1");
  });

  it("changes nothing when it is told again", () => {
    const { names } = fold([...signalsOfCall(16), aRecorded(), aRecorded()]);
    expect(names.filter((name) => name === "call.updated")).toHaveLength(1);
  });

  it("is part of the next event of a call that goes on", () => {
    const [incoming, dialing, answered, hungUp] = signalsOfCall(16);
    const { names, call } = fold(
      [incoming, dialing, answered, aRecorded({ at: secondsIn(1) }), hungUp].flatMap((each) => each ?? []),
    );
    expect(names).not.toContain("call.updated");
    expect(call.recording_url).toBe("https://switch.example/r/1");
  });
});
