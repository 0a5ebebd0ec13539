import { describe, expect, it } from "vitest";
import type { Problem } from "../../../assistant/web/problem.ts";
import {
  type Found,
  type PagedList,
  whileReading,
  withoutRow,
  withPage,
  withProblem,
  withRow,
} from "../../../assistant/web/use-paged-list.ts";

type Row = { readonly id: string; readonly name?: string };
const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id }));
const idsOf = (list: PagedList<Row>) => (list.kind === "found" ? list.rows.map(({ id }) => id) : list.kind);
const nobody: ReadonlySet<string> = new Set();
const found: Found<Row> = withPage([], { rows: rows("a", "b"), total: 3, cursor: "2" }, nobody);
const problem: Problem = { title: "No.", advice: "Wait.", remedy: "retry" };

describe("a list that is read a page at a time", () => {
  it("goes on with the next page, without what stands there already", () => {
    const next = withPage(found.rows, { rows: rows("b", "c"), total: 4, cursor: null }, nobody);
    expect(next).toEqual({
      kind: "found",
      rows: rows("a", "b", "c"),
      total: 4,
      cursor: null,
      rest: { kind: "idle" },
    });
  });

  it("does not bring back what was removed while a page was on its way", () => {
    const next = withPage(found.rows, { rows: rows("c", "d"), total: 4, cursor: null }, new Set(["b", "c"]));
    expect([idsOf(next), next.total]).toEqual([["a", "d"], 3]);
  });

  it("keeps what it has while it is read, and when that fails", () => {
    expect(idsOf(whileReading(found))).toEqual(["a", "b"]);
    const failed = withProblem(whileReading(found), "more", problem);
    expect(failed).toMatchObject({ rows: rows("a", "b"), rest: { kind: "failed", of: "more", problem } });
  });

  it("that has nothing is being read, or could not be", () => {
    const failed = withProblem<Row>({ kind: "loading" }, "all", problem);
    expect(failed).toEqual({ kind: "failed", problem });
    expect(whileReading(failed)).toEqual({ kind: "loading" });
  });

  it("counts a removed row no more, and one that is not there not twice", () => {
    const without = withoutRow(found, "a");
    expect([idsOf(without), without]).toEqual([["b"], { ...found, rows: rows("b"), total: 2 }]);
    expect(withoutRow(without, "a")).toEqual(without);
  });

  it("shows a row as it is by now, where it stands", () => {
    expect(withRow(found, { id: "b", name: "new" })).toMatchObject({ rows: [{ id: "a" }, { id: "b", name: "new" }] });
    expect(withRow(found, { id: "z" })).toEqual(found);
  });
});
