import { describe, expect, it } from "vitest";
import {
  badgeOf,
  destinationWords,
  draftOf,
  everyChoices,
  limitLabel,
  newDraft,
  pausedBecause,
  type Run,
  runWords,
  type Schedule,
  timesOf,
  toBody,
} from "../../../../assistant/web/schedules/schedules.ts";

const aSchedule = (given: Partial<Schedule> = {}): Schedule => ({
  id: "s-1",
  name: "Morning figures",
  saved_question: { id: "q-1", name: "revenue today", query: "revenue today" },
  timing: { every: "workday", at: "08:00" },
  condition: null,
  deliver_to: { kind: "mail", to: ["ann@customer.example"] },
  in_words: "Monday to Friday at 08:00",
  state: "active",
  paused_at: null,
  pause_reason: null,
  next_run_at: "2026-11-23T13:00:00.000Z",
  alerting_since: null,
  last_run_at: null,
  last_result: null,
  may_change: true,
  ...given,
});

describe("the form of a schedule", () => {
  it.each<Partial<Schedule>>([
    {},
    { timing: { every: "hour", minute: 0 } },
    { timing: { every: "week", on: "friday", at: "17:30" } },
    { timing: { every: "month", on: 31, at: "06:00" } },
    {
      timing: { every: "minutes", minutes: 5 },
      condition: { kind: "figure", column: "conversion_rate", operator: "below", value: 12.5 },
      deliver_to: { kind: "webhook", url: "https://hooks.customer.example/a" },
    },
    { condition: { kind: "rows" }, deliver_to: { kind: "mail", to: ["ann@customer.example", "bob@customer.example"] } },
  ])("says what a schedule has: %o", (given) => {
    const schedule = aSchedule(given);
    expect(toBody(draftOf(schedule))).toEqual({
      saved_question_id: "q-1",
      name: "Morning figures",
      timing: schedule.timing,
      condition: schedule.condition,
      deliver_to: schedule.deliver_to,
    });
  });

  it("leaves the name to the question where none is given, and takes addresses however they are parted", () => {
    const draft = { ...newDraft("q-1", true), addresses: " ann@a.example; bob@b.example,\ncy@c.example " };
    expect(toBody(draft)).toMatchObject({
      deliver_to: { kind: "mail", to: ["ann@a.example", "bob@b.example", "cy@c.example"] },
    });
    expect(toBody(draft)).not.toHaveProperty("name");
    expect(newDraft("", false).to).toBe("webhook");
  });

  it("offers every few minutes for alerts alone", () => {
    expect(everyChoices({ sends: "answer" }).map(({ value }) => value)).not.toContain("minutes");
    expect(everyChoices({ sends: "rows" })[0]?.value).toBe("minutes");
  });

  it("says in which unit a limit is given", () => {
    expect([limitLabel({ unit: "percent" }), limitLabel({ unit: "count" }), limitLabel(undefined)]).toEqual([
      "Limit (percent, 0 to 100)",
      "Limit",
      "Limit",
    ]);
  });
});

describe("a schedule in words", () => {
  it.each<[Partial<Schedule>, string]>([
    [{}, "Active"],
    [{ state: "paused", alerting_since: "2026-11-21T15:00:00.000Z" }, "Paused"],
    [{ alerting_since: "2026-11-21T15:00:00.000Z" }, "Alerting"],
    [{ last_result: "failed" }, "Failing"],
    [{ last_result: "quiet" }, "Active"],
  ])("%o is %s", (given, label) => {
    expect(badgeOf(aSchedule(given)).label).toBe(label);
  });

  it("says where it goes", () => {
    const to = (...addresses: string[]) => destinationWords({ deliver_to: { kind: "mail", to: addresses } });
    expect([to("a@x"), to("a@x", "b@x"), to("a@x", "b@x", "c@x")]).toEqual([
      "to a@x",
      "to a@x and b@x",
      "to a@x and 2 others",
    ]);
  });

  it("says what it did, what it does next, and why it is paused where nobody paused it", () => {
    const zone = "America/New_York";
    expect(timesOf(aSchedule(), zone)).toBe("Next run Nov 23, 08:00.");
    const quiet = aSchedule({ last_run_at: "2026-11-20T13:00:00.000Z", last_result: "quiet", next_run_at: null });
    expect(timesOf(quiet, zone)).toBe("Last run Nov 20, 08:00: nothing to tell.");
    expect(pausedBecause(aSchedule({ pause_reason: "failing" }))).toContain("could not be delivered");
    expect(pausedBecause(aSchedule({ pause_reason: "user" }))).toBe("");
  });

  it.each<[Partial<Run>, string]>([
    [{ status: "delivered" }, "Sent."],
    [{ status: "delivered", error: "The mail server refused bob@x." }, "Sent. The mail server refused bob@x."],
    [{ status: "failed", error: "The receiver answered 410." }, "Failed. The receiver answered 410."],
    [{ status: "cancelled" }, "Not sent: it was paused."],
    [{ status: "pending", attempts: 0 }, "Under way."],
    [
      { status: "pending", attempts: 2, next_attempt_at: "2026-11-21T15:05:00.000Z", error: "No." },
      "Failed 2 times, next attempt Nov 21, 15:05:00. No.",
    ],
  ])("a run %o is %s", (given, words) => {
    const run: Run = {
      id: "r",
      triggered_by: "schedule",
      status: "delivered",
      due_at: "2026-11-21T15:00:00.000Z",
      ended_at: null,
      attempts: 1,
      next_attempt_at: null,
      summary: "Morning figures",
      error: null,
    };
    expect(runWords({ ...run, ...given }, "UTC")).toBe(words);
  });
});
