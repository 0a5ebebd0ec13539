import { describe, expect, it } from "vitest";
import { parsePlan } from "../../../../assistant/parse-plan.ts";
import { parseHash } from "../../../../assistant/web/hash-location.ts";
import { dayMeasures, questionsOf } from "../../../../assistant/web/overview/questions.ts";

const periods = {
  today: { from: "2026-11-09T05:00:00.000Z", to: "2026-11-09T15:30:00.000Z" },
  yesterday: { from: "2026-11-08T05:00:00.000Z", to: "2026-11-08T15:30:00.000Z" },
  last_week: { from: "2026-11-02T05:00:00.000Z", to: "2026-11-02T15:30:00.000Z" },
};
const asked = questionsOf({ periods, timezone: "America/New_York" }, null);

const links: readonly string[] = [
  ...dayMeasures.flatMap((measure) => [
    asked.byHour(measure),
    asked.against(measure, "yesterday"),
    asked.against(measure, "last_week"),
  ]),
  ...(["campaign", "publisher", "buyer"] as const).flatMap((kind) => [
    asked.top(kind),
    asked.party(kind, "A & B"),
    asked.party(kind, null),
  ]),
  asked.failures(),
  asked.bids(),
  asked.timeouts(),
  asked.deliveries(),
];

const linkedOf = (link: string) => {
  const at = parseHash(link);
  return at.view === "ask" ? at.linked : null;
};

describe("a figure of the overview", () => {
  it.each(links.map((link) => [linkedOf(link)?.question ?? "", link]))("leads to a plan that runs: %s", (_, link) => {
    const plan = parsePlan(linkedOf(link)?.plan);
    expect(plan?.period).toEqual({ ...periods.today, label: "today" });
    expect(plan?.zone).toBe("America/New_York");
  });

  it("of a day that is over names it and the days before", () => {
    const over = questionsOf({ periods, timezone: "America/New_York" }, "Nov 9, 2026");
    const linked = linkedOf(over.against("revenue", "last_week"));
    expect(linked?.question).toBe("revenue Nov 9, 2026 vs a week before");
    expect(parsePlan(linked?.plan)).toMatchObject({
      period: { ...periods.today, label: "Nov 9, 2026" },
      compare: { ...periods.last_week, label: "a week before" },
    });
  });

  it("leads to the question box until it is read", () => {
    expect(questionsOf(null, null).top("campaign")).toBe("#ask");
  });
});
