import pLimit from "p-limit";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { GuardedSelect } from "../../warehouse/guarded/guarded.ts";
import { raw } from "../../warehouse/statement.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { orgOne, orgTwo } from "../make.ts";
import { attacks } from "../warehouse/guarded/attacks.ts";
import { fruitless } from "../warehouse/guarded/fruitless.ts";
import { wanted } from "../warehouse/guarded/wanted.ts";

type Guarded = Warehouse & { readonly guarded: GuardedSelect };

interface Given {
  /** Opens a warehouse that holds the example data of both organizations. */
  open(): Promise<Guarded>;
  /** In the engine's own words. */
  readonly wanted: readonly string[];
  /** Takes longer than anybody waits. */
  readonly endless: string;
}

/** What every guarded SELECT does, whatever engine it runs on. */
export function describeGuard(engine: string, given: Given): void {
  describe(`the guarded SELECT on ${engine}`, () => {
    let warehouse: Guarded;
    beforeAll(async () => {
      warehouse = await given.open();
    });
    afterAll(() => warehouse.close());
    const select = (text: string, options: object = {}) =>
      warehouse.guarded.select({ orgId: orgOne, text, timeoutMs: 100_000, ...options });

    const tables = ["calls", "call_events", "outgoing_webhook_requests", "inbound_rtb_requests", "audit_logs"];
    const countAll = async () =>
      (
        await warehouse.query(
          raw(
            `SELECT * FROM (${tables.map((table) => `SELECT '${table}' AS t, count(*) AS n FROM ${table}`).join(" UNION ALL ")}) AS counts ORDER BY t`,
          ),
        )
      ).rows;

    it.each(Object.entries(attacks))("refuses %s, and nothing has changed", async (_kind, texts) => {
      const before = await countAll();
      // Few at once: who waits for its turn uses up its time.
      const limit = pLimit(2);
      const outcomes = await Promise.all(
        texts.map((text) =>
          limit(() =>
            select(text).then(
              ({ rows }) => ({ text, rows }),
              ({ code }) => ({ text, code }),
            ),
          ),
        ),
      );
      expect(outcomes).toEqual(texts.map((text) => ({ text, code: "query_refused" })));
      expect(await countAll()).toEqual(before);
    });

    it("brings nothing of another organization, whatever is asked", async () => {
      const { rows } = await warehouse.query(raw(`SELECT count(*) AS n FROM calls WHERE org_id = '${orgTwo}'`));
      expect(rows[0]?.["n"], "there is something to bring").toBeGreaterThan(0);
      for (const text of fruitless) {
        expect(JSON.stringify((await select(text)).rows), text).not.toContain(orgTwo);
        expect(JSON.stringify((await select(text, { orgId: "nobody" })).rows), text).toBe("[]");
      }
    });

    it.each([...wanted, ...given.wanted])("runs %s", async (text) => {
      expect((await select(text)).rows.length).toBeGreaterThan(0);
    });

    it("gives the rows in the order that the text asks for", async () => {
      const { rows } = await select("SELECT call_id, duration FROM calls ORDER BY duration DESC, call_id");
      const durations = rows.map((row) => Number(row["duration"]));
      expect(durations.length).toBe(240);
      expect(durations).toEqual(durations.toSorted((one, other) => other - one));
    });

    it("gives the same figures as a SELECT of ours", async () => {
      const { rows } = await select("SELECT campaign_name, sum(revenue) AS revenue FROM calls GROUP BY 1 ORDER BY 1");
      const ours = await warehouse.query(
        raw(
          `SELECT campaign_name, sum(revenue) AS revenue FROM calls WHERE org_id = '${orgOne}' GROUP BY 1 ORDER BY 1`,
        ),
      );
      expect(rows).toEqual(ours.rows);
    });

    it("tells whether a call was recorded, and never where the recording is", async () => {
      const counted = "SELECT count(*) AS calls, count(recording_url) AS recorded";
      const { rows: ours } = await warehouse.query(raw(`${counted} FROM calls WHERE org_id = '${orgOne}'`));
      expect(Number(ours[0]?.["recorded"])).toBeGreaterThan(0);
      expect((await select(`${counted} FROM calls`)).rows).toEqual(ours);
      const { rows } = await select("SELECT DISTINCT recording_url FROM calls WHERE recording_url IS NOT NULL");
      expect(rows).toEqual([{ recording_url: "hidden" }]);
    });

    it("cuts what has too many rows or bytes, and says so", async () => {
      expect(await select("SELECT call_id FROM calls", { maxRows: 7 })).toMatchObject({
        truncated: true,
        rows: { length: 7 },
      });
      expect(await select("SELECT call_id FROM calls LIMIT 7", { maxRows: 7 })).toMatchObject({ truncated: false });
      const { rows, truncated } = await select("SELECT call_id FROM calls", { maxBytes: 500 });
      expect({ some: rows.length > 10, less: rows.length < 60, truncated }).toEqual({
        some: true,
        less: true,
        truncated: true,
      });
    });

    it("ends a query that takes too long, and one that nobody waits for", async () => {
      await expect(select(given.endless, { timeoutMs: 100 })).rejects.toMatchObject({ code: "query_timeout" });
      const gone = new AbortController();
      const asked = select(given.endless, { signal: gone.signal });
      gone.abort();
      await expect(asked).rejects.toMatchObject({ code: "query_cancelled" });
      await vi.waitFor(async () => expect((await select("SELECT 1 AS a")).rows).toEqual([{ a: 1 }]), 5000);
    });

    const columns = "campaign_name, publisher_name, buyer_name, target_name, status, duration, revenue, payout, profit";
    it.each([
      ["SELECT * FROM call_traces", /There is no table "call_traces"\. There are calls, /],
      ["DELETE FROM calls", /^Only one SELECT is possible here/],
      ["SELEC 1", /^The query cannot be read: syntax error/],
      ["SELECT nope FROM calls", /"nope" not found/],
      [`SELECT ${columns}, nope, ${columns} FROM (SELECT ${columns}, ${columns} FROM calls)`, /"nope" not found/],
    ])("says of %s what is wrong with it", async (text, words) => {
      await expect(select(text)).rejects.toMatchObject({
        code: "query_refused",
        message: expect.stringMatching(words),
      });
    });

    it("says what is wrong and what there is, and no name from behind the fence", async () => {
      const inner = /\b(no_tables|memory|test_\w{8,}|LINE \d|AS result|org_two|schema_migrations|loader|stored_\w+)\b/g;
      const faulty = ["SELECT nope FROM calls", "SELECT sum(campaign_name) FROM calls"];
      const told: string[] = [];
      for (const text of [...Object.values(attacks).flat(), ...faulty]) {
        const message = await select(text).then(
          () => `${text} runs`,
          ({ message }) => String(message),
        );
        const own = [...message.matchAll(inner)].flatMap(([name]) => (text.includes(name) ? [] : [name]));
        if (message.length < 20 || own.length > 0 || message.endsWith(" runs")) told.push(`${text}: ${message}`);
      }
      expect(told).toEqual([]);
    });
  });
}
