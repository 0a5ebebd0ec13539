import { expect, it } from "vitest";
import { groupByDay, repeatedTitles } from "../../../../assistant/web/side/session-groups.ts";

const zone = "America/New_York";
const now = Date.parse("2026-11-21T09:00:00-05:00");
const at = (updated_at: string, title = "calls") => ({ id: updated_at, title, updated_at });

it("conversations are grouped by the organization's own days, and no group is empty", () => {
  const sessions = [
    at("2026-11-21T08:00:00-05:00"),
    at("2026-11-21T00:00:00-05:00"),
    at("2026-11-20T23:59:59-05:00"),
    at("2026-11-19T12:00:00-05:00"),
    at("2026-11-15T00:00:00-05:00"),
    at("2026-11-14T23:00:00-05:00"),
    at("2026-11-01T00:30:00-04:00"),
  ];
  const said = (given: typeof sessions) =>
    groupByDay(given, { now, zone }).map((group) => [group.title, ...group.sessions.map(({ id }) => id.slice(8, 13))]);
  expect(said(sessions)).toEqual([
    ["Today", "21T08", "21T00"],
    ["Yesterday", "20T23"],
    ["Last 7 days", "19T12", "15T00"],
    ["Earlier", "14T23", "01T00"],
  ]);
  expect(said([at("2026-11-01T12:00:00Z")])).toEqual([["Earlier", "01T12"]]);
  expect(said([])).toEqual([]);
});

it("titles that several conversations have are known", () => {
  const sessions = [at("3", "calls"), at("2", "revenue"), at("1", "calls"), at("0", "calls")];
  expect([...repeatedTitles(sessions)]).toEqual(["calls"]);
});
