import { describe, expect, it } from "vitest";
import { createTimers } from "../../../ingest/lifecycle/timers.ts";

describe("timers", () => {
  it("give the keys that are due, the earliest first and each once", () => {
    const timers = createTimers();
    timers.set("late", 30);
    timers.set("early", 10);
    timers.set("never", 99);
    expect(timers.nextDue()).toBe(10);
    expect(timers.takeDue(30, 100)).toEqual(["early", "late"]);
    expect(timers.takeDue(30, 100)).toEqual([]);
    expect(timers.nextDue()).toBe(99);
  });

  it("hold for each key only what was set last", () => {
    const timers = createTimers();
    timers.set("sooner", 50);
    timers.set("sooner", 20);
    timers.set("later", 20);
    timers.set("later", 60);
    timers.set("gone", 20);
    timers.set("gone", null);
    expect(timers.takeDue(20, 100)).toEqual(["sooner"]);
    expect(timers.takeDue(60, 100)).toEqual(["later"]);
    expect(timers.nextDue()).toBeNull();
  });

  it("look at no more than the limit, timers that no longer count included", () => {
    const timers = createTimers();
    for (let due = 1; due <= 100; due++) timers.set("moved", due);
    timers.set("other", 200);
    expect(timers.takeDue(300, 10)).toEqual([]);
    expect(timers.takeDue(300, 90)).toEqual(["moved"]);
    expect(timers.takeDue(300, 10)).toEqual(["other"]);
  });

  it("do not pile up, however often they are moved or taken away", () => {
    const timers = createTimers();
    timers.set("kept", 1_000_000);
    for (let due = 0; due < 100_000; due++) {
      timers.set("moved", due);
      timers.set(`done-${due}`, due);
      timers.set(`done-${due}`, null);
    }
    expect(timers.takeDue(99_999, 3000)).toEqual(["moved"]);
    expect(timers.nextDue()).toBe(1_000_000);
  });
});
