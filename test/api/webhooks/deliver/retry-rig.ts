import { expect } from "vitest";
import type { Exchange } from "../../../../api/webhooks/deliver/send.ts";
import type { OutgoingRequest } from "../../../../ingest/delivery.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock, type ManualClock } from "../../../manual-clock.ts";
import { eventually, hook, openRig, type Rig, type RigGiven } from "./delivery-rig.ts";

/** Deliveries by a clock that the test moves. */
export async function openTimedRig(answer: (path: string, times: number) => Exchange, given: Partial<RigGiven> = {}) {
  const clock = createManualClock(startOfTime);
  const rig = await openRig([hook("call.completed")], { clock, answer, ...given });
  return { ...rig, clock };
}

/** Resolves when so many records are in the log and nothing of them is left to be written. */
export async function recorded(rig: Rig, count: number): Promise<OutgoingRequest[]> {
  await eventually(async () => {
    expect(await rig.records()).toHaveLength(count);
    expect((await rig.waiting()).filter(({ unpublished }) => unpublished !== null)).toEqual([]);
  });
  return rig.records();
}

export const path = "call-1/call.completed";

/** The polls of a process for retries, for the backlog, and for what is held. */
const polls = 3;

/** Resolves when all polls wait for the clock. */
export const polled = (rig: { clock: ManualClock }) => eventually(() => expect(rig.clock.sleepers()).toBe(polls));

/** Moves time on while all polls wait for it: one that runs meanwhile would see the time before, and wait anew. */
export async function pass(rig: { clock: ManualClock }, ms: number): Promise<void> {
  await polled(rig);
  rig.clock.advance(ms);
}

/** Moves time on by steps until it holds. */
export const advanceUntil = (rig: { clock: { advance(ms: number): void } }, holds: () => unknown, ms: number) =>
  eventually(async () => {
    rig.clock.advance(ms);
    await holds();
  });
