import { describe, expect, it, onTestFinished } from "vitest";
import { definitionOf, definitions } from "../../../api/config/registry.ts";
import { createResourceService } from "../../../api/config/service.ts";
import { createConfigStore } from "../../../api/config/store.ts";
import type { Database, Queryable } from "../../../api/database/database.ts";
import { openSqliteDatabase } from "../../../api/database/database-sqlite.ts";
import { allRights } from "../../../api/serve/rights.ts";
import { orgOne, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";

const about = { org_id: orgOne, created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
const actor = {
  caller: { orgId: orgOne, admin: false, rights: allRights, actor: { type: "api_key", id: "key", name: "test" } },
  requestId: "request",
  sourceIp: null,
} as const;

/** A database that counts what is asked of it. */
function counting(database: Database) {
  const asked = { transactions: 0, statements: 0, alone: 0 };
  const counted = (db: Queryable, count: () => void): Queryable => ({
    query(sql, params) {
      count();
      return db.query(sql, params);
    },
  });
  const watched: Database = {
    ...database,
    ...counted(database, () => void asked.alone++),
    transaction(work) {
      asked.transactions += 1;
      return database.transaction((db) => work({ ...db, ...counted(db, () => void asked.statements++) }));
    },
  };
  return { asked, watched };
}

async function patchPlanOf(routes: number) {
  const database = await openSqliteDatabase({ path: ":memory:" });
  onTestFinished(() => database.close());
  const clock = createManualClock(startOfTime);
  const store = createConfigStore(database, clock);
  const targets = Array.from({ length: routes }, (_, index) => ({
    type: "target" as const,
    doc: { ...about, id: `t${index}`, name: `Target ${index}`, buyer_id: "b", type: "number" as const },
  }));
  const plan = { type: "routing_plan" as const, doc: { ...about, id: "p", name: "Plan" } };
  await store.save(orgOne, [{ type: "buyer", doc: { ...about, id: "b", name: "Buyer" } }, ...targets, plan]);
  const { asked, watched } = counting(database);
  const service = createResourceService({
    database: watched,
    clock,
    definitions,
    settled: async () => undefined,
    configOf: () => undefined,
    outbox: { drain: async () => undefined },
    onTrouble: expect.fail,
  });
  const input = { routes: targets.map(({ doc }) => ({ action: "route-to-target", target_id: doc.id })) };
  const view = await service.patch(definitionOf("routing_plan"), actor, { id: "p", input });
  return { view, asked };
}

describe("a PATCH", () => {
  it("of a plan with 500 routes is one transaction of as many statements as one with 5", async () => {
    const [few, many] = [await patchPlanOf(5), await patchPlanOf(500)];
    expect(many.view["routes"]).toHaveLength(500);
    expect(many.asked).toEqual(few.asked);
    expect(many.asked).toMatchObject({ transactions: 1, alone: 0 });
  });
});
