// @module-tag clickhouse
import { describe, expect, it } from "vitest";
import type { Topic } from "../../../ingest/log/log.ts";
import { clickhouseReportDialect as dialect } from "../../../warehouse/calls/report-dialect-clickhouse.ts";
import type { CountedTable } from "../../../warehouse/history/dialect.ts";
import type { SlotUnit } from "../../../warehouse/history/slot-range.ts";
import { raw, sql } from "../../../warehouse/statement.ts";
import type { LogRange, Warehouse } from "../../../warehouse/warehouse.ts";
import { openClickhouseWarehouse } from "../../../warehouse/warehouse-clickhouse.ts";
import { openClickhouseProxy } from "../../clickhouse-proxy.ts";
import { clickhouseDatabase } from "../../clickhouse-server.ts";
import { anIncomingRequest, anOutgoingRequest, orgTwo, secondsIn } from "../../make.ts";
import { aCallOf } from "../rtb/store.ts";

const counted: Readonly<Record<CountedTable, string>> = {
  calls: "started_at",
  outgoing_webhook_requests: "created_at",
  incoming_webhook_requests: "created_at",
};

/** Holds the kept counts against the rows themselves; returns how many rows there are of each table. */
async function countsOfRows(warehouse: Warehouse): Promise<Record<string, number>> {
  const totals: Record<string, number> = {};
  for (const [table, time] of Object.entries(counted) as [CountedTable, string][]) {
    for (const unit of ["day", "minute"] satisfies SlotUnit[]) {
      const kept = sql`SELECT org_id, slot, requests FROM ${dialect.countsOf(table, unit)} ORDER BY org_id, slot`;
      const rows = sql`SELECT org_id, ${dialect.slotOf(raw(time), unit)} AS slot, count(*) AS requests
        FROM ${raw(table)} GROUP BY org_id, slot ORDER BY org_id, slot`;
      const found = (await warehouse.query(rows)).rows;
      expect((await warehouse.query(kept)).rows, `${table} by ${unit}`).toEqual(found);
      totals[table] = found.reduce((sum, { requests }) => sum + Number(requests), 0);
    }
  }
  return totals;
}

interface Part {
  /** Of the log; the records of each are its own. */
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

interface Log {
  readonly topic: Topic;
  readonly wanted: Readonly<Record<string, number>>;
  recordsOf(partition: number): readonly object[];
}

const rangeOf = ({ topic, recordsOf }: Log, { partition, from, to }: Part): LogRange => ({
  topic,
  partition,
  firstOffset: from,
  nextOffset: to,
  values: recordsOf(partition)
    .slice(from, to)
    .map((record) => JSON.stringify(record)),
});

/** One comes again, one is of a month of its own, one of another organization. */
const deliveriesOf = (partition: number) => {
  const id = (name: string) => `${name}-${partition}`;
  return [
    anOutgoingRequest({ id: id("a") }),
    anOutgoingRequest({ id: id("b"), created_at: secondsIn(90) }),
    anIncomingRequest({ id: id("a") }),
    anOutgoingRequest({ id: id("b"), created_at: secondsIn(90) }),
    anOutgoingRequest({ id: id("c"), created_at: secondsIn(-90 * 86_400) }),
    anOutgoingRequest({ id: id("a"), org_id: orgTwo }),
  ];
};
/** Two have a later version. */
const callsOf = (partition: number) => {
  const call = (name: string, version: number, seconds: number) => ({
    ...aCallOf(`${name}-${partition}`, { version, started_at: secondsIn(seconds) }),
    id: `${name}-${partition}:${version}`,
  });
  const old = -90 * 86_400;
  return [
    call("one", 1, 0),
    call("two", 1, 200),
    call("one", 2, 0),
    call("three", 1, old),
    call("two", 2, 200),
    call("four", 1, 0),
  ];
};
const messages = 6;
const logs: readonly Log[] = [
  {
    topic: "webhook-deliveries",
    recordsOf: deliveriesOf,
    wanted: { calls: 0, outgoing_webhook_requests: 4, incoming_webhook_requests: 1 },
  },
  {
    topic: "call-events",
    recordsOf: callsOf,
    wanted: { calls: 4, outgoing_webhook_requests: 0, incoming_webhook_requests: 0 },
  },
];
const times = (factor: number, wanted: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(wanted).map(([table, rows]) => [table, factor * rows]));

/** A database with its schema; how many statements it takes to find that out. */
async function prepared() {
  const options = await clickhouseDatabase();
  const warehouse = openClickhouseWarehouse(options);
  await warehouse.position("call-events", 0);
  await warehouse.close();
  return options;
}
type Prepared = Awaited<ReturnType<typeof prepared>>;
const openingStatements = 4;

async function storeAndDie(options: Prepared, range: LogRange, statements: number): Promise<boolean> {
  let left = openingStatements + statements;
  const proxy = await openClickhouseProxy(undefined, (_statement, send) =>
    left-- > 0 ? send() : Promise.reject(new Error("gone")),
  );
  const warehouse = openClickhouseWarehouse({ ...options, url: new URL(proxy.url).origin });
  const stored = await warehouse.store(range).then(
    () => true,
    () => false,
  );
  await warehouse.close();
  return stored;
}

describe("a crash while ClickHouse stores a range", () => {
  it.each(logs)("of $topic leaves nothing that is not right once it goes on, however it is cut then", async (log) => {
    const options = await prepared();
    const warehouse = openClickhouseWarehouse(options);
    let statements = 0;
    for (; ; statements += 1) {
      const partition = statements;
      const stored = await storeAndDie(options, rangeOf(log, { partition, from: 0, to: messages }), statements);
      expect(await warehouse.position(log.topic, partition)).toBe(stored ? messages : 0);
      for (const [from, to] of [
        [0, 3],
        [3, messages],
      ] as const) {
        await warehouse.store(rangeOf(log, { partition, from, to }));
      }
      expect(await warehouse.position(log.topic, partition)).toBe(messages);
      if (stored) break;
    }
    // Of every partition: what was wrong in one of them stays so.
    expect(await countsOfRows(warehouse)).toEqual(times(statements + 1, log.wanted));
    await warehouse.close();
    expect(statements).toBeGreaterThan(8);
  });
});

describe("two processes that store the same partition of ClickHouse at once", () => {
  it.each(logs)("come to the same rows and counts as one: $topic", async (log) => {
    const options = await prepared();
    const open = () => openClickhouseWarehouse(options);
    const [one, other] = [open(), open()];
    await Promise.all([
      one.store(rangeOf(log, { partition: 0, from: 0, to: 3 })),
      other.store(rangeOf(log, { partition: 0, from: 0, to: messages })),
    ]);
    expect(await one.position(log.topic, 0)).toBe(messages);
    expect(await countsOfRows(one)).toEqual(log.wanted);
    await Promise.all([one.close(), other.close()]);
  });
});
