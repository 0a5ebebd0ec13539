import { describe, expect, it } from "vitest";
import type { Database } from "../../api/database/database.ts";
import {
  deleteSaved,
  findSaved,
  insertSaved,
  listSaved,
  mostSaved,
  renameSaved,
} from "../../api/reporting/saved/saved-rows.ts";
import { orgOne, orgTwo, secondsIn, startOfTime } from "../make.ts";

const aQuestion = (id: string, seconds = 0) => ({
  id,
  name: 'Zoë\'s "best" 🌊',
  createdBy: "user:zoë",
  createdAt: secondsIn(seconds),
  doc: { query: "calls this month vs last month", plan: { kind: "asked" as const } },
});
const all = { limit: 200, offset: 0, direction: "desc" } as const;

/** Questions that analysts have saved. */
export function describeSavedQuestions(open: () => Promise<Database>): void {
  describe("saved questions", () => {
    it("are kept as they are, listed by when they were saved, each organization's own", async () => {
      const database = await open();
      for (const [index, id] of ["a", "b", "c"].entries()) {
        expect(await insertSaved(database, orgOne, aQuestion(id, index))).toBe(true);
      }
      expect(await findSaved(database, orgOne, "a")).toEqual({ ...aQuestion("a"), updatedAt: secondsIn(0) });
      const ids = async (page: typeof all | { limit: number; offset: number; direction: "asc" }, org = orgOne) => {
        const { questions, total } = await listSaved(database, org, page);
        return [questions.map(({ id }) => id), total];
      };
      expect(await ids(all)).toEqual([["c", "b", "a"], 3]);
      expect(await ids({ limit: 1, offset: 1, direction: "asc" })).toEqual([["b"], 3]);
      expect(await ids(all, orgTwo)).toEqual([[], 0]);
      expect(await findSaved(database, orgTwo, "a")).toBeNull();
      const renamed = { id: "a", name: "new", now: startOfTime + 9000 };
      expect(await renameSaved(database, orgTwo, renamed)).toBeNull();
      expect(await renameSaved(database, orgOne, renamed)).toMatchObject({ name: "new", updatedAt: secondsIn(9) });
      expect([await deleteSaved(database, orgTwo, "a"), await deleteSaved(database, orgOne, "a")]).toEqual([
        false,
        true,
      ]);
      expect(await findSaved(database, orgOne, "a")).toBeNull();
    });

    it("are no more than an organization may have, whatever another one has", async () => {
      const database = await open();
      for (let index = 0; index < mostSaved; index += 1) await insertSaved(database, orgOne, aQuestion(`q-${index}`));
      expect(await insertSaved(database, orgOne, aQuestion("one more"))).toBe(false);
      expect(await insertSaved(database, orgTwo, aQuestion("another's"))).toBe(true);
    });
  });
}
