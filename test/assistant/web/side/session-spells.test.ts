import { expect, it } from "vitest";
import { toSpells } from "../../../../assistant/web/side/session-spells.ts";

const now = new Date(2026, 10, 21, 9);
const at = (...[day, hour]: [number, number]) => ({
  ...{ id: `${day}-${hour}`, title: "calls" },
  updated_at: new Date(2026, 10, day, hour).toISOString(),
});

it("conversations stand together by the reader's own days, and no spell is empty", () => {
  const sessions = [at(21, 8), at(21, 0), at(20, 23), at(19, 12), at(15, 0), at(14, 23), at(1, 12)];
  const said = (given: typeof sessions) =>
    toSpells(given, now).map((spell) => [spell.title, ...spell.sessions.map(({ id }) => id)]);
  expect(said(sessions)).toEqual([
    ["Today", "21-8", "21-0"],
    ["Yesterday", "20-23"],
    ["Last 7 days", "19-12", "15-0"],
    ["Earlier", "14-23", "1-12"],
  ]);
  expect(said([at(1, 12)])).toEqual([["Earlier", "1-12"]]);
  expect(said([])).toEqual([]);
});
