import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { sql } from "../../../warehouse/statement.ts";
import { WarehouseError } from "../../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../../warehouse/warehouse-duckdb.ts";
import { anOutgoingRequest } from "../../make.ts";

// A warehouse in a process of its own, whose files can be kept from growing as by a disk that is full.
const [path = ""] = process.argv.slice(2);
const warehouse = await openDuckdbWarehouse({ path });
const rows = 500;

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof WarehouseError ? error.code : String(error)),
  );

const store = (range: number): Promise<string> => {
  const [firstOffset, nextOffset] = [range * rows, (range + 1) * rows];
  const ids = Array.from({ length: rows }, (_, index) => `out-${firstOffset + index}`);
  const values = ids.map((id) => JSON.stringify(anOutgoingRequest({ id })));
  return codeOf(warehouse.store({ topic: "webhook-deliveries", partition: 0, firstOffset, nextOffset, values }));
};

const limitFiles = (bytes: number | "unlimited") =>
  execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);

const tidyUp = () => codeOf(warehouse.query(sql`CHECKPOINT`));

const outcomes = [await store(0)];
limitFiles(statSync(`${path}.wal`).size + 1000);
// First only what it writes beside its file is refused, then the file itself.
outcomes.push(await store(1), await tidyUp(), await store(1));
limitFiles("unlimited");
outcomes.push(await store(1), await store(2));
const { rows: found } = await warehouse.query(
  sql`SELECT count(*) AS stored, count(DISTINCT id) AS ids FROM outgoing_webhook_requests`,
);
const position = await warehouse.position("webhook-deliveries", 0);
await warehouse.close();
process.stdout.write(JSON.stringify({ outcomes, ...found[0], position }));
